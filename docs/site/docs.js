// Shows /openapi.json with Scalar: https://scalar.com/products/api-references/configuration

// Zod, which Scalar brings along, otherwise tries whether it may evaluate code: the page's policy says no, in the console.
globalThis.__zod_globalConfig = { jitless: true };

const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Below this width the response of a request stands under what was sent, out of sight. */
const stacked = matchMedia("(max-width: 1279px)");
const showResponse = () =>
  document.querySelector(".scalar-app-layout section[aria-label='Response']")?.scrollIntoView();

/** Shows the reference's own text until Scalar, which needs seconds on a slow computer, has drawn its page. */
async function showText() {
  // #tag/ip-policies/POST/ip_policies: the part of the reference, and the operation.
  const [, part = "introduction", operation] =
    /^#tag\/([\w-]+)(?:\/(.+))?$/.exec(decodeURIComponent(location.hash)) ?? [];
  const response = await fetch(`/docs/reference/${part}`);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const text = page.querySelector("main");
  text.id = "text";
  document.querySelector("#reference").before(text);
  document.getElementById(operation)?.scrollIntoView();
  // A frame with the text is painted before Scalar takes the page's time.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function showReference() {
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
    // The console's theme. Scalar reads it once.
    forceDarkModeState: document.documentElement.dataset.theme,
    hideDarkModeToggle: true,
    // A key lasts as long as the page.
    persistAuth: false,
    // Nothing that calls another origin.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    onLoaded: () => document.querySelector("#text")?.remove(),
    onResponseReceived: () => {
      if (stacked.matches) setTimeout(showResponse, 100);
    },
  });
}

await showText().catch(() => {});
const scalar = document.createElement("script");
scalar.src = "/docs/scalar.js";
scalar.addEventListener("load", showReference);
document.head.append(scalar);
