import { isFields } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import { fieldChanges, inWords } from "../changes/diff.ts";
import { describe, modules } from "../changes/modules.ts";

/** A sign, which screen readers read as a word. */
export const Sign = ({ sign }: { sign: string }) => (
  <>
    <i aria-hidden="true">{sign}</i>
    <span class="hidden">{sign === "+" ? "added" : "removed"}</span>
  </>
);

/** The fields that differ, before and after. */
export function FieldDiff({
  before,
  after,
}: {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}) {
  const names = useNames();
  const named = (id: string): string => names(id).name;
  const changes = fieldChanges(before, after).filter(({ name }) => !HIDDEN.has(name));
  return (
    <div class="diff mono">
      {changes.map(({ name, before: was, after: is }) => (
        <div class="pair" key={name}>
          {was !== undefined && (
            <div class="d">
              <Sign sign="−" />
              <span class="k cut">{labelOf(name)}</span>
              <bdi class="v">{textIn(name, was, named)}</bdi>
            </div>
          )}
          {is !== undefined && (
            <div class="a">
              <Sign sign="+" />
              <span class="k cut">{labelOf(name)}</span>
              <bdi class="v">{textIn(name, is, named)}</bdi>
            </div>
          )}
        </div>
      ))}
      {changes.length === 0 && <p class="nothing">Nothing changes.</p>}
    </div>
  );
}

/** Fields that say nothing about what changes. */
const HIDDEN = new Set(["id", "uri", "created_at"]);

/** What a field is called: that of a module begins with the module. */
function labelOf(name: string): string {
  const [first = "", ...rest] = name.split(".");
  const words = [modules[first] ?? first, ...rest].join(" ").replaceAll("_", " ");
  return words === "description" ? "name" : words;
}

/** A value in words: a module as pages describe it. */
function textIn(name: string, value: unknown, named: (id: string) => string): string {
  if (!(name in modules) || !isFields(value)) return inWords(value, named);
  const text = describe(name, value, named);
  return value["enabled"] === false ? `off, ${text}` : text;
}
