import { signal } from "@preact/signals";

/** The chosen theme; "system" follows the device. */
export const theme = signal(stored());

function stored(): string {
  return localStorage.getItem("theme") ?? "system";
}

const device = matchMedia("(prefers-color-scheme: dark)");

/** Whether the document is dark. */
export const isDark = signal(false);

/** Applies the theme to the document, now and whenever it changes. */
export function applyTheme(): void {
  const apply = (): void => {
    const is = theme.value === "system" ? device.matches : theme.value === "dark";
    document.documentElement.dataset["theme"] = is ? "dark" : "light";
    isDark.value = is;
  };
  theme.subscribe((value) => {
    localStorage.setItem("theme", value);
    apply();
  });
  device.addEventListener("change", apply);
}
