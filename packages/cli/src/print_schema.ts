import schema from "../../contract/edge.yaml.schema.json" with { type: "json" };
import { printText } from "./output.ts";

/** Prints the JSON Schema of files. */
export async function printSchema(): Promise<number> {
  printText(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}
