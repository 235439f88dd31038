import {
  // One name per line: the import spans several lines, which the transform must make up for.
  expect,
  test,
} from "vitest";

interface Position {
  line: string;
}

test("an error names the line of the source that threw it", () => {
  const { stack = "" } = new Error("here");
  const found: Position = { line: /lines\.test\.ts:(\d+)/.exec(stack)?.[1] ?? "" };
  expect(found.line).toBe("12");
});
