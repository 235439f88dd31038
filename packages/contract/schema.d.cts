// For programs that are CommonJS modules.
export type * from "./schema.d.ts" with { "resolution-mode": "import" };
