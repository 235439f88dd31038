import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  jwksCache,
  type JWKSCacheInput,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";

/*
 * The client of the identity provider: the authorization code flow of OpenID Connect with PKCE. Loaded only when somebody signs
 * in, so it imports nothing of the service itself.
 */

/** The provider, and this service as its client. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  scope: string;
  /** True for a provider on this machine, which may be called over plain HTTP. */
  isLocal: boolean;
}

/** What a sign-in has to be completed with. */
export interface Begun {
  state: string;
  nonce: string;
  verifier: string;
}

/** A result, or why there is none: the provider did not answer, or its answer does not hold. */
type Outcome<T> = { value: T } | { failed: "unreachable" | "refused"; reason: string };

const TIMEOUT_MILLISECONDS = 5_000;
const TOLERANCE_SECONDS = 30;
const DISCOVERY_MILLISECONDS = 600_000;

/** The provider's metadata. Only results are shared: a request must not wait for another request's call. */
let discovered: { issuer: string; metadata: AuthorizationServer; until: number } | undefined;
/** The provider's public keys. */
let keys: { issuer: string; cache: JWKSCacheInput } | undefined;

const optionsFor = ({ isLocal }: Provider) => ({
  [allowInsecureRequests]: isLocal,
  signal: () => AbortSignal.timeout(TIMEOUT_MILLISECONDS),
});

async function metadataOf(provider: Provider, now: number): Promise<AuthorizationServer> {
  const { issuer } = provider;
  if (discovered?.issuer === issuer && discovered.until > now) return discovered.metadata;
  const url = new URL(issuer);
  const response = await discoveryRequest(url, optionsFor(provider));
  const metadata = await processDiscoveryResponse(url, response);
  discovered = { issuer, metadata, until: now + DISCOVERY_MILLISECONDS };
  return metadata;
}

/** The address to send the browser to, and what to keep until it comes back. */
export async function begin(
  provider: Provider,
  now: number,
): Promise<Outcome<{ url: string; begun: Begun }>> {
  try {
    const { authorization_endpoint: endpoint } = await metadataOf(provider, now);
    if (endpoint === undefined) return { failed: "unreachable", reason: "no authorization_endpoint" };
    const begun = {
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
    };
    const url = new URL(endpoint);
    for (const [name, value] of Object.entries({
      client_id: provider.clientId,
      redirect_uri: provider.redirectUri,
      response_type: "code",
      scope: provider.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: "S256",
    }))
      url.searchParams.set(name, value);
    return { value: { url: url.href, begun } };
  } catch (error) {
    return { failed: "unreachable", reason: reasonOf(error) };
  }
}

/** The claims of the person who comes back: `state`, `iss`, `nonce`, audience, times and the signature are checked. */
export async function complete(
  provider: Provider,
  returned: URL,
  begun: Begun,
  now: number,
): Promise<Outcome<Record<string, unknown>>> {
  let metadata;
  try {
    // A copy, because the library would share calls in progress between requests with the same object.
    metadata = { ...(await metadataOf(provider, now)) };
  } catch (error) {
    return { failed: "unreachable", reason: reasonOf(error) };
  }
  try {
    const client = { client_id: provider.clientId, [clockTolerance]: TOLERANCE_SECONDS };
    const parameters = validateAuthResponse(metadata, client, returned, begun.state);
    const options = optionsFor(provider);
    const response = await authorizationCodeGrantRequest(
      metadata,
      client,
      authenticationFor(metadata, provider),
      parameters,
      provider.redirectUri,
      begun.verifier,
      options,
    );
    if (response.status >= 500)
      return { failed: "unreachable", reason: `the token endpoint answered ${response.status}` };
    const tokens = await processAuthorizationCodeResponse(metadata, client, response, {
      expectedNonce: begun.nonce,
      requireIdToken: true,
    });
    const cache = { ...(keys?.issuer === provider.issuer ? keys.cache : {}) };
    await validateApplicationLevelSignature(metadata, response, { ...options, [jwksCache]: cache });
    keys = { issuer: provider.issuer, cache };
    const claims = getValidatedIdTokenClaims(tokens);
    return claims ? { value: claims } : { failed: "refused", reason: "no ID token" };
  } catch (error) {
    return { failed: isUnreachable(error) ? "unreachable" : "refused", reason: reasonOf(error) };
  }
}

/** Where to sign out at the provider; undefined if it has no such page, or does not answer. */
export async function logoutUri(
  provider: Provider,
  returnTo: string,
  now: number,
): Promise<string | undefined> {
  try {
    const { end_session_endpoint: endpoint } = await metadataOf(provider, now);
    if (endpoint === undefined) return undefined;
    const url = new URL(endpoint);
    url.searchParams.set("client_id", provider.clientId);
    url.searchParams.set("post_logout_redirect_uri", returnTo);
    return url.href;
  } catch {
    return undefined;
  }
}

const authenticationFor = (metadata: AuthorizationServer, { clientSecret }: Provider) => {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret);
};

/** A call that got no response: a network error or a timeout. The library's own errors have a code. */
const isUnreachable = (error: unknown): boolean => error instanceof Error && codeOf(error) === undefined;

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Error codes of providers (RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6). */
const ERRORS = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "invalid_request_object",
  "invalid_request_uri",
  "invalid_scope",
  "login_required",
  "registration_not_supported",
  "request_not_supported",
  "request_uri_not_supported",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
]);

/**
 * For the log and the event. The library's messages are constant. Of the provider's text, only known error codes are named:
 * it comes in the callback's address, which anybody can write. Without tokens or claims.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "error" in error && typeof error.error === "string" ? error.error : undefined;
  const shown = code === undefined ? "" : ` (${ERRORS.has(code) ? code : "an unknown error code"})`;
  return `${codeOf(error) ?? error.name}: ${error.message}${shown}`;
}
