import type { Field } from "./fields.ts";

/** The last field of every object. */
export const metadata: Field = {
  name: "metadata",
  label: "Metadata",
  type: "long",
  hint: "Free text for your programs",
  empty: "",
};
