import { clearableString } from "./request_schemas.ts";

/** The description (at most 255 bytes) and metadata (at most 4096 bytes) of most objects. */
export const boundedTexts = () => ({
  description: clearableString(255)
    .describe("Human-readable description, at most 255 bytes in UTF-8.")
    .exactOptional(),
  metadata: clearableString(4096)
    .describe("Machine-readable string in a format of your own, at most 4096 bytes in UTF-8.")
    .exactOptional(),
});

/** The description and metadata of backends, which have no limit. */
export const unboundedTexts = () => ({
  description: clearableString().describe("Human-readable description.").exactOptional(),
  metadata: clearableString().describe("Machine-readable string in a format of your own.").exactOptional(),
});
