const HEAVIEST = 256;
const TOLERATED = 0.05;

/**
 * Server weights from 1 to 256, which HAProxy requires, for leaves with any weight above 0. The servers of a leaf share its traffic
 * equally. `distorted` is true if a leaf's share of traffic is over 5 % off.
 */
export function serverWeights(leaves: readonly { weight: number; servers: number }[]): {
  weights: number[];
  distorted: boolean;
} {
  const wanted = leaves.map(({ weight, servers }) => weight / servers);
  const heaviest = Math.max(...wanted);
  const isAsIs = heaviest <= HEAVIEST && wanted.every((weight) => Number.isInteger(weight));
  const weights = wanted.map((weight) =>
    isAsIs ? weight : Math.max(1, Math.round((weight * HEAVIEST) / heaviest)),
  );
  const given = leaves.map(({ servers }, index) => (weights[index] ?? 0) * servers);
  const totalGiven = sum(given);
  const total = sum(leaves.map(({ weight }) => weight));
  const distorted = leaves.some(
    ({ weight }, index) => Math.abs((given[index] ?? 0) / totalGiven / (weight / total) - 1) > TOLERATED,
  );
  return { weights, distorted };
}

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
