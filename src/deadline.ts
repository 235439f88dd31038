/**
 * What `work` gives, or what `late` throws after `milliseconds`. The work may go on all the same: whoever starts it
 * must bear that.
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
