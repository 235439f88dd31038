import { all, type Api, type Body, named } from "./seed_api.ts";

/** There is no such host, so no certificate is issued. */
const DIRECTORY = "https://acme.example.com/directory";

/** Creates the issuer of the shop's certificates. */
export async function seedIssuers(api: Api): Promise<void> {
  const issuer = named(
    "/certificate_issuers",
    await all(
      (query) => api.GET("/certificate_issuers", { params: { query } }),
      (page) => page.certificate_issuers,
    ),
    (body: Body<"CertificateIssuerCreate">) => api.POST("/certificate_issuers", { body }),
  );
  await issuer("shop", {
    description: "Certificates of the shop",
    directory_url: DIRECTORY,
    contact: ["mailto:ops@example.com"],
    terms_of_service_agreed: true,
    hosts: ["shop.example.com", "*.shop.example.com"],
  });
}
