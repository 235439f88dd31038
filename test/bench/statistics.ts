/** The quartiles of a sample. */
export interface Quartiles {
  q1: number;
  median: number;
  q3: number;
}

/** Quartiles by linear interpolation between the sorted values. */
export function quartiles(values: number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = (sorted.length - 1) * share;
    const low = sorted[Math.floor(place)] ?? Number.NaN;
    const high = sorted[Math.ceil(place)] ?? Number.NaN;
    return low + (high - low) * (place - Math.floor(place));
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
}

export const median = (values: number[]): number => quartiles(values).median;

/**
 * The standard error of a sample's median, as a share of the median. It is estimated from the quartiles, because single
 * values on a busy machine are far off. The factor 0.93 is that of a normal distribution.
 */
export function errorOf(values: number[]): number {
  const { q1, median, q3 } = quartiles(values);
  return (0.93 * (q3 - q1)) / median / Math.sqrt(values.length);
}

/** The ratios of two samples that were measured side by side, pair by pair. */
export const ratios = (above: number[], below: number[]): number[] =>
  above.map((value, index) => value / (below[index] ?? Number.NaN));
