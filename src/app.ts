import type { Context } from "hono";
import { HonoBase } from "hono/hono-base";
import { gate } from "./http/auth.ts";
import type { App } from "./http/env.ts";
import { answerError, unrouted } from "./http/error_response.ts";
import { health } from "./http/health.ts";
import { reference } from "./http/openapi_json.ts";
import { everyRequest } from "./http/request.ts";
import { respond } from "./http/respond.ts";
import { operationOf, type OperationRoute } from "./http/route.ts";
import { LazyRouter } from "./http/router.ts";
import { mcp } from "./mcp/route.ts";
import { apiKeys } from "./resources/api_keys.ts";
import { apiRestriction, recordRejected } from "./resources/api_restriction.ts";
import { failoverBackends } from "./resources/backends/failover.ts";
import { httpResponseBackends } from "./resources/backends/http_response.ts";
import { staticBackends } from "./resources/backends/static.ts";
import { weightedBackends } from "./resources/backends/weighted.ts";
import { botUsers } from "./resources/bot_users.ts";
import { certificateAuthorities } from "./resources/certificates/certificate_authorities.ts";
import { certificateIssuers } from "./resources/certificates/issuers.ts";
import { httpsEdges } from "./resources/edges/https.ts";
import { httpsEdgeRoutes } from "./resources/edges/https_routes.ts";
import { tcpEdges } from "./resources/edges/tcp.ts";
import { tlsEdges } from "./resources/edges/tls.ts";
import { eventDelivery } from "./resources/events/event_delivery.ts";
import { eventDestinations } from "./resources/events/event_destinations.ts";
import { eventSubscriptions } from "./resources/events/event_subscriptions.ts";
import { eventTypes } from "./resources/events/event_type_list.ts";
import { events } from "./resources/events/events.ts";
import { metrics } from "./resources/operating/metrics.ts";
import { sealedSecrets } from "./resources/operating/sealed_secrets.ts";
import type { Handle } from "./resources/operations.ts";
import { personalKeys } from "./resources/people/personal_keys.ts";
import { signIn, signOut } from "./resources/people/sign_in.ts";
import { users } from "./resources/people/users.ts";
import { plans, previews } from "./resources/plans/plans.ts";
import { access } from "./resources/policies/access.ts";
import { ipPolicies } from "./resources/policies/ip_policies.ts";
import { ipPolicyRules } from "./resources/policies/ip_policy_rules.ts";
import { policyRules } from "./resources/policies/policy_rules.ts";
import { agents } from "./resources/traffic/agents.ts";
import { certificateRequests, renewals } from "./resources/traffic/certificate_requests.ts";
import { changes } from "./resources/traffic/changes.ts";
import { issuing } from "./resources/traffic/issuing.ts";
import { certificates } from "./resources/traffic/served_certificates.ts";
import { serving } from "./resources/traffic/serving.ts";
import { simulations } from "./resources/traffic/simulations.ts";
import { problems, snapshot } from "./resources/traffic/snapshot.ts";
import { traffic } from "./resources/traffic/traffic.ts";
import { trafficPolicies } from "./resources/traffic/traffic_policies.ts";
import { trafficReports } from "./resources/traffic/traffic_report.ts";
import { trafficServers } from "./resources/traffic/traffic_servers.ts";
import { trafficSummary } from "./resources/traffic/traffic_summary.ts";
import { transactions } from "./resources/transactions.ts";
import { whoami } from "./resources/whoami.ts";

/** Handles an operation of a transaction or a plan, or a request of a tool. */
const handle: Handle = (request, c) => Promise.resolve(app.fetch(request, c.env, c.executionCtx));

/** The service: middleware for every request, in order, then one line per collection. */
export const app = new HonoBase<App>({ strict: false, router: new LazyRouter() });

app.onError((error, c: Context<App, string>) => {
  recordRejected(c);
  return answerError(error, c);
});
app.notFound(unrouted(app));

app.use(everyRequest);

// Browsers are sent to the console, programs to the reference.
app.get("/", (c) => {
  const isBrowser = /\btext\/html\b/.test(c.req.header("Accept") ?? "");
  return respond(c, 302, null, { Location: isBrowser ? "/console" : "/docs", Vary: "Accept" });
});
app.route("/health", health);
app.route("/openapi.json", reference);

app.route("/auth", signIn);

// It authenticates like the gate, and each tool is a request to the routes below.
app.route("/mcp", mcp(handle));

// Everything from here on needs a key and a version. The documentation has the same order: each collection comes after those
// that its objects refer to, and the service's own operations come last.
app.use(gate);

app.route("/ip_policies", ipPolicies);
app.route("/ip_policies/:id/rules", policyRules);
app.route("/ip_policy_rules", ipPolicyRules);
app.route("/backends/http_response", httpResponseBackends);
app.route("/backends/static", staticBackends);
app.route("/backends/weighted", weightedBackends);
app.route("/backends/failover", failoverBackends);
app.route("/certificate_authorities", certificateAuthorities);
app.route("/edges/tcp", tcpEdges);
app.route("/edges/tls", tlsEdges);
app.route("/edges/https", httpsEdges);
app.route("/edges/https", httpsEdgeRoutes);
app.route("/certificate_issuers", certificateIssuers);
app.route("/event_destinations", eventDestinations);
app.route("/event_destinations/:id", eventDelivery);
app.route("/event_subscriptions", eventSubscriptions);
app.route("/event_types", eventTypes);
app.route("/events", events);
app.route("/bot_users", botUsers);
app.route("/api_keys", apiKeys);
app.route("/users", users);
app.route("/api_restriction", apiRestriction);
app.route("/users/me/keys", personalKeys);
app.route("/auth/session", signOut);
app.route("/whoami", whoami);
app.route("/transactions", transactions(handle));
app.route("/plans", plans(handle));
app.route("/previews", previews(handle));
app.route("/snapshot", snapshot);
app.route("/snapshot/changes", changes);
app.route("/problems", problems);
app.route("/serving", serving);
app.route("/access", access);
app.route("/traffic_policies", trafficPolicies);
app.route("/simulations", simulations);
app.route("/agents", agents);
app.route("/agents", certificateRequests);
app.route("/agents", trafficReports);
app.route("/traffic", traffic);
app.route("/traffic", trafficSummary);
app.route("/traffic", trafficServers);
app.route("/certificates", certificates);
app.route("/certificates", renewals);
app.route("/issuing", issuing);
app.route("/metrics", metrics);
app.route("/sealed_secrets", sealedSecrets);

/** Every operation of the service, in the order above. */
export function operations(): OperationRoute[] {
  return app.routes.flatMap(({ method, path, handler }) => {
    const operation = operationOf(handler);
    return operation ? [{ method, path, operation }] : [];
  });
}
