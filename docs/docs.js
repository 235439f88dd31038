// Shows /openapi.json with Swagger UI, in the colours that the reader's system asks for.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystem);
followSystem();

/** Folds the list of errors, which is long, into its heading. */
const foldErrors = () => {
  const heading = [...document.querySelectorAll("#reference .info h2")].find(
    ({ textContent }) => textContent === "Errors",
  );
  const list = heading?.nextElementSibling;
  if (!list) return;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Errors: every error_code, its cause and its cure";
  details.append(summary, list.cloneNode(true));
  heading.replaceWith(details);
  list.remove();
};

window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  requestSnippetsEnabled: false,
  validatorUrl: null,
  onComplete: foldErrors,
});
