import { signal } from "@preact/signals";

/** The chosen theme; "system" follows the device. */
export const theme = signal(stored());

function stored(): string {
  return localStorage.getItem("theme") ?? "system";
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Applies the theme to the document, now and whenever it changes. */
export function applyTheme(): void {
  const apply = (): void => {
    const isDark = theme.value === "system" ? dark.matches : theme.value === "dark";
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  };
  theme.subscribe((value) => {
    localStorage.setItem("theme", value);
    apply();
  });
  dark.addEventListener("change", apply);
}
