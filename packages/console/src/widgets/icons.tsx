import { iconPath } from "./icon_paths.ts";

/** An icon next to its name, so it is hidden from screen readers. */
export const Icon = ({ name }: { name: string }) => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={iconPath(name)} />
  </svg>
);
