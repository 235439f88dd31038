// Shows /openapi.json with Scalar: https://scalar.com/products/api-references/configuration

// Zod, which Scalar brings along, otherwise tries whether it may evaluate code: the page's policy says no, in the console.
globalThis.__zod_globalConfig = { jitless: true };

const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Below this width the response of a request stands under what was sent, out of sight. */
const stacked = matchMedia("(max-width: 1279px)");
const showResponse = () =>
  document.querySelector(".scalar-app-layout section[aria-label='Response']")?.scrollIntoView();

// Scalar's own script comes after this one.
document.addEventListener("DOMContentLoaded", () => {
  globalThis.Scalar.createApiReference("#reference", {
    url: "/openapi.json",
    authentication: {
      preferredSecurityScheme: "key",
      // A service on this machine has the key of .dev.vars.example.
      securitySchemes: { key: { token: isLocal ? "local-development-key" : "" } },
    },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    defaultRequestBodyView: "raw",
    documentDownloadType: "direct",
    hideModels: true,
    theme: "none",
    // A key lasts as long as the page.
    persistAuth: false,
    // Nothing that calls another origin.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    onResponseReceived: () => {
      if (stacked.matches) setTimeout(showResponse, 100);
    },
  });
});
