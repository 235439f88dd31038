import * as z from "zod";

/*
 * Schemas of the files in the state directory with what was counted.
 */

const natural = z.int().min(0);

/** The lines of each HAProxy process that were counted, by process id: see `losses.ts`. */
export const savedWorkers = z.record(
  z.string().regex(/^\d+$/),
  z.object({
    lines: natural,
    lost: natural,
    expected: natural.optional(),
    rejected: z.record(z.string(), natural),
  }),
);

/** Traffic that was counted, in the intervals that are not over: see `ledger.ts`. */
export const savedTraffic = z.object({
  workers: savedWorkers,
  open: z.array(
    z.object({
      resolution: z.literal([60, 300, 3600]),
      at: natural,
      lost: natural,
      total: z.array(natural),
      objects: z.record(z.string(), z.array(natural)),
      other: z.array(natural),
    }),
  ),
});

/** Reports of traffic that wait for the service: the end of the interval, in milliseconds since 1970, and the request's body. */
export const savedReports = z.array(z.object({ ends: natural, body: z.string().max(65_536) }));
