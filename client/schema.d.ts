// Made from openapi.json by `npm run contract`. Stricter than the service: a member that may be left out is not null
// here. Looser in one point: Service-Version may be left out of a call, as the client is to send it with all of them.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the service works
         * @description Answers 200 when the database answers and has every table, otherwise 503. The answer may be five seconds old, ten while the database does not answer. Needs no key.
         */
        get: operations["HealthGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Shows the OpenAPI document of the service.
         */
        get: operations["OpenApiGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List TCP edges
         * @description Lists TCP edges, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["TcpEdgesList"];
        put?: never;
        /**
         * Create a TCP edge
         * @description Creates a TCP edge and shows it. Needs the role `editor`.
         */
        post: operations["TcpEdgesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tcp/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a TCP edge
         * @description Shows a TCP edge. Needs the role `viewer`.
         */
        get: operations["TcpEdgesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a TCP edge
         * @description Deletes a TCP edge. Needs the role `editor`.
         */
        delete: operations["TcpEdgesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a TCP edge
         * @description Changes the members that the body names, leaves all others, and shows the TCP edge. Needs the role `editor`.
         */
        patch: operations["TcpEdgesUpdate"];
        trace?: never;
    };
    "/edges/tcp/{id}/backend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the backend module of a TCP edge
         * @description Shows the backend module of a TCP edge. Needs the role `viewer`.
         */
        get: operations["TcpEdgesBackendModuleGet"];
        /**
         * Replace the backend module of a TCP edge
         * @description Replaces the backend module of a TCP edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TcpEdgesBackendModuleReplace"];
        post?: never;
        /**
         * Delete the backend module of a TCP edge
         * @description Removes the backend module of a TCP edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TcpEdgesBackendModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tcp/{id}/ip_restriction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the IP restriction module of a TCP edge
         * @description Shows the IP restriction module of a TCP edge. Needs the role `viewer`.
         */
        get: operations["TcpEdgesIpRestrictionModuleGet"];
        /**
         * Replace the IP restriction module of a TCP edge
         * @description Replaces the IP restriction module of a TCP edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TcpEdgesIpRestrictionModuleReplace"];
        post?: never;
        /**
         * Delete the IP restriction module of a TCP edge
         * @description Removes the IP restriction module of a TCP edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TcpEdgesIpRestrictionModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tcp/{id}/traffic_policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the traffic policy module of a TCP edge
         * @description Shows the traffic policy module of a TCP edge. Needs the role `viewer`.
         */
        get: operations["TcpEdgesTrafficPolicyModuleGet"];
        /**
         * Replace the traffic policy module of a TCP edge
         * @description Replaces the traffic policy module of a TCP edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TcpEdgesTrafficPolicyModuleReplace"];
        post?: never;
        /**
         * Delete the traffic policy module of a TCP edge
         * @description Removes the traffic policy module of a TCP edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TcpEdgesTrafficPolicyModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List TLS edges
         * @description Lists TLS edges, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["TlsEdgesList"];
        put?: never;
        /**
         * Create a TLS edge
         * @description Creates a TLS edge and shows it. Needs the role `editor`.
         */
        post: operations["TlsEdgesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a TLS edge
         * @description Shows a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a TLS edge
         * @description Deletes a TLS edge. Needs the role `editor`.
         */
        delete: operations["TlsEdgesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a TLS edge
         * @description Changes the members that the body names, leaves all others, and shows the TLS edge. Needs the role `editor`.
         */
        patch: operations["TlsEdgesUpdate"];
        trace?: never;
    };
    "/edges/tls/{id}/backend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the backend module of a TLS edge
         * @description Shows the backend module of a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesBackendModuleGet"];
        /**
         * Replace the backend module of a TLS edge
         * @description Replaces the backend module of a TLS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TlsEdgesBackendModuleReplace"];
        post?: never;
        /**
         * Delete the backend module of a TLS edge
         * @description Removes the backend module of a TLS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TlsEdgesBackendModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls/{id}/ip_restriction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the IP restriction module of a TLS edge
         * @description Shows the IP restriction module of a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesIpRestrictionModuleGet"];
        /**
         * Replace the IP restriction module of a TLS edge
         * @description Replaces the IP restriction module of a TLS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TlsEdgesIpRestrictionModuleReplace"];
        post?: never;
        /**
         * Delete the IP restriction module of a TLS edge
         * @description Removes the IP restriction module of a TLS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TlsEdgesIpRestrictionModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls/{id}/mutual_tls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the mutual TLS module of a TLS edge
         * @description Shows the mutual TLS module of a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesMutualTlsModuleGet"];
        /**
         * Replace the mutual TLS module of a TLS edge
         * @description Replaces the mutual TLS module of a TLS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TlsEdgesMutualTlsModuleReplace"];
        post?: never;
        /**
         * Delete the mutual TLS module of a TLS edge
         * @description Removes the mutual TLS module of a TLS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TlsEdgesMutualTlsModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls/{id}/tls_termination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the TLS termination module of a TLS edge
         * @description Shows the TLS termination module of a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesTlsTerminationModuleGet"];
        /**
         * Replace the TLS termination module of a TLS edge
         * @description Replaces the TLS termination module of a TLS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TlsEdgesTlsTerminationModuleReplace"];
        post?: never;
        /**
         * Delete the TLS termination module of a TLS edge
         * @description Removes the TLS termination module of a TLS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TlsEdgesTlsTerminationModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/tls/{id}/traffic_policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the traffic policy module of a TLS edge
         * @description Shows the traffic policy module of a TLS edge. Needs the role `viewer`.
         */
        get: operations["TlsEdgesTrafficPolicyModuleGet"];
        /**
         * Replace the traffic policy module of a TLS edge
         * @description Replaces the traffic policy module of a TLS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["TlsEdgesTrafficPolicyModuleReplace"];
        post?: never;
        /**
         * Delete the traffic policy module of a TLS edge
         * @description Removes the traffic policy module of a TLS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["TlsEdgesTrafficPolicyModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{id}/mutual_tls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the mutual TLS module of an HTTPS edge
         * @description Shows the mutual TLS module of an HTTPS edge. Needs the role `viewer`.
         */
        get: operations["HttpsEdgesMutualTlsModuleGet"];
        /**
         * Replace the mutual TLS module of an HTTPS edge
         * @description Replaces the mutual TLS module of an HTTPS edge as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["HttpsEdgesMutualTlsModuleReplace"];
        post?: never;
        /**
         * Delete the mutual TLS module of an HTTPS edge
         * @description Removes the mutual TLS module of an HTTPS edge; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["HttpsEdgesMutualTlsModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/circuit_breaker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the circuit breaker module of an HTTPS edge route
         * @description Shows the circuit breaker module of an HTTPS edge route. Needs the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesCircuitBreakerModuleGet"];
        /**
         * Replace the circuit breaker module of an HTTPS edge route
         * @description Replaces the circuit breaker module of an HTTPS edge route as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["HttpsEdgeRoutesCircuitBreakerModuleReplace"];
        post?: never;
        /**
         * Delete the circuit breaker module of an HTTPS edge route
         * @description Removes the circuit breaker module of an HTTPS edge route; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesCircuitBreakerModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/request_headers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the request headers module of an HTTPS edge route
         * @description Shows the request headers module of an HTTPS edge route. Needs the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesRequestHeadersModuleGet"];
        /**
         * Replace the request headers module of an HTTPS edge route
         * @description Replaces the request headers module of an HTTPS edge route as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["HttpsEdgeRoutesRequestHeadersModuleReplace"];
        post?: never;
        /**
         * Delete the request headers module of an HTTPS edge route
         * @description Removes the request headers module of an HTTPS edge route; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesRequestHeadersModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the websocket TCP converter module of an HTTPS edge route
         * @description Shows the websocket TCP converter module of an HTTPS edge route. Needs the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleGet"];
        /**
         * Replace the websocket TCP converter module of an HTTPS edge route
         * @description Replaces the websocket TCP converter module of an HTTPS edge route as a whole, or sets it, and shows it. Needs the role `editor`.
         */
        put: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleReplace"];
        post?: never;
        /**
         * Delete the websocket TCP converter module of an HTTPS edge route
         * @description Removes the websocket TCP converter module of an HTTPS edge route; succeeds also when it is not set. Needs the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip_policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List IP policies
         * @description Lists IP policies, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["IpPoliciesList"];
        put?: never;
        /**
         * Create an IP policy
         * @description Creates an IP policy and shows it. Needs the role `editor`.
         */
        post: operations["IpPoliciesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip_policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an IP policy
         * @description Shows an IP policy. Needs the role `viewer`.
         */
        get: operations["IpPoliciesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an IP policy
         * @description Deletes an IP policy. Its rules go with it. Edges that refer to it keep the reference: it counts as a policy without rules. What only its `deny` rules refused is let in where another policy allows it. Needs the role `editor`.
         */
        delete: operations["IpPoliciesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an IP policy
         * @description Changes the members that the body names, leaves all others, and shows the IP policy. Needs the role `editor`.
         */
        patch: operations["IpPoliciesUpdate"];
        trace?: never;
    };
    "/ip_policy_rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List IP policy rules
         * @description Lists IP policy rules, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["IpPolicyRulesList"];
        put?: never;
        /**
         * Create an IP policy rule
         * @description Creates an IP policy rule and shows it. Needs the role `editor`.
         */
        post: operations["IpPolicyRulesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip_policy_rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an IP policy rule
         * @description Shows an IP policy rule. Needs the role `viewer`.
         */
        get: operations["IpPolicyRulesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an IP policy rule
         * @description Deletes an IP policy rule. Needs the role `editor`.
         */
        delete: operations["IpPolicyRulesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an IP policy rule
         * @description Changes the members that the body names, leaves all others, and shows the IP policy rule. Needs the role `editor`.
         */
        patch: operations["IpPolicyRulesUpdate"];
        trace?: never;
    };
    "/backends/failover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failover backends
         * @description Lists failover backends, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["FailoverBackendsList"];
        put?: never;
        /**
         * Create a failover backend
         * @description Creates a failover backend and shows it. Needs the role `editor`.
         */
        post: operations["FailoverBackendsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/failover/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a failover backend
         * @description Shows a failover backend. Needs the role `viewer`.
         */
        get: operations["FailoverBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete a failover backend
         * @description Deletes a failover backend. Refused while an edge or another failover backend uses it. Needs the role `editor`.
         */
        delete: operations["FailoverBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update a failover backend
         * @description Changes the members that the body names, leaves all others, and shows the failover backend. Needs the role `editor`.
         */
        patch: operations["FailoverBackendsUpdate"];
        trace?: never;
    };
    "/backends/http_response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List HTTP response backends
         * @description Lists HTTP response backends, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["HttpResponseBackendsList"];
        put?: never;
        /**
         * Create an HTTP response backend
         * @description Creates an HTTP response backend and shows it. Needs the role `editor`.
         */
        post: operations["HttpResponseBackendsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/http_response/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HTTP response backend
         * @description Shows an HTTP response backend. Needs the role `viewer`.
         */
        get: operations["HttpResponseBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTP response backend
         * @description Deletes an HTTP response backend. Refused while an edge or a failover backend uses it. Needs the role `editor`.
         */
        delete: operations["HttpResponseBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update an HTTP response backend
         * @description Changes the members that the body names, leaves all others, and shows the HTTP response backend. Needs the role `editor`.
         */
        patch: operations["HttpResponseBackendsUpdate"];
        trace?: never;
    };
    "/bot_users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bot users
         * @description Lists bot users, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["BotUsersList"];
        put?: never;
        /**
         * Create a bot user
         * @description Creates a bot user and shows it. Needs the role `admin`.
         */
        post: operations["BotUsersCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bot_users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bot user
         * @description Shows a bot user. Needs the role `viewer`.
         */
        get: operations["BotUsersGet"];
        put?: never;
        post?: never;
        /**
         * Delete a bot user
         * @description Deletes a bot user. Its API keys are revoked with it. Needs the role `admin`.
         */
        delete: operations["BotUsersDelete"];
        options?: never;
        head?: never;
        /**
         * Update a bot user
         * @description Changes the members that the body names, leaves all others, and shows the bot user. Needs the role `admin`.
         */
        patch: operations["BotUsersUpdate"];
        trace?: never;
    };
    "/event_destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event destinations
         * @description Lists event destinations, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `viewer`.
         */
        get: operations["EventDestinationsList"];
        put?: never;
        /**
         * Create an event destination
         * @description Creates an event destination and shows it. Needs the role `editor`.
         */
        post: operations["EventDestinationsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event destination
         * @description Shows an event destination. Needs the role `viewer`.
         */
        get: operations["EventDestinationsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an event destination
         * @description Deletes an event destination. Needs the role `editor`.
         */
        delete: operations["EventDestinationsDelete"];
        options?: never;
        head?: never;
        /**
         * Update an event destination
         * @description Changes the members that the body names, leaves all others, and shows the event destination. Needs the role `editor`.
         */
        patch: operations["EventDestinationsUpdate"];
        trace?: never;
    };
    "/api_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Lists API keys, newest first, a page at a time: up to `limit` of them, and fewer where they are large. Needs the role `admin`.
         */
        get: operations["ApiKeysList"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key and shows it. Needs the role `admin`.
         */
        post: operations["ApiKeysCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Shows an API key. Needs the role `admin`.
         */
        get: operations["ApiKeysGet"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletes an API key. It stops working: here at once, elsewhere within 20 seconds. Needs the role `admin`.
         */
        delete: operations["ApiKeysDelete"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Changes the members that the body names, leaves all others, and shows the API key. Needs the role `admin`.
         */
        patch: operations["ApiKeysUpdate"];
        trace?: never;
    };
    "/sealed_secrets/reseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move secrets to the first sealing key
         * @description Seals the secrets of some event destinations again with the first key of `SEALING_KEYS`, newest first. May be stopped and started at any time. Needs the role `admin`.
         */
        post: operations["SealedSecretsReseal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Lets its holder call the API, as far as its role goes.
         * @example {
         *       "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "CI of the shop",
         *       "role": "editor",
         *       "token": null
         *     }
         */
        ApiKey: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description The bot user that the key belongs to: it works only while the bot is active. A bot's key makes keys of that bot. */
            owner_id?: string;
            /**
             * @description `viewer` reads, `editor` also writes configuration, `admin` also manages bots and keys.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /** @description When the key stops working: RFC 3339. */
            expires_at?: string;
            /** @description When the key was last used, at most ten minutes behind: RFC 3339. */
            last_used_at?: string;
            /** @description What callers send. Shown once, when the key is created; null ever after. */
            token: string | null;
        };
        /**
         * @example {
         *       "description": "CI of the shop",
         *       "owner_id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "role": "editor"
         *     }
         */
        ApiKeyCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description The bot user that the key belongs to: it works only while the bot is active. A bot's key makes keys of that bot. */
            owner_id?: string;
            /**
             * @description `viewer` reads, `editor` also writes configuration, `admin` also manages bots and keys. `editor` when left out.
             * @enum {string}
             */
            role?: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description When the key stops working: RFC 3339. When left out, with the key that makes it, or never where that has no end.
             */
            expires_at?: string;
        };
        ApiKeyList: {
            keys: components["schemas"]["ApiKey"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "description": "CI of the shop and the blog"
         *     }
         */
        ApiKeyUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
        };
        /**
         * @description The backend that traffic of an edge goes to.
         * @example {
         *       "enabled": true,
         *       "backend": {
         *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       }
         *     }
         */
        BackendModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            backend: components["schemas"]["Ref"];
        };
        /**
         * @description The backend that traffic of an edge goes to.
         * @example {
         *       "backend_id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *     }
         */
        BackendModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /** @description The backend that traffic goes to. */
            backend_id: string;
        };
        /**
         * @description A machine identity.
         * @example {
         *       "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/bot_users/bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "name": "deploy",
         *       "active": true
         *     }
         */
        BotUser: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description Names the bot, for people. */
            name: string;
            /** @description Whether the bot may act. */
            active: boolean;
        };
        /**
         * @example {
         *       "name": "deploy"
         *     }
         */
        BotUserCreate: {
            /** @description Names the bot, for people. */
            name: string;
            /** @description Whether the bot may act; true when left out on creation. */
            active?: boolean;
        };
        BotUserList: {
            bot_users: components["schemas"]["BotUser"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "active": false
         *     }
         */
        BotUserUpdate: {
            /** @description Names the bot, for people. */
            name?: string;
            /** @description Whether the bot may act; true when left out on creation. */
            active?: boolean;
        };
        /**
         * @description When requests stop going to an upstream server that fails, and for how long.
         * @example {
         *       "enabled": true,
         *       "tripped_duration": 10,
         *       "rolling_window": 10,
         *       "num_buckets": 10,
         *       "volume_threshold": 50,
         *       "error_threshold_percentage": 0.25
         *     }
         */
        CircuitBreakerModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description Seconds to wait after the circuit trips before the upstream's health is evaluated again. */
            tripped_duration: number;
            /** @description Seconds of the rolling window that statistics are kept for. */
            rolling_window: number;
            /** @description Buckets that the window's metrics are kept in. */
            num_buckets: number;
            /** @description Requests in a rolling window before the circuit can trip. */
            volume_threshold: number;
            /** @description The share of failed requests that trips the circuit: a fraction, not percent. */
            error_threshold_percentage: number;
        };
        /**
         * @description When requests stop going to an upstream server that fails, and for how long.
         * @example {
         *       "error_threshold_percentage": 0.25,
         *       "volume_threshold": 50
         *     }
         */
        CircuitBreakerModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Seconds to wait after the circuit trips before the upstream's health is evaluated again.
             * @default 10
             */
            tripped_duration?: number;
            /**
             * @description Seconds of the rolling window that statistics are kept for.
             * @default 10
             */
            rolling_window?: number;
            /**
             * @description Buckets that the window's metrics are kept in.
             * @default 10
             */
            num_buckets?: number;
            /**
             * @description Requests in a rolling window before the circuit can trip.
             * @default 20
             */
            volume_threshold?: number;
            /**
             * @description The share of failed requests that trips the circuit: a fraction, not percent.
             * @default 0.5
             */
            error_threshold_percentage?: number;
        };
        /** @description How the service authenticates: as a role or with a long-term key pair, exactly one of them. */
        CloudAuth: {
            role: {
                /** @description The role that the service assumes to deliver. */
                role_arn: string;
            } | null;
            creds: {
                /** @description The id of a long-term access key. */
                cloud_access_key_id: string;
                /** @description The secret of the access key. Write-only: always null here. */
                cloud_secret_access_key: string | null;
            } | null;
        };
        /**
         * @description How the service authenticates: as a role or with a long-term key pair, exactly one of them.
         * @example {
         *       "role": {
         *         "role_arn": "arn:aws:iam::123456789012:role/edge-events"
         *       }
         *     }
         */
        CloudAuthMutate: {
            role?: {
                /** @description The role that the service assumes to deliver. */
                role_arn: string;
            };
            creds?: {
                /** @description The id of a long-term access key. */
                cloud_access_key_id: string;
                /** @description The secret of the access key. Write-only. */
                cloud_secret_access_key: string;
            };
        };
        /**
         * @description The body of every error response.
         * @example {
         *       "error_code": "ERR_INVALID_REQUEST",
         *       "status_code": 400,
         *       "msg": "The request is invalid. /target/cloud_logs/auth: Set exactly one of role or creds.",
         *       "details": {
         *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "errors": [
         *         {
         *           "path": "/target/cloud_logs/auth",
         *           "msg": "Set exactly one of role or creds."
         *         }
         *       ]
         *     }
         */
        Error: {
            /**
             * @description What went wrong, for programs.
             * @enum {string}
             */
            error_code: "ERR_INVALID_REQUEST" | "ERR_UNKNOWN_REFERENCE" | "ERR_UNSUPPORTED_VERSION" | "ERR_UNAUTHENTICATED" | "ERR_FORBIDDEN" | "ERR_HTTPS_REQUIRED" | "ERR_NOT_FOUND" | "ERR_NO_SUCH_PATH" | "ERR_METHOD_NOT_ALLOWED" | "ERR_REQUEST_TIMEOUT" | "ERR_IN_USE" | "ERR_PRECONDITION_FAILED" | "ERR_TOO_LARGE" | "ERR_UNSUPPORTED_MEDIA_TYPE" | "ERR_IDEMPOTENCY_MISMATCH" | "ERR_RATE_LIMITED" | "ERR_INTERNAL" | "ERR_UNAVAILABLE";
            /** @description The response's status. */
            status_code: number;
            /** @description What went wrong, for people; of rejected members, how many and what is wrong with the first. */
            msg: string;
            /** @description More of it; always with `operation_id`, the same as in the header `Service-Operation-Id`. */
            details: {
                [key: string]: string;
            };
            /** @description The rejected members; only there for these. */
            errors?: {
                /** @description A JSON Pointer (RFC 6901) into the body, or the name of a query parameter or header. */
                path: string;
                /** @description What would be right. */
                msg: string;
            }[];
        };
        /**
         * @description Where serialized events are sent. It gets events once an event subscription refers to it.
         * @example {
         *       "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Edge events",
         *       "format": "json",
         *       "target": {
         *         "cloud_delivery_stream": null,
         *         "cloud_stream": null,
         *         "cloud_logs": null,
         *         "monitoring_vendor": {
         *           "api_key": null,
         *           "service": "edge"
         *         },
         *         "logs_ingestion": null
         *       }
         *     }
         */
        EventDestination: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /**
             * @description How events are serialized.
             * @constant
             */
            format: "json";
            target: components["schemas"]["EventTarget"];
        };
        /**
         * @example {
         *       "description": "Edge events",
         *       "target": {
         *         "monitoring_vendor": {
         *           "api_key": "<API_KEY>",
         *           "service": "edge"
         *         }
         *       }
         *     }
         */
        EventDestinationCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /**
             * @description How events are serialized.
             * @constant
             */
            format?: "json";
            target: components["schemas"]["EventTargetMutate"];
        };
        EventDestinationList: {
            event_destinations: components["schemas"]["EventDestination"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "description": "Edge events, all"
         *     }
         */
        EventDestinationUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /**
             * @description How events are serialized.
             * @constant
             */
            format?: "json";
            target?: components["schemas"]["EventTargetMutate"];
        };
        /**
         * @description Where and how events are sent: exactly one member is not null.
         * @example {
         *       "cloud_delivery_stream": null,
         *       "cloud_stream": null,
         *       "cloud_logs": {
         *         "auth": {
         *           "role": {
         *             "role_arn": "arn:aws:iam::123456789012:role/edge-events"
         *           },
         *           "creds": null
         *         },
         *         "log_group_arn": "arn:aws:logs:eu-west-1:123456789012:log-group:edge"
         *       },
         *       "monitoring_vendor": null,
         *       "logs_ingestion": null
         *     }
         */
        EventTarget: {
            cloud_delivery_stream: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The delivery stream that events are put into. */
                delivery_stream_arn: string;
            } | null;
            cloud_stream: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The stream that events are put into. */
                stream_arn: string;
            } | null;
            cloud_logs: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The log group that events are put into. */
                log_group_arn: string;
            } | null;
            monitoring_vendor: {
                /** @description The key of the monitoring vendor's API. Write-only: always null here. */
                api_key: string | null;
                /** @description Tags sent with each event. */
                tags?: string;
                /** @description The service name sent with each event. */
                service?: string;
                /** @description The vendor's site that events are sent to. */
                site?: string;
            } | null;
            logs_ingestion: {
                /** @description The tenant. */
                tenant_id: string;
                /** @description The client that the service authenticates as. */
                client_id: string;
                /** @description The client's secret. Write-only: always null here. */
                client_secret: string | null;
                /** @description The data collection endpoint. */
                logs_ingestion_uri: string;
                /** @description The immutable id of the data collection rule. */
                data_collection_rule_id: string;
                /** @description The destination stream inside the rule. */
                data_collection_stream_name: string;
            } | null;
        };
        /**
         * @description Where and how events are sent: exactly one member.
         * @example {
         *       "cloud_logs": {
         *         "auth": {
         *           "role": {
         *             "role_arn": "arn:aws:iam::123456789012:role/edge-events"
         *           }
         *         },
         *         "log_group_arn": "arn:aws:logs:eu-west-1:123456789012:log-group:edge"
         *       }
         *     }
         */
        EventTargetMutate: {
            cloud_delivery_stream?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The delivery stream that events are put into. */
                delivery_stream_arn: string;
            };
            cloud_stream?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The stream that events are put into. */
                stream_arn: string;
            };
            cloud_logs?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The log group that events are put into. */
                log_group_arn: string;
            };
            monitoring_vendor?: {
                /** @description The key of the monitoring vendor's API. Write-only. */
                api_key: string;
                /** @description Tags sent with each event. */
                tags?: string;
                /** @description The service name sent with each event. */
                service?: string;
                /** @description The vendor's site that events are sent to. */
                site?: string;
            };
            logs_ingestion?: {
                /** @description The tenant. */
                tenant_id: string;
                /** @description The client that the service authenticates as. */
                client_id: string;
                /** @description The client's secret. Write-only. */
                client_secret: string;
                /** @description The data collection endpoint. */
                logs_ingestion_uri: string;
                /** @description The immutable id of the data collection rule. */
                data_collection_rule_id: string;
                /** @description The destination stream inside the rule. */
                data_collection_stream_name: string;
            };
        };
        /**
         * @description Backends that are tried in order.
         * @example {
         *       "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "The shop, or the maintenance page",
         *       "backends": [
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        FailoverBackend: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description Ids of the child backends, in order: failover or HTTP response backends. */
            backends: string[] | null;
        };
        /**
         * @example {
         *       "description": "The shop, or the maintenance page",
         *       "backends": [
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        FailoverBackendCreate: {
            /** @description For people. */
            description?: string;
            /** @description For machines, any text. */
            metadata?: string;
            /** @description Ids of the child backends, in order: failover or HTTP response backends. */
            backends?: string[];
        };
        FailoverBackendList: {
            backends: components["schemas"]["FailoverBackend"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "backends": [
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        FailoverBackendUpdate: {
            /** @description For people. */
            description?: string;
            /** @description For machines, any text. */
            metadata?: string;
            /** @description Ids of the child backends, in order: failover or HTTP response backends. */
            backends?: string[];
        };
        /**
         * @example {
         *       "status": "ok"
         *     }
         */
        Health: {
            /** @constant */
            status: "ok";
        };
        /**
         * @description A fixed answer.
         * @example {
         *       "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "body": "Back in a minute",
         *       "headers": {
         *         "content-type": "text/plain"
         *       },
         *       "status_code": 503
         *     }
         */
        HttpResponseBackend: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description What is answered. Left out while it is empty. */
            body?: string;
            /** @description Headers of the answer; names in lower case. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description Status of the answer. */
            status_code: number;
        };
        /**
         * @example {
         *       "body": "Back in a minute",
         *       "headers": {
         *         "Content-Type": "text/plain"
         *       },
         *       "status_code": 503
         *     }
         */
        HttpResponseBackendCreate: {
            /** @description For people. */
            description?: string;
            /** @description For machines, any text. */
            metadata?: string;
            /** @description What is answered. */
            body?: string;
            /** @description Headers of the answer; no name twice, in whatever case. */
            headers?: {
                [key: string]: string;
            };
            /** @description Status of the answer; 200 when left out on creation. */
            status_code?: number;
        };
        HttpResponseBackendList: {
            backends: components["schemas"]["HttpResponseBackend"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "body": "Back in an hour"
         *     }
         */
        HttpResponseBackendUpdate: {
            /** @description For people. */
            description?: string;
            /** @description For machines, any text. */
            metadata?: string;
            /** @description What is answered. */
            body?: string;
            /** @description Headers of the answer; no name twice, in whatever case. */
            headers?: {
                [key: string]: string;
            };
            /** @description Status of the answer; 200 when left out on creation. */
            status_code?: number;
        };
        /**
         * @description A set of rules about source IPs, in no order. It applies to traffic where an IP restriction refers to it.
         * @example {
         *       "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Lisbon office"
         *     }
         */
        IpPolicy: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
        };
        /**
         * @example {
         *       "description": "Lisbon office"
         *     }
         */
        IpPolicyCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
        };
        IpPolicyList: {
            ip_policies: components["schemas"]["IpPolicy"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @description Allows or denies traffic from a range of source IPs. A deny outweighs every allow.
         * @example {
         *       "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "cidr": "198.51.100.0/24",
         *       "ip_policy": {
         *         "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "action": "allow"
         *     }
         */
        IpPolicyRule: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation; it matches sources of its own family only. In canonical form. */
            cidr: string;
            /** @description The policy that the rule belongs to. */
            ip_policy: components["schemas"]["Ref"];
            /**
             * @description Whether sources in the range are let in. One `deny` outweighs every `allow`, whichever policies the rules belong to.
             * @enum {string}
             */
            action: "allow" | "deny";
        };
        /**
         * @example {
         *       "cidr": "198.51.100.0/24",
         *       "ip_policy_id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "action": "allow"
         *     }
         */
        IpPolicyRuleCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation; it matches sources of its own family only. Without host bits. */
            cidr: string;
            /** @description The policy that the rule belongs to, for life. */
            ip_policy_id: string;
            /**
             * @description Whether sources in the range are let in. One `deny` outweighs every `allow`, whichever policies the rules belong to. Fixed for life.
             * @enum {string}
             */
            action: "allow" | "deny";
        };
        IpPolicyRuleList: {
            ip_policy_rules: components["schemas"]["IpPolicyRule"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "cidr": "2001:db8:42::/48"
         *     }
         */
        IpPolicyRuleUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation; it matches sources of its own family only. Without host bits. */
            cidr?: string;
        };
        /**
         * @example {
         *       "description": "Lisbon and Porto offices"
         *     }
         */
        IpPolicyUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
        };
        /**
         * @description Which sources are let in: those that match at least one `allow` rule and no `deny` rule. The rules of all its policies count as one set, whose order means nothing; a source that matches no rule is refused. So an enabled restriction with no policies, or with deleted or empty ones only, lets nobody in. A deleted policy counts as one without rules: deleting the one that held the `deny` rules lets in what they refused and another policy allows.
         * @example {
         *       "enabled": true,
         *       "ip_policies": [
         *         {
         *           "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       ]
         *     }
         */
        IpRestrictionModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            ip_policies: components["schemas"]["Ref"][] | null;
        };
        /**
         * @description Which sources are let in: those that match at least one `allow` rule and no `deny` rule. The rules of all its policies count as one set, whose order means nothing; a source that matches no rule is refused. So an enabled restriction with no policies, or with deleted or empty ones only, lets nobody in. A deleted policy counts as one without rules: deleting the one that held the `deny` rules lets in what they refused and another policy allows.
         * @example {
         *       "ip_policy_ids": [
         *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        IpRestrictionModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /** @description The IP policies whose rules count, all together; their order means nothing. */
            ip_policy_ids?: string[];
        };
        /**
         * @description The authorities that a client's certificate is checked against.
         * @example {
         *       "enabled": true,
         *       "certificate_authorities": [
         *         {
         *           "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       ]
         *     }
         */
        MutualTlsModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            certificate_authorities: components["schemas"]["Ref"][] | null;
        };
        /**
         * @description Mutual TLS. While enabled, it excludes `terminate_at: upstream`.
         * @example {
         *       "certificate_authority_ids": [
         *         "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        MutualTlsModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /** @description The authorities that a client's certificate is checked against. */
            certificate_authority_ids?: string[];
        };
        OpenApi: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A reference to another object. */
        Ref: {
            /** @description Identifier of the object referred to. */
            id: string;
            /** @description Where that object is. */
            uri: string;
        };
        /**
         * @description Headers added to and removed from a request before it goes upstream.
         * @example {
         *       "enabled": true,
         *       "add": {
         *         "X-Edge": "eu-west"
         *       },
         *       "remove": [
         *         "X-Debug"
         *       ]
         *     }
         */
        RequestHeadersModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description Header names and the values that are injected; no name twice, in whatever case. */
            add: {
                [key: string]: string;
            } | null;
            /** @description Header names that are removed. */
            remove: string[] | null;
        };
        /**
         * @description Headers added to and removed from a request before it goes upstream.
         * @example {
         *       "add": {
         *         "X-Edge": "eu-west"
         *       },
         *       "remove": [
         *         "X-Debug"
         *       ]
         *     }
         */
        RequestHeadersModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /** @description Header names and the values that are injected; no name twice, in whatever case. */
            add?: {
                [key: string]: string;
            };
            /** @description Header names that are removed. */
            remove?: string[];
        };
        /** @example {} */
        ResealRequest: {
            /** @description Where the last answer stopped (`next_before_id`); the newest destination when left out. */
            before_id?: string;
        };
        /**
         * @example {
         *       "looked_at": 10,
         *       "resealed": 4,
         *       "unopened": [],
         *       "unwritten": [],
         *       "next_before_id": null
         *     }
         */
        ResealResponse: {
            /** @description Destinations that were looked at. */
            looked_at: number;
            /** @description Destinations whose secrets were moved to the first key. */
            resealed: number;
            /** @description Ids of destinations with a secret that no key of the ring opens. */
            unopened: string[];
            /** @description Ids of destinations that were changed meanwhile: look at them again. */
            unwritten: string[];
            /** @description Send it as `before_id` to go on; null when all is done. */
            next_before_id: string | null;
        };
        /**
         * @description An entry point of TCP traffic.
         * @example {
         *       "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "backend": {
         *         "enabled": true,
         *         "backend": {
         *           "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       },
         *       "ip_restriction": {
         *         "enabled": true,
         *         "ip_policies": [
         *           {
         *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *           }
         *         ]
         *       },
         *       "traffic_policy": null,
         *       "policy": null
         *     }
         */
        TcpEdge: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports: string[] | null;
            backend: components["schemas"]["BackendModule"] | null;
            ip_restriction: components["schemas"]["IpRestrictionModule"] | null;
            traffic_policy: components["schemas"]["TrafficPolicyModule"] | null;
            /** @description Always null. */
            policy: string | null;
        };
        /**
         * @example {
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "backend": {
         *         "backend_id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "ip_restriction": {
         *         "ip_policy_ids": [
         *           "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         ]
         *       }
         *     }
         */
        TcpEdgeCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
        };
        TcpEdgeList: {
            tcp_edges: components["schemas"]["TcpEdge"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "traffic_policy": {
         *         "value": "{\"on_tcp_connect\":[]}"
         *       }
         *     }
         */
        TcpEdgeUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
        };
        /**
         * @description An entry point of TLS traffic.
         * @example {
         *       "id": "edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/edges/tls/edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "backend": {
         *         "enabled": true,
         *         "backend": {
         *           "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       },
         *       "ip_restriction": {
         *         "enabled": true,
         *         "ip_policies": [
         *           {
         *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *           }
         *         ]
         *       },
         *       "traffic_policy": null,
         *       "policy": null,
         *       "mutual_tls": null,
         *       "tls_termination": {
         *         "enabled": true,
         *         "terminate_at": "edge",
         *         "min_version": "1.3"
         *       }
         *     }
         */
        TlsEdge: {
            /** @description Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time. */
            id: string;
            /** @description Where the object is. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created: RFC 3339, UTC, whole seconds.
             */
            created_at: string;
            /** @description For people. Left out while it is not set. */
            description?: string;
            /** @description For machines. Left out while it is not set. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports: string[] | null;
            backend: components["schemas"]["BackendModule"] | null;
            ip_restriction: components["schemas"]["IpRestrictionModule"] | null;
            traffic_policy: components["schemas"]["TrafficPolicyModule"] | null;
            /** @description Always null. */
            policy: string | null;
            mutual_tls: components["schemas"]["MutualTlsModule"] | null;
            tls_termination: components["schemas"]["TlsTerminationModule"] | null;
        };
        /**
         * @example {
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "backend": {
         *         "backend_id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "ip_restriction": {
         *         "ip_policy_ids": [
         *           "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         ]
         *       },
         *       "tls_termination": {
         *         "min_version": "1.3"
         *       }
         *     }
         */
        TlsEdgeCreate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["TlsTerminationModuleMutate"];
        };
        TlsEdgeList: {
            tls_edges: components["schemas"]["TlsEdge"][];
            /** @description Where the list is. */
            uri: string;
            /** @description Where its next page is, however few objects this one holds; null when there is none. */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "tls_termination": {
         *         "terminate_at": "upstream"
         *       }
         *     }
         */
        TlsEdgeUpdate: {
            /** @description For people; at most 255 bytes of UTF-8. */
            description?: string;
            /** @description For machines, any text; at most 4096 bytes of UTF-8. */
            metadata?: string;
            /** @description Where the edge is served: `host:port`, with a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["TlsTerminationModuleMutate"];
        };
        /**
         * @description Where TLS ends.
         * @example {
         *       "enabled": true,
         *       "terminate_at": "edge",
         *       "min_version": "1.3"
         *     }
         */
        TlsTerminationModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /**
             * @description Where TLS ends: at the service's edge, or at the upstream, to which it passes through.
             * @enum {string}
             */
            terminate_at: "edge" | "upstream";
            /** @description The lowest TLS version; null means the service's default, 1.2. Must be null when `terminate_at` is `upstream`. */
            min_version: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description Where TLS ends.
         * @example {
         *       "terminate_at": "edge",
         *       "min_version": "1.3"
         *     }
         */
        TlsTerminationModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Where TLS ends: at the service's edge, or at the upstream, to which it passes through.
             * @default edge
             * @enum {string}
             */
            terminate_at?: "edge" | "upstream";
            /** @description The lowest TLS version; null means the service's default, 1.2. Must be null when `terminate_at` is `upstream`. */
            min_version?: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description The traffic policy that is applied on an endpoint.
         * @example {
         *       "enabled": true,
         *       "value": "{\"on_tcp_connect\":[]}"
         *     }
         */
        TrafficPolicyModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description The policy, as it was given. */
            value: string;
        };
        /**
         * @description The traffic policy that is applied on an endpoint.
         * @example {
         *       "value": "{\"on_tcp_connect\":[]}"
         *     }
         */
        TrafficPolicyModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
            /** @description The policy; its text is not interpreted here. */
            value: string;
        };
        /**
         * @description Turns a websocket's binary frames into a TCP stream.
         * @example {
         *       "enabled": true
         *     }
         */
        WebsocketTcpConverterModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
        };
        /**
         * @description Turns a websocket's binary frames into a TCP stream.
         * @example {
         *       "enabled": true
         *     }
         */
        WebsocketTcpConverterModuleMutate: {
            /**
             * @description Whether the module is applied to traffic.
             * @default true
             */
            enabled?: boolean;
        };
    };
    responses: {
        /** @description The caller has the current state; there is no body. */
        NotModified: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                ETag: components["headers"]["ETag"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The caller has the current document; there is no body. */
        DocumentNotModified: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `ERR_FORBIDDEN`: The role of the API key does not allow the operation, or a bot user's key tried to create a key for another owner. `ERR_HTTPS_REQUIRED`: The request was sent over plain HTTP. */
        ForbiddenOrHttpsRequired: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_FORBIDDEN",
                 *       "status_code": 403,
                 *       "msg": "The role of the API key does not allow the operation, or a bot user's key tried to create a key for another owner.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_FORBIDDEN" | "ERR_HTTPS_REQUIRED";
                    /** @constant */
                    status_code?: 403;
                };
            };
        };
        /** @description `ERR_HTTPS_REQUIRED`: The request was sent over plain HTTP. */
        HttpsRequired: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_HTTPS_REQUIRED",
                 *       "status_code": 403,
                 *       "msg": "The request was sent over plain HTTP.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_HTTPS_REQUIRED";
                    /** @constant */
                    status_code?: 403;
                };
            };
        };
        /** @description `ERR_IDEMPOTENCY_MISMATCH`: The `Idempotency-Key` was used for a different request within the last 24 hours. */
        IdempotencyMismatch: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_IDEMPOTENCY_MISMATCH",
                 *       "status_code": 422,
                 *       "msg": "The `Idempotency-Key` was used for a different request within the last 24 hours.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_IDEMPOTENCY_MISMATCH";
                    /** @constant */
                    status_code?: 422;
                };
            };
        };
        /** @description `ERR_IN_USE`: The backend cannot be deleted because edges or failover backends use it. */
        InUse: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_IN_USE",
                 *       "status_code": 409,
                 *       "msg": "The backend cannot be deleted because edges or failover backends use it.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_IN_USE";
                    /** @constant */
                    status_code?: 409;
                };
            };
        };
        /** @description `ERR_INTERNAL`: The service failed unexpectedly. The cause is in its log. */
        Internal: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_INTERNAL",
                 *       "status_code": 500,
                 *       "msg": "The service failed unexpectedly. The cause is in its log.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_INTERNAL";
                    /** @constant */
                    status_code?: 500;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing. */
        InvalidRequest: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_INVALID_REQUEST",
                 *       "status_code": 400,
                 *       "msg": "The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_INVALID_REQUEST";
                    /** @constant */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing. `ERR_UNSUPPORTED_VERSION`: The `Service-Version` header is missing or names an unsupported version. */
        InvalidRequestOrUnsupportedVersion: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_INVALID_REQUEST",
                 *       "status_code": 400,
                 *       "msg": "The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_INVALID_REQUEST" | "ERR_UNSUPPORTED_VERSION";
                    /** @constant */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing. `ERR_UNSUPPORTED_VERSION`: The `Service-Version` header is missing or names an unsupported version. `ERR_UNKNOWN_REFERENCE`: The body refers to objects that do not exist. */
        InvalidRequestOrUnsupportedVersionOrUnknownReference: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_INVALID_REQUEST",
                 *       "status_code": 400,
                 *       "msg": "The body is not a JSON object, or a member, query parameter or header is invalid, unknown or missing.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_INVALID_REQUEST" | "ERR_UNSUPPORTED_VERSION" | "ERR_UNKNOWN_REFERENCE";
                    /** @constant */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_NOT_FOUND`: There is no object with this id, or the module is not set. */
        NotFound: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_NOT_FOUND",
                 *       "status_code": 404,
                 *       "msg": "There is no object with this id, or the module is not set.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_NOT_FOUND";
                    /** @constant */
                    status_code?: 404;
                };
            };
        };
        /** @description `ERR_PRECONDITION_FAILED`: The condition in `If-Match` or `If-None-Match` is not met. */
        PreconditionFailed: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_PRECONDITION_FAILED",
                 *       "status_code": 412,
                 *       "msg": "The condition in `If-Match` or `If-None-Match` is not met.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_PRECONDITION_FAILED";
                    /** @constant */
                    status_code?: 412;
                };
            };
        };
        /** @description `ERR_RATE_LIMITED`: Too many requests with this API key, or too many without a valid key from this client address. */
        RateLimited: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_RATE_LIMITED",
                 *       "status_code": 429,
                 *       "msg": "Too many requests with this API key, or too many without a valid key from this client address.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_RATE_LIMITED";
                    /** @constant */
                    status_code?: 429;
                };
            };
        };
        /** @description `ERR_REQUEST_TIMEOUT`: The body did not arrive in time. */
        RequestTimeout: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_REQUEST_TIMEOUT",
                 *       "status_code": 408,
                 *       "msg": "The body did not arrive in time.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_REQUEST_TIMEOUT";
                    /** @constant */
                    status_code?: 408;
                };
            };
        };
        /** @description `ERR_TOO_LARGE`: The body exceeds 1 MiB, or the object, or the response to be stored for an `Idempotency-Key`, would exceed 1.9 MB. */
        TooLarge: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_TOO_LARGE",
                 *       "status_code": 413,
                 *       "msg": "The body exceeds 1 MiB, or the object, or the response to be stored for an `Idempotency-Key`, would exceed 1.9 MB.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_TOO_LARGE";
                    /** @constant */
                    status_code?: 413;
                };
            };
        };
        /** @description `ERR_UNAUTHENTICATED`: The API key is missing, malformed, unknown, expired or revoked, or its bot user is inactive. */
        Unauthenticated: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_UNAUTHENTICATED",
                 *       "status_code": 401,
                 *       "msg": "The API key is missing, malformed, unknown, expired or revoked, or its bot user is inactive.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_UNAUTHENTICATED";
                    /** @constant */
                    status_code?: 401;
                };
            };
        };
        /** @description `ERR_UNAVAILABLE`: The database is unavailable, the service is not fully configured, or concurrent requests changed related objects twice. */
        Unavailable: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_UNAVAILABLE",
                 *       "status_code": 503,
                 *       "msg": "The database is unavailable, the service is not fully configured, or concurrent requests changed related objects twice.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_UNAVAILABLE";
                    /** @constant */
                    status_code?: 503;
                };
            };
        };
        /** @description `ERR_UNSUPPORTED_MEDIA_TYPE`: The body was sent without `Content-Type: application/json`. */
        UnsupportedMediaType: {
            headers: {
                "Service-Operation-Id": components["headers"]["OperationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error_code": "ERR_UNSUPPORTED_MEDIA_TYPE",
                 *       "status_code": 415,
                 *       "msg": "The body was sent without `Content-Type: application/json`.",
                 *       "details": {
                 *         "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error_code?: "ERR_UNSUPPORTED_MEDIA_TYPE";
                    /** @constant */
                    status_code?: 415;
                };
            };
        };
    };
    parameters: {
        /** @description The version of the API that the request is written for. */
        ServiceVersion: "2";
        /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
        ServiceBookmark: string;
        /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
        IdempotencyKey: string;
        /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
        IfMatch: string;
        /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this state of the resource (RFC 9110). */
        ETag: string;
        /** @description Where the created object is: its `uri`. */
        Location: string;
        /** @description How fresh the answer is. Send it along with a later request that must see at least the same. */
        ServiceBookmark: string;
        /** @description There when this is the answer of an earlier request with the same `Idempotency-Key`. */
        IdempotentReplayed: "true";
        /** @description Names the handled request; quote it when you ask for help. */
        OperationId: string;
        /** @description Seconds to wait before the request is tried again. */
        RetryAfter: number;
        /** @description How to authenticate (RFC 9110). */
        Authenticate: "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    HealthGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["HttpsRequired"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    OpenApiGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
            304: components["responses"]["DocumentNotModified"];
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["HttpsRequired"];
            500: components["responses"]["Internal"];
        };
    };
    TcpEdgesList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TcpEdgeList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TcpEdgeCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TcpEdge"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TcpEdge"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TcpEdgeUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TcpEdge"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesBackendModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackendModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesBackendModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackendModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackendModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesBackendModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesIpRestrictionModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpRestrictionModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesIpRestrictionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpRestrictionModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpRestrictionModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesIpRestrictionModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesTrafficPolicyModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficPolicyModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesTrafficPolicyModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrafficPolicyModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficPolicyModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesTrafficPolicyModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TCP edge's id.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsEdgeList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TlsEdgeCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsEdge"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsEdge"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TlsEdgeUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsEdge"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesBackendModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackendModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesBackendModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackendModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackendModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesBackendModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesIpRestrictionModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpRestrictionModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesIpRestrictionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpRestrictionModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpRestrictionModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesIpRestrictionModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesMutualTlsModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MutualTlsModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesMutualTlsModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MutualTlsModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MutualTlsModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesMutualTlsModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTlsTerminationModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsTerminationModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTlsTerminationModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TlsTerminationModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsTerminationModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTlsTerminationModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTrafficPolicyModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficPolicyModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTrafficPolicyModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrafficPolicyModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficPolicyModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesTrafficPolicyModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The TLS edge's id.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgesMutualTlsModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MutualTlsModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgesMutualTlsModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MutualTlsModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MutualTlsModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgesMutualTlsModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesCircuitBreakerModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircuitBreakerModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesCircuitBreakerModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CircuitBreakerModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircuitBreakerModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesCircuitBreakerModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesRequestHeadersModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestHeadersModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesRequestHeadersModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestHeadersModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestHeadersModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesRequestHeadersModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesWebsocketTcpConverterModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebsocketTcpConverterModule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesWebsocketTcpConverterModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebsocketTcpConverterModuleMutate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebsocketTcpConverterModule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesWebsocketTcpConverterModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTPS edge's id.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description The HTTPS edge route's id.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicyList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpPolicyCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy's id.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicy"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy's id.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy's id.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpPolicyUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPolicyRulesList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicyRuleList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPolicyRulesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpPolicyRuleCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicyRule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPolicyRulesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy rule's id.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicyRule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPolicyRulesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy rule's id.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPolicyRulesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The IP policy rule's id.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IpPolicyRuleUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpPolicyRule"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailoverBackendList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailoverBackendCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailoverBackend"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The failover backend's id.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailoverBackend"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The failover backend's id.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InUse"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The failover backend's id.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailoverBackendUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailoverBackend"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpResponseBackendsList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpResponseBackendList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpResponseBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpResponseBackendCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpResponseBackend"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpResponseBackendsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTP response backend's id.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpResponseBackend"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpResponseBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTP response backend's id.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InUse"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpResponseBackendsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The HTTP response backend's id.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpResponseBackendUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpResponseBackend"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    BotUsersList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotUserList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    BotUsersCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotUserCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotUser"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    BotUsersGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The bot user's id.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotUser"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    BotUsersDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The bot user's id.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    BotUsersUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The bot user's id.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotUserUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotUser"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDestinationList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventDestinationCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDestination"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The event destination's id.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDestination"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The event destination's id.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The event destination's id.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventDestinationUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDestination"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysList: {
        parameters: {
            query?: {
                /** @description The most objects that a page holds; 100 when left out. It may hold fewer, and `next_page_uri` leads on: a page ends at about 4 MB. */
                limit?: number;
                /** @description Lists what was created before this object, which need not exist any more. */
                before_id?: string;
            };
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description Created; the body shows what was made. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The API key's id.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The API key's id.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The API key's id.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    SealedSecretsReseal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the API that the request is written for. */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResealRequest"];
            };
        };
        responses: {
            /** @description Done; the body shows what is now. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["OperationId"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResealResponse"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
