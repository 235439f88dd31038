import { clearableText } from "./members.ts";

/** The optional strings of objects whose length the contract limits: `description` 255 bytes, `metadata` 4096. */
export const boundedTexts = () => ({
  description: clearableText(255)
    .describe("Human-readable description, at most 255 bytes in UTF-8.")
    .exactOptional(),
  metadata: clearableText(4096)
    .describe("Machine-readable string in a format of your own, at most 4096 bytes in UTF-8.")
    .exactOptional(),
});

/** The optional strings of backends, whose length is not limited. */
export const unboundedTexts = () => ({
  description: clearableText().describe("Human-readable description.").exactOptional(),
  metadata: clearableText().describe("Machine-readable string in a format of your own.").exactOptional(),
});
