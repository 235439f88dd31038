import type * as z from "zod";
import { Refusal } from "./refusal.ts";

const LONGEST_PLACE = 200;

/** Parses a value with a schema. @throws Refusal that names the first wrong member */
export function matching<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = (issue?.path ?? []).map((step) => `/${String(step)}`).join("");
  throw new Refusal(`${place.slice(0, LONGEST_PLACE) || "/"}: ${issue?.message ?? "Invalid."}`);
}
