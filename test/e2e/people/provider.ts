import { createServer, type RequestListener } from "node:http";
import { Provider } from "oidc-provider";
import { listen } from "../support/ports.ts";

/*
 * A certified implementation of OpenID Connect on loopback, with an account for each group.
 */

export const CLIENT = { client_id: "edge", client_secret: "secret of the service at the provider" };

/** The accounts, by `sub`, with their claims. */
export const accounts: Record<string, Record<string, unknown>> = {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada Lovelace", groups: ["platform", "all"] },
  grace: { email: "grace@example.com", email_verified: true, name: "Grace Hopper", groups: ["all"] },
  mallory: { email: "mallory@example.com", email_verified: false, groups: ["others"] },
};

/** A server on loopback whose handler can be set later. */
export async function startServer(): Promise<{
  origin: string;
  handle: (handler: RequestListener) => void;
  stop: () => void;
}> {
  let handler: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => handler(request, response));
  return {
    origin: `http://localhost:${await listen(server)}`,
    handle: (next) => (handler = next),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Serves the provider at `issuer`. Its page lists the accounts; following an account's link signs in. @param service its origin */
export function providerFor(issuer: string, service: string): RequestListener {
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${service}/auth/callback`],
        post_logout_redirect_uris: [`${service}/console`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["of the tests"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...accounts[sub] }) }),
    // Everybody has consented to everything.
    loadExistingGrant: async (context: {
      oidc: {
        client: { clientId: string };
        session: { accountId: string };
        provider: {
          Grant: new (of: object) => { addOIDCScope: (scope: string) => void; save: () => Promise<void> };
        };
      };
    }) => {
      const { client, session, provider: own } = context.oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  return (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (!url.pathname.startsWith("/interaction/")) return serve(request, response);
    const accountId = url.searchParams.get("account");
    if (accountId !== null)
      return void provider.interactionFinished(request, response, { login: { accountId } });
    const links = Object.keys(accounts).map((sub) => `<li><a href="?account=${sub}">${sub}</a>`);
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><ul>${links.join("")}</ul>`);
  };
}
