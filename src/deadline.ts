/**
 * The result of `work`, or the error of `late` after `milliseconds`. The work is not cancelled: callers must allow for
 * that.
 */
export const within = <T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
