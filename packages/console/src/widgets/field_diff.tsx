import { useNames } from "../api/names.ts";
import { fieldChanges, inWords } from "../changes/diff.ts";

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
  const words = (value: unknown): string => inWords(value, (id) => names(id).name);
  const changes = fieldChanges(before, after);
  return (
    <div class="diff mono">
      {changes.map(({ name, before: was, after: is }) => (
        <div class="pair" key={name}>
          {was !== undefined && (
            <div class="d">
              <Sign sign="−" />
              <span class="k cut">{name}</span>
              <bdi class="v">{words(was)}</bdi>
            </div>
          )}
          {is !== undefined && (
            <div class="a">
              <Sign sign="+" />
              <span class="k cut">{name}</span>
              <bdi class="v">{words(is)}</bdi>
            </div>
          )}
        </div>
      ))}
      {changes.length === 0 && <p class="t3 pad">Nothing changes.</p>}
    </div>
  );
}
