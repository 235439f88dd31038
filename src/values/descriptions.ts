import { clearableText } from "./members.ts";

/** The optional texts of objects for which the spec limits them: `description` 255 bytes, `metadata` 4096. */
export const boundedTexts = () => ({
  description: clearableText(255).describe("For people; at most 255 bytes of UTF-8.").exactOptional(),
  metadata: clearableText(4096)
    .describe("For machines, any text; at most 4096 bytes of UTF-8.")
    .exactOptional(),
});

/** The optional texts of backends, which have no limit of their own. */
export const unboundedTexts = () => ({
  description: clearableText().describe("For people.").exactOptional(),
  metadata: clearableText().describe("For machines, any text.").exactOptional(),
});
