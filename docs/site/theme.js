// The theme that was chosen in the console; else that of the device. Runs before the page is drawn, and with `data-once` not again.
{
  const device = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = localStorage.getItem("theme");
    const isDark = chosen === "dark" || (chosen !== "light" && device.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  apply();
  if (document.currentScript.dataset.once === undefined) {
    device.addEventListener("change", apply);
    addEventListener("storage", apply);
  }
}
