// Made from openapi.json by `npm run contract`. Stricter than the service: a member that may be left out is not null
// here. Looser in one point: Service-Version may be left out of a call, as the client is to send it with all of them.

export interface paths {
    "/ip_policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List IP policies
         * @description Lists IP policies, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["IpPoliciesList"];
        put?: never;
        /**
         * Create an IP policy
         * @description Creates an IP policy and returns it. Use it as a firewall, an allowlist or a blocklist: add rules to it, then refer to it in the `ip_restriction` of an edge or a route. Requires the role `editor`.
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
         * @description Returns an IP policy. Requires the role `viewer`.
         */
        get: operations["IpPoliciesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an IP policy
         * @description Deletes an IP policy. Its rules are deleted too. Edges that refer to it keep the reference, and treat it as a policy without rules. A source that was blocked only by its `deny` rules is then allowed if another policy allows it. Requires the role `editor`.
         */
        delete: operations["IpPoliciesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an IP policy
         * @description Changes the fields given in the body, keeps the others, and returns the IP policy. Requires the role `editor`.
         */
        patch: operations["IpPoliciesUpdate"];
        trace?: never;
    };
    "/ip_policies/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Test an address against an IP policy
         * @description Returns whether an IP restriction with only this policy would allow an IP address, and the rules that decide it. Requires the role `viewer`.
         */
        get: operations["IpPoliciesAccessGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip_policies/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of an IP policy
         * @description Lists the objects that refer to an IP policy, by descending id: TCP edges, TLS edges, HTTPS edge routes. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["IpPoliciesUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip_policies/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the rules of an IP policy
         * @description Replaces all rules of an IP policy with the given ones, for example to import a list of addresses. A rule with the same CIDR and action is kept, and gets the given description, metadata and expiry. Other rules are created or deleted. If any rule changes, the policy gets a new version. Requires the role `editor`.
         */
        put: operations["IpPoliciesReplaceRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Lists IP policy rules, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `ip_policy_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["IpPolicyRulesList"];
        put?: never;
        /**
         * Create an IP policy rule
         * @description Creates an IP policy rule and returns it. Use `deny` to block an IP address or a network, and `allow` to admit it. Requires the role `editor`.
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
         * @description Returns an IP policy rule. Requires the role `viewer`.
         */
        get: operations["IpPolicyRulesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an IP policy rule
         * @description Deletes an IP policy rule. Sources that only this rule matched are then decided by the policy's other rules. Requires the role `editor`.
         */
        delete: operations["IpPolicyRulesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an IP policy rule
         * @description Changes the fields given in the body, keeps the others, and returns the IP policy rule. Requires the role `editor`.
         */
        patch: operations["IpPolicyRulesUpdate"];
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
         * @description Lists HTTP response backends, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["HttpResponseBackendsList"];
        put?: never;
        /**
         * Create an HTTP response backend
         * @description Creates an HTTP response backend and returns it. Use it for a maintenance page, an error page or a redirect. Requires the role `editor`.
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
         * @description Returns an HTTP response backend. Requires the role `viewer`.
         */
        get: operations["HttpResponseBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTP response backend
         * @description Deletes an HTTP response backend. Fails with 409 while an edge or another backend uses it. Requires the role `editor`.
         */
        delete: operations["HttpResponseBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update an HTTP response backend
         * @description Changes the fields given in the body, keeps the others, and returns the HTTP response backend. Requires the role `editor`.
         */
        patch: operations["HttpResponseBackendsUpdate"];
        trace?: never;
    };
    "/backends/http_response/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of an HTTP response backend
         * @description Lists the objects that refer to an HTTP response backend, by descending id: TCP edges, TLS edges, HTTPS edge routes, failover backends, weighted backends. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["HttpResponseBackendsUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/static": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List static backends
         * @description Lists static backends, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["StaticBackendsList"];
        put?: never;
        /**
         * Create a static backend
         * @description Creates a static backend and returns it. Use it for an upstream server, also called an origin. Requires the role `editor`.
         */
        post: operations["StaticBackendsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/static/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a static backend
         * @description Returns a static backend. Requires the role `viewer`.
         */
        get: operations["StaticBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete a static backend
         * @description Deletes a static backend. Fails with 409 while an edge or another backend uses it. Requires the role `editor`.
         */
        delete: operations["StaticBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update a static backend
         * @description Changes the fields given in the body, keeps the others, and returns the static backend. Requires the role `editor`.
         */
        patch: operations["StaticBackendsUpdate"];
        trace?: never;
    };
    "/backends/static/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a static backend
         * @description Lists the objects that refer to a static backend, by descending id: TCP edges, TLS edges, HTTPS edge routes, failover backends, weighted backends. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["StaticBackendsUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/weighted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List weighted backends
         * @description Lists weighted backends, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `backend_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["WeightedBackendsList"];
        put?: never;
        /**
         * Create a weighted backend
         * @description Creates a weighted backend and returns it. Use it for load balancing, or for a canary release. Requires the role `editor`.
         */
        post: operations["WeightedBackendsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backends/weighted/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a weighted backend
         * @description Returns a weighted backend. Requires the role `viewer`.
         */
        get: operations["WeightedBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete a weighted backend
         * @description Deletes a weighted backend. Fails with 409 while an edge or another backend uses it. Requires the role `editor`.
         */
        delete: operations["WeightedBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update a weighted backend
         * @description Changes the fields given in the body, keeps the others, and returns the weighted backend. Requires the role `editor`.
         */
        patch: operations["WeightedBackendsUpdate"];
        trace?: never;
    };
    "/backends/weighted/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a weighted backend
         * @description Lists the objects that refer to a weighted backend, by descending id: TCP edges, TLS edges, HTTPS edge routes, failover backends. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["WeightedBackendsUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Lists failover backends, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `backend_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["FailoverBackendsList"];
        put?: never;
        /**
         * Create a failover backend
         * @description Creates a failover backend and returns it. Use it for high availability: when one backend is down, the next one takes over. Requires the role `editor`.
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
         * @description Returns a failover backend. Requires the role `viewer`.
         */
        get: operations["FailoverBackendsGet"];
        put?: never;
        post?: never;
        /**
         * Delete a failover backend
         * @description Deletes a failover backend. Fails with 409 while an edge or another backend uses it. Requires the role `editor`.
         */
        delete: operations["FailoverBackendsDelete"];
        options?: never;
        head?: never;
        /**
         * Update a failover backend
         * @description Changes the fields given in the body, keeps the others, and returns the failover backend. Requires the role `editor`.
         */
        patch: operations["FailoverBackendsUpdate"];
        trace?: never;
    };
    "/backends/failover/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a failover backend
         * @description Lists the objects that refer to a failover backend, by descending id: TCP edges, TLS edges, HTTPS edge routes, failover backends. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["FailoverBackendsUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certificate_authorities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List certificate authorities
         * @description Lists certificate authorities, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["CertificateAuthoritiesList"];
        put?: never;
        /**
         * Create a certificate authority
         * @description Creates a certificate authority and returns it. Use it to verify client certificates. Requires the role `editor`.
         */
        post: operations["CertificateAuthoritiesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certificate_authorities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a certificate authority
         * @description Returns a certificate authority. Requires the role `viewer`.
         */
        get: operations["CertificateAuthoritiesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a certificate authority
         * @description Deletes a certificate authority. Fails with 409 while a `mutual_tls` module refers to it. Requires the role `editor`.
         */
        delete: operations["CertificateAuthoritiesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a certificate authority
         * @description Changes the fields given in the body, keeps the others, and returns the certificate authority. Requires the role `editor`.
         */
        patch: operations["CertificateAuthoritiesUpdate"];
        trace?: never;
    };
    "/certificate_authorities/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a certificate authority
         * @description Lists the objects that refer to a certificate authority, by descending id: TLS edges, HTTPS edges. Disabled modules are included, and so are edges and routes that are managed elsewhere. Requires the role `viewer`.
         */
        get: operations["CertificateAuthoritiesUsedByList"];
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
         * @description Lists TCP edges, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `hostport`, `backend_id`, `ip_policy_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["TcpEdgesList"];
        put?: never;
        /**
         * Create a TCP edge
         * @description Creates a TCP edge and returns it. Use it to forward a port, for example for SSH or a database. Requires the role `editor`.
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
         * @description Returns a TCP edge. Requires the role `viewer`.
         */
        get: operations["TcpEdgesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a TCP edge
         * @description Deletes a TCP edge. Requires the role `editor`.
         */
        delete: operations["TcpEdgesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a TCP edge
         * @description Changes the fields given in the body, keeps the others, and returns the TCP edge. Requires the role `editor`.
         */
        patch: operations["TcpEdgesUpdate"];
        trace?: never;
    };
    "/edges/tcp/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Test an address against a TCP edge
         * @description Returns whether the IP restriction of a TCP edge allows an IP address, and the rules that decide it. Only the address of the connection counts, never a header. A test takes a lookup for each policy and each network that contains the address: if that is more than 100000 lookups, the response is 400. Requires the role `viewer`.
         */
        get: operations["TcpEdgesAccessGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns the backend module of a TCP edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TcpEdgesBackendModuleGet"];
        /**
         * Replace the backend module of a TCP edge
         * @description Sets the backend module of a TCP edge, replacing any previous value as a whole, and returns it. The backend that receives the traffic of the edge. Requires the role `editor`.
         */
        put: operations["TcpEdgesBackendModuleReplace"];
        post?: never;
        /**
         * Delete the backend module of a TCP edge
         * @description Removes the backend module of a TCP edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the IP restriction module of a TCP edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TcpEdgesIpRestrictionModuleGet"];
        /**
         * Replace the IP restriction module of a TCP edge
         * @description Sets the IP restriction module of a TCP edge, replacing any previous value as a whole, and returns it. Restricts who may connect, by source IP address. Requires the role `editor`.
         */
        put: operations["TcpEdgesIpRestrictionModuleReplace"];
        post?: never;
        /**
         * Delete the IP restriction module of a TCP edge
         * @description Removes the IP restriction module of a TCP edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the traffic policy module of a TCP edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TcpEdgesTrafficPolicyModuleGet"];
        /**
         * Replace the traffic policy module of a TCP edge
         * @description Sets the traffic policy module of a TCP edge, replacing any previous value as a whole, and returns it. The traffic policy to apply at the endpoint. Requires the role `editor`.
         */
        put: operations["TcpEdgesTrafficPolicyModuleReplace"];
        post?: never;
        /**
         * Delete the traffic policy module of a TCP edge
         * @description Removes the traffic policy module of a TCP edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Lists TLS edges, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `certificate_authority_id`, `hostport`, `backend_id`, `ip_policy_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["TlsEdgesList"];
        put?: never;
        /**
         * Create a TLS edge
         * @description Creates a TLS edge and returns it. Use it for TLS (SSL) traffic that is not HTTP, or to pass TLS through to an upstream server. Requires the role `editor`.
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
         * @description Returns a TLS edge. Requires the role `viewer`.
         */
        get: operations["TlsEdgesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a TLS edge
         * @description Deletes a TLS edge. Requires the role `editor`.
         */
        delete: operations["TlsEdgesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a TLS edge
         * @description Changes the fields given in the body, keeps the others, and returns the TLS edge. Requires the role `editor`.
         */
        patch: operations["TlsEdgesUpdate"];
        trace?: never;
    };
    "/edges/tls/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Test an address against a TLS edge
         * @description Returns whether the IP restriction of a TLS edge allows an IP address, and the rules that decide it. Only the address of the connection counts, never a header. A test takes a lookup for each policy and each network that contains the address: if that is more than 100000 lookups, the response is 400. Requires the role `viewer`.
         */
        get: operations["TlsEdgesAccessGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns the backend module of a TLS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TlsEdgesBackendModuleGet"];
        /**
         * Replace the backend module of a TLS edge
         * @description Sets the backend module of a TLS edge, replacing any previous value as a whole, and returns it. The backend that receives the traffic of the edge. Requires the role `editor`.
         */
        put: operations["TlsEdgesBackendModuleReplace"];
        post?: never;
        /**
         * Delete the backend module of a TLS edge
         * @description Removes the backend module of a TLS edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the IP restriction module of a TLS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TlsEdgesIpRestrictionModuleGet"];
        /**
         * Replace the IP restriction module of a TLS edge
         * @description Sets the IP restriction module of a TLS edge, replacing any previous value as a whole, and returns it. Restricts who may connect, by source IP address. Requires the role `editor`.
         */
        put: operations["TlsEdgesIpRestrictionModuleReplace"];
        post?: never;
        /**
         * Delete the IP restriction module of a TLS edge
         * @description Removes the IP restriction module of a TLS edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the mutual TLS module of a TLS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TlsEdgesMutualTlsModuleGet"];
        /**
         * Replace the mutual TLS module of a TLS edge
         * @description Sets the mutual TLS module of a TLS edge, replacing any previous value as a whole, and returns it. Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`. Requires the role `editor`.
         */
        put: operations["TlsEdgesMutualTlsModuleReplace"];
        post?: never;
        /**
         * Delete the mutual TLS module of a TLS edge
         * @description Removes the mutual TLS module of a TLS edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the TLS termination module of a TLS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TlsEdgesTlsTerminationModuleGet"];
        /**
         * Replace the TLS termination module of a TLS edge
         * @description Sets the TLS termination module of a TLS edge, replacing any previous value as a whole, and returns it. Where TLS is terminated, and the minimum TLS version. Requires the role `editor`.
         */
        put: operations["TlsEdgesTlsTerminationModuleReplace"];
        post?: never;
        /**
         * Delete the TLS termination module of a TLS edge
         * @description Removes the TLS termination module of a TLS edge. Succeeds even if it is not set. Requires the role `editor`.
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
         * @description Returns the traffic policy module of a TLS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["TlsEdgesTrafficPolicyModuleGet"];
        /**
         * Replace the traffic policy module of a TLS edge
         * @description Sets the traffic policy module of a TLS edge, replacing any previous value as a whole, and returns it. The traffic policy to apply at the endpoint. Requires the role `editor`.
         */
        put: operations["TlsEdgesTrafficPolicyModuleReplace"];
        post?: never;
        /**
         * Delete the traffic policy module of a TLS edge
         * @description Removes the traffic policy module of a TLS edge. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["TlsEdgesTrafficPolicyModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List HTTPS edges
         * @description Lists HTTPS edges, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `hostport`, `certificate_authority_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["HttpsEdgesList"];
        put?: never;
        /**
         * Create an HTTPS edge
         * @description Creates an HTTPS edge and returns it. Use it to publish a website or an HTTP API: set its domains in `hostports`, then add routes. Requires the role `editor`.
         */
        post: operations["HttpsEdgesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HTTPS edge
         * @description Returns an HTTPS edge. Requires the role `viewer`.
         */
        get: operations["HttpsEdgesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTPS edge
         * @description Deletes an HTTPS edge. Its routes are deleted too. Requires the role `editor`.
         */
        delete: operations["HttpsEdgesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an HTTPS edge
         * @description Changes the fields given in the body, keeps the others, and returns the HTTPS edge. Requires the role `editor`.
         */
        patch: operations["HttpsEdgesUpdate"];
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
         * @description Returns the mutual TLS module of an HTTPS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgesMutualTlsModuleGet"];
        /**
         * Replace the mutual TLS module of an HTTPS edge
         * @description Sets the mutual TLS module of an HTTPS edge, replacing any previous value as a whole, and returns it. Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`. Requires the role `editor`.
         */
        put: operations["HttpsEdgesMutualTlsModuleReplace"];
        post?: never;
        /**
         * Delete the mutual TLS module of an HTTPS edge
         * @description Removes the mutual TLS module of an HTTPS edge. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgesMutualTlsModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{id}/tls_termination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the TLS termination module of an HTTPS edge
         * @description Returns the TLS termination module of an HTTPS edge, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgesTlsTerminationModuleGet"];
        /**
         * Replace the TLS termination module of an HTTPS edge
         * @description Sets the TLS termination module of an HTTPS edge, replacing any previous value as a whole, and returns it. The minimum TLS version. Requires the role `editor`.
         */
        put: operations["HttpsEdgesTlsTerminationModuleReplace"];
        post?: never;
        /**
         * Delete the TLS termination module of an HTTPS edge
         * @description Removes the TLS termination module of an HTTPS edge. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgesTlsTerminationModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List HTTPS edge routes
         * @description Lists HTTPS edge routes, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesList"];
        put?: never;
        /**
         * Create an HTTPS edge route
         * @description Creates an HTTPS edge route and returns it. Use it for path-based routing: it sends the requests for a path to a backend. Requires the role `editor`.
         */
        post: operations["HttpsEdgeRoutesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HTTPS edge route
         * @description Returns an HTTPS edge route. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesGet"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTPS edge route
         * @description Deletes an HTTPS edge route. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesDelete"];
        options?: never;
        head?: never;
        /**
         * Update an HTTPS edge route
         * @description Changes the fields given in the body, keeps the others, and returns the HTTPS edge route. Requires the role `editor`.
         */
        patch: operations["HttpsEdgeRoutesUpdate"];
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Test an address against an HTTPS edge route
         * @description Returns whether the IP restriction of an HTTPS edge route allows an IP address, and the rules that decide it. Only the address of the connection counts, never a header. A test takes a lookup for each policy and each network that contains the address: if that is more than 100000 lookups, the response is 400. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesAccessGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/backend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the backend module of an HTTPS edge route
         * @description Returns the backend module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesBackendModuleGet"];
        /**
         * Replace the backend module of an HTTPS edge route
         * @description Sets the backend module of an HTTPS edge route, replacing any previous value as a whole, and returns it. The backend that receives the traffic of the edge. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesBackendModuleReplace"];
        post?: never;
        /**
         * Delete the backend module of an HTTPS edge route
         * @description Removes the backend module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesBackendModuleDelete"];
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
         * @description Returns the circuit breaker module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesCircuitBreakerModuleGet"];
        /**
         * Replace the circuit breaker module of an HTTPS edge route
         * @description Sets the circuit breaker module of an HTTPS edge route, replacing any previous value as a whole, and returns it. When to stop sending requests to a failing upstream server, and for how long. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesCircuitBreakerModuleReplace"];
        post?: never;
        /**
         * Delete the circuit breaker module of an HTTPS edge route
         * @description Removes the circuit breaker module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesCircuitBreakerModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/compression": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the compression module of an HTTPS edge route
         * @description Returns the compression module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesCompressionModuleGet"];
        /**
         * Replace the compression module of an HTTPS edge route
         * @description Sets the compression module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesCompressionModuleReplace"];
        post?: never;
        /**
         * Delete the compression module of an HTTPS edge route
         * @description Removes the compression module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesCompressionModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/ip_restriction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the IP restriction module of an HTTPS edge route
         * @description Returns the IP restriction module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesIpRestrictionModuleGet"];
        /**
         * Replace the IP restriction module of an HTTPS edge route
         * @description Sets the IP restriction module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Restricts who may connect, by source IP address. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesIpRestrictionModuleReplace"];
        post?: never;
        /**
         * Delete the IP restriction module of an HTTPS edge route
         * @description Removes the IP restriction module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesIpRestrictionModuleDelete"];
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
         * @description Returns the request headers module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesRequestHeadersModuleGet"];
        /**
         * Replace the request headers module of an HTTPS edge route
         * @description Sets the request headers module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Headers to add to and remove from requests before they are sent upstream. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesRequestHeadersModuleReplace"];
        post?: never;
        /**
         * Delete the request headers module of an HTTPS edge route
         * @description Removes the request headers module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesRequestHeadersModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/response_headers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the response headers module of an HTTPS edge route
         * @description Returns the response headers module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesResponseHeadersModuleGet"];
        /**
         * Replace the response headers module of an HTTPS edge route
         * @description Sets the response headers module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Headers to add to and remove from responses before they are sent to the client. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesResponseHeadersModuleReplace"];
        post?: never;
        /**
         * Delete the response headers module of an HTTPS edge route
         * @description Removes the response headers module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesResponseHeadersModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/traffic_policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the traffic policy module of an HTTPS edge route
         * @description Returns the traffic policy module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesTrafficPolicyModuleGet"];
        /**
         * Replace the traffic policy module of an HTTPS edge route
         * @description Sets the traffic policy module of an HTTPS edge route, replacing any previous value as a whole, and returns it. The traffic policy to apply at the endpoint. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesTrafficPolicyModuleReplace"];
        post?: never;
        /**
         * Delete the traffic policy module of an HTTPS edge route
         * @description Removes the traffic policy module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesTrafficPolicyModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/user_agent_filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user agent filter module of an HTTPS edge route
         * @description Returns the user agent filter module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesUserAgentFilterModuleGet"];
        /**
         * Replace the user agent filter module of an HTTPS edge route
         * @description Sets the user agent filter module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Blocks bots and other clients by their `User-Agent`. A match of `allow` overrides every match of `deny`. A request without the header is rejected unless an `allow` expression matches the empty string. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesUserAgentFilterModuleReplace"];
        post?: never;
        /**
         * Delete the user agent filter module of an HTTPS edge route
         * @description Removes the user agent filter module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesUserAgentFilterModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{id}/webhook_verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the webhook verification module of an HTTPS edge route
         * @description Returns the webhook verification module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesWebhookVerificationModuleGet"];
        /**
         * Replace the webhook verification module of an HTTPS edge route
         * @description Sets the webhook verification module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Accepts only webhooks that their provider has signed. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesWebhookVerificationModuleReplace"];
        post?: never;
        /**
         * Delete the webhook verification module of an HTTPS edge route
         * @description Removes the webhook verification module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesWebhookVerificationModuleDelete"];
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
         * @description Returns the websocket TCP converter module of an HTTPS edge route, or 404 if it is not set. Requires the role `viewer`.
         */
        get: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleGet"];
        /**
         * Replace the websocket TCP converter module of an HTTPS edge route
         * @description Sets the websocket TCP converter module of an HTTPS edge route, replacing any previous value as a whole, and returns it. Converts binary WebSocket frames to a TCP stream. Requires the role `editor`.
         */
        put: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleReplace"];
        post?: never;
        /**
         * Delete the websocket TCP converter module of an HTTPS edge route
         * @description Removes the websocket TCP converter module of an HTTPS edge route. Succeeds even if it is not set. Requires the role `editor`.
         */
        delete: operations["HttpsEdgeRoutesWebsocketTcpConverterModuleDelete"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Lists event destinations, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `metadata`. Requires the role `viewer`.
         */
        get: operations["EventDestinationsList"];
        put?: never;
        /**
         * Create an event destination
         * @description Creates an event destination and returns it. If you leave out a webhook's secret, the service generates one and shows it in this response only. Requires the role `editor`.
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
         * @description Returns an event destination. Requires the role `viewer`.
         */
        get: operations["EventDestinationsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an event destination
         * @description Deletes an event destination. Fails with 409 while an event subscription refers to it. Requires the role `editor`.
         */
        delete: operations["EventDestinationsDelete"];
        options?: never;
        head?: never;
        /**
         * Update an event destination
         * @description Changes the fields given in the body, keeps the others, and returns the event destination. Requires the role `editor`.
         */
        patch: operations["EventDestinationsUpdate"];
        trace?: never;
    };
    "/event_destinations/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of an event destination
         * @description Lists the objects that refer to an event destination, by descending id: event subscriptions. Requires the role `viewer`.
         */
        get: operations["EventDestinationsUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the delivery status of an event destination
         * @description Returns the progress of delivery to an event destination and, if delivery is held up, the reason. Requires the role `viewer`.
         */
        get: operations["EventDestinationsGetDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an event destination
         * @description Sends an event of type `test.v0` immediately, and reports the outcome. No other event is sent or skipped. If the target accepts it, a destination that is waiting after a failure is retried immediately. Requires the role `editor`.
         */
        post: operations["EventDestinationsTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay events to an event destination
         * @description Goes back to an earlier event, or forward to a later one, and sends every event from there on that the destination's subscriptions select, in order. Resumes a suspended destination. If the destination receives events of API keys, the key must have the role `admin`. Requires the role `editor`.
         */
        post: operations["EventDestinationsReplayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume delivery to an event destination
         * @description Retries a destination immediately, if it is suspended or waiting after a failure. Delivery continues where it stopped. If the destination receives events of API keys, the key must have the role `admin`. Requires the role `editor`.
         */
        post: operations["EventDestinationsResumeDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_destinations/{id}/dead_letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters of an event destination
         * @description Lists events that the target rejected because of their content, newest first. They are sent again only by `/replay`. Requires the role `viewer`.
         */
        get: operations["EventDestinationsListDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event subscriptions
         * @description Lists event subscriptions, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `destination_id` or `metadata`. Requires the role `viewer`.
         */
        get: operations["EventSubscriptionsList"];
        put?: never;
        /**
         * Create an event subscription
         * @description Creates an event subscription and returns it. Use it to get notifications of changes. Requires the role `editor`.
         */
        post: operations["EventSubscriptionsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event subscription
         * @description Returns an event subscription. Requires the role `viewer`.
         */
        get: operations["EventSubscriptionsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an event subscription
         * @description Deletes an event subscription. Its events are no longer sent. Requires the role `editor`.
         */
        delete: operations["EventSubscriptionsDelete"];
        options?: never;
        head?: never;
        /**
         * Update an event subscription
         * @description Changes the fields given in the body, keeps the others, and returns the event subscription. Requires the role `editor`.
         */
        patch: operations["EventSubscriptionsUpdate"];
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sources of an event subscription
         * @description Lists the event types that an event subscription sends. Requires the role `viewer`.
         */
        get: operations["EventSourcesList"];
        put?: never;
        /**
         * Add a source to an event subscription
         * @description Adds an event type to those that an event subscription sends, and returns it. If the subscription has a source `api_key_*`, or gets one, the key must have the role `admin`. Requires the role `editor`.
         */
        post: operations["EventSourcesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a source of an event subscription
         * @description Returns a source of an event subscription. Requires the role `viewer`.
         */
        get: operations["EventSourcesGet"];
        put?: never;
        post?: never;
        /**
         * Remove a source from an event subscription
         * @description Removes an event type from those that an event subscription sends. If the subscription has a source `api_key_*`, the key must have the role `admin`. Requires the role `editor`.
         */
        delete: operations["EventSourcesDelete"];
        options?: never;
        head?: never;
        /**
         * Update a source of an event subscription
         * @description Returns a source of an event subscription. A source has no fields that can be changed. Requires the role `editor`.
         */
        patch: operations["EventSourcesUpdate"];
        trace?: never;
    };
    "/event_types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Lists every event type that an event subscription can have as a source. Requires the role `viewer`.
         */
        get: operations["EventTypesList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists changes of objects, newest first. Use it as an audit log: who changed what, and when. To undo or roll back a change, find the object's previous event and send its fields again. Filters can be combined. With `type` or `principal_id`, or without the role `admin`, a page covers at most 10,000 events: it can be short or empty even if there is a `next_page_uri`. Only admins see events of API keys. Requires the role `viewer`.
         */
        get: operations["EventsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns an event. Only admins see events of API keys. Requires the role `viewer`.
         */
        get: operations["EventsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Lists bot users, newest first. A page holds up to `limit` of them, or fewer if they are large. Requires the role `viewer`.
         */
        get: operations["BotUsersList"];
        put?: never;
        /**
         * Create a bot user
         * @description Creates a bot user and returns it. Use it as a service account that owns API keys. Requires the role `admin`.
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
         * @description Returns a bot user. Requires the role `viewer`.
         */
        get: operations["BotUsersGet"];
        put?: never;
        post?: never;
        /**
         * Delete a bot user
         * @description Deletes a bot user. Its API keys are deleted too. Requires the role `admin`.
         */
        delete: operations["BotUsersDelete"];
        options?: never;
        head?: never;
        /**
         * Update a bot user
         * @description Changes the fields given in the body, keeps the others, and returns the bot user. Requires the role `admin`.
         */
        patch: operations["BotUsersUpdate"];
        trace?: never;
    };
    "/bot_users/{id}/used_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a bot user
         * @description Lists the objects that refer to a bot user, by descending id: API keys. Requires the role `admin`.
         */
        get: operations["BotUsersUsedByList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Lists API keys, newest first. A page holds up to `limit` of them, or fewer if they are large. Accepts one filter at a time: `owner_id` or `metadata`. Requires the role `admin`.
         */
        get: operations["ApiKeysList"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key and returns it. To rotate a key, create a new one, switch to it, and delete the old one. Requires the role `admin`.
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
         * @description Returns an API key. Requires the role `admin`.
         */
        get: operations["ApiKeysGet"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletes an API key. This revokes the key: it stops working within 20 seconds. Requires the role `admin`.
         */
        delete: operations["ApiKeysDelete"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Changes the fields given in the body, keeps the others, and returns the API key. Requires the role `admin`.
         */
        patch: operations["ApiKeysUpdate"];
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a transaction
         * @description Runs up to 500 operations in order, all or nothing: bulk changes, and changes that belong together. API keys, bot users, delivery operations and `PUT …/rules` cannot be part of a transaction. Requires the role `editor`.
         */
        post: operations["TransactionsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the snapshot
         * @description Returns a consistent snapshot of everything needed to serve traffic: edges with their enabled modules and routes, and the policies, backends and authorities that they use. It contains no secrets. Poll it every few seconds, with the last `ETag` as `If-None-Match`: 304 means that nothing has changed. Expired rules are left out. An expired rule is deleted within a minute, which counts as a change. If the snapshot would have more than 24 MB or 250000 rules, the response is 413. Requires the role `viewer or agent`.
         */
        get: operations["SnapshotGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List problems
         * @description Lists configuration that is not served as written, or not at all, with the reason, by object and code. Each agent can have further problems, such as a missing certificate: see its status. The codes:
         *
         *     - `hostport_taken`: An older edge has the same hostport and gets its traffic.
         *     - `port_taken`: An older edge listens on the same port. A TCP edge cannot share a port with another edge, because nothing in a connection shows which of them is meant.
         *     - `backend_not_set`: The edge is not served, or the route returns 503: it has no enabled backend.
         *     - `backend_unusable`: The edge is not served, or the route returns 503: its backend does not exist, or contains nothing that can be served.
         *     - `backend_missing`: This backend contains a backend that does not exist, which is left out.
         *     - `response_impossible`: The response is left out: its status is from 100 to 199, which is never the status of a final response.
         *     - `policy_missing`: The IP restriction refers to a policy that does not exist, which counts as a policy without rules.
         *     - `authority_missing`: The edge is not served: its mutual TLS has no certificate authority, or one that does not exist here, so it cannot be enforced.
         *     - `mutual_tls_not_terminated`: The edge is not served: mutual TLS is enabled, but cannot be enforced, because TLS is passed through.
         *     - `response_not_terminated`: The edge is not served: TLS is passed through, but its backend contains a fixed response, which requires TLS termination.
         *     - `traffic_policy_invalid`: The edge is not served, or the route returns 503: its traffic policy breaks a rule of the language.
         *     - `traffic_policy_not_enforced`: The edge is not served, or the route returns 503: its traffic policy contains something that cannot be enforced.
         *     - `traffic_policy_partly_enforced`: Served, but actions of the traffic policy that change nobody's access are left out.
         *     - `webhook_not_verified`: The route returns 503: webhook verification is enabled, but nothing enforces it.
         *
         *     With `format=traefik` there are also `not_in_traefik_circuit_breaker`, `not_in_traefik_failover`, `not_in_traefik_fixed_response`, `not_in_traefik_headers`, `not_in_traefik_ip_address_host`, `not_in_traefik_missing_reference`, `not_in_traefik_path`, `not_in_traefik_size`, `not_in_traefik_traffic_policy`, `not_in_traefik_user_agent_filter` and `not_in_traefik_websocket_tcp_converter`, for what that proxy cannot enforce. Requires the role `viewer`.
         */
        get: operations["ProblemsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traffic_policies/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a traffic policy
         * @description Checks the text of a traffic policy and returns a verdict, with the place of everything that is wrong. Nothing is stored. The module `traffic_policy` accepts any text: a policy that cannot be enforced as written is not served, and `GET /problems` reports it. Requires the role `viewer`.
         */
        post: operations["TrafficPolicyCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simulations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a request
         * @description Returns what becomes of one request, step by step, without sending it: which edge and route get it, what each module does, and how it ends. Traffic policies that are not stored can be tried with `with`. Nothing is stored. Simulating reads as much as `GET /snapshot`. Requires the role `viewer`.
         */
        post: operations["SimulationsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{name}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report an agent's status
         * @description Reports which snapshot an agent serves, and its problems. Agents report after every change, and at least once a minute. The first key that reports under a name owns the name until the key or the agent is deleted: other keys get 403. There can be 1000 agents, 10 for each key. A status can have 16384 bytes. Requires the role `agent`.
         */
        put: operations["AgentsReport"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Lists the agents that serve traffic, by name, with the status of each. Requires the role `viewer`.
         */
        get: operations["AgentsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Returns an agent with its status. Requires the role `viewer`.
         */
        get: operations["AgentsGet"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Deletes an agent and frees its name. An agent that is still running reappears with its next report. Requires the role `admin`.
         */
        delete: operations["AgentsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the service's health
         * @description Returns 200 if the database responds and has all tables, otherwise 503. The result may be up to five seconds old, or ten if the database does not respond. Requires no API key.
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
         * Get the OpenAPI document
         * @description Returns the OpenAPI document of the service. Requires no API key.
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
         * Reseal secrets
         * @description Re-encrypts a batch of stored secrets with the first of the `SEALING_KEYS`: first those of event destinations, newest first, then those of HTTPS edge routes. For operators who have changed that variable. It can be interrupted and resumed at any time. Requires the role `admin`.
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
         * @description Whether a source with an address is allowed, and why.
         * @example {
         *       "ip": "198.51.100.7",
         *       "allowed": true,
         *       "reason": "allow_rule",
         *       "rules": [
         *         {
         *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "ip_policy": {
         *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *           },
         *           "cidr": "198.51.100.0/24",
         *           "action": "allow"
         *         }
         *       ]
         *     }
         */
        Access: {
            /** @description The address in canonical form. An IPv4-mapped IPv6 address is shown as IPv4. */
            ip: string;
            /** @description Whether a source with this address is allowed. */
            allowed: boolean;
            /**
             * @description The reason. Allowed: there is no IP restriction, it is disabled, or an `allow` rule and no `deny` rule matches. Rejected: it has no policies, no rule matches, or a `deny` rule matches. A deleted policy counts as a policy without rules, and an expired rule as absent.
             * @enum {string}
             */
            reason: "no_restriction" | "restriction_disabled" | "no_policies" | "no_matching_rule" | "deny_rule" | "allow_rule";
            /** @description The rules that match, newest first; if there are more than 1000 with the same action, 1000 of them. Empty if the reason does not depend on rules. */
            rules: {
                /** @description Id of the rule. */
                id: string;
                /** @description URI of the rule. */
                uri: string;
                /** @description The policy that the rule belongs to. */
                ip_policy: components["schemas"]["Ref"];
                /** @description The rule's range, which contains the address. */
                cidr: string;
                /**
                 * @description What the rule does.
                 * @enum {string}
                 */
                action: "allow" | "deny";
            }[];
        };
        /**
         * @description An agent that serves traffic, with the status that it last reported.
         * @example {
         *       "name": "lisbon-1",
         *       "uri": "https://api.example.com/agents/lisbon-1",
         *       "key": {
         *         "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "last_seen": "2026-01-02T03:04:05Z",
         *       "applied_version": 17,
         *       "newest_version": 17,
         *       "behind": 0,
         *       "behind_since": null,
         *       "ok": true,
         *       "error": null,
         *       "problems": [],
         *       "proxy": "HAProxy 3.2.26"
         *     }
         */
        Agent: {
            /** @description Its name. */
            name: string;
            /** @description URI of the agent. */
            uri: string;
            /** @description The API key that owns the name: no other key can report under it. Null for the operator's key. */
            key: components["schemas"]["Ref"] | null;
            /** @description When the agent last reported (RFC 3339). Agents report at least once a minute. */
            last_seen: string;
            /** @description `version` of the snapshot that the agent serves; null until it serves one. */
            applied_version: number | null;
            /** @description `version` of the newest snapshot. */
            newest_version: number;
            /** @description How many changes have been made since the version that the agent serves. */
            behind: number;
            /** @description When the first of these changes was made (RFC 3339); null if there are none. */
            behind_since: string | null;
            /** @description Whether the agent serves the newest snapshot that it has received, apart from the `problems`. */
            ok: boolean;
            /** @description What went wrong; null if nothing did. */
            error: string | null;
            /** @description Configuration that the agent cannot serve as written, in addition to the problems in the snapshot. */
            problems: components["schemas"]["Problem"][];
            /** @description The proxy that the agent runs, with its version; null if not reported. */
            proxy: string | null;
        };
        /** @description The agents that serve traffic. */
        AgentList: {
            /** @description The agents on this page, by name. */
            agents: components["schemas"]["Agent"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/agents
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @description What an agent reports, at most 16384 bytes.
         * @example {
         *       "applied_version": 17,
         *       "ok": true,
         *       "proxy": "HAProxy 3.2.26"
         *     }
         */
        AgentStatusRequest: {
            /** @description `version` of the snapshot that the agent serves; null until it serves one. */
            applied_version?: number;
            /** @description Whether the agent serves the newest snapshot that it has received, apart from the `problems`. */
            ok: boolean;
            /** @description What went wrong; null if nothing did. */
            error?: string;
            /** @description Configuration that the agent cannot serve as written, in addition to the problems in the snapshot. */
            problems?: {
                /** @description Id of the object. */
                object: string;
                /** @description What is wrong, for programs to act on. */
                code: string;
                /** @description What is wrong and what is served instead, for people. */
                msg: string;
            }[];
            /** @description The proxy that the agent runs, with its version; null if not reported. */
            proxy?: string;
        };
        /**
         * @description Gives its holder access to the API, as far as its role permits.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The bot user that the key belongs to. The key works only while that bot user is active. A key created with the key of a bot user belongs to the same bot user. */
            owner_id?: string;
            /**
             * @description `viewer` may read, `editor` may also write configuration, `admin` may also manage bot users and API keys; `agent` may only read the snapshot and report an agent's status.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin" | "agent";
            /** @description When the key stops working (RFC 3339). */
            expires_at?: string;
            /** @description When the key was last used (RFC 3339). Can lag by up to ten minutes. */
            last_used_at?: string;
            /** @description The token to send as `Authorization: Bearer`. Present only in the response that creates the key; null in all others. */
            token: string | null;
        };
        /**
         * @example {
         *       "description": "CI of the shop",
         *       "role": "editor"
         *     }
         * @example {
         *       "description": "CI of the shop",
         *       "owner_id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "role": "editor"
         *     }
         */
        ApiKeyCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The bot user that the key belongs to. The key works only while that bot user is active. A key created with the key of a bot user belongs to the same bot user. */
            owner_id?: string;
            /**
             * @description `viewer` may read, `editor` may also write configuration, `admin` may also manage bot users and API keys; `agent` may only read the snapshot and report an agent's status. If omitted, `editor`.
             * @enum {string}
             */
            role?: "viewer" | "editor" | "admin" | "agent";
            /**
             * Format: date-time
             * @description When the key stops working (RFC 3339). If omitted, the key expires together with the key that creates it, or never if that one does not expire.
             */
            expires_at?: string;
        };
        ApiKeyList: {
            /** @description The objects on this page, newest first. */
            keys: components["schemas"]["ApiKey"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/api_keys
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "description": "CI of the shop and the blog"
         *     }
         */
        ApiKeyUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
        };
        /**
         * @description The backend that receives the traffic of the edge.
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
            /** @description The backend that traffic is sent to. */
            backend: components["schemas"]["Ref"];
        };
        /**
         * @description The backend that receives the traffic of the edge.
         * @example {
         *       "backend_id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *     }
         */
        BackendModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Id of the backend to send traffic to. */
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable name. */
            name: string;
            /** @description Whether the bot user is active. The API keys of an inactive bot user are rejected. */
            active: boolean;
        };
        /**
         * @example {
         *       "name": "deploy"
         *     }
         */
        BotUserCreate: {
            /** @description Human-readable name. */
            name: string;
            /** @description Whether the bot user is active. The API keys of an inactive bot user are rejected. A new bot user is active unless this is false. */
            active?: boolean;
        };
        BotUserList: {
            /** @description The objects on this page, newest first. */
            bot_users: components["schemas"]["BotUser"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/bot_users
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "active": false
         *     }
         */
        BotUserUpdate: {
            /** @description Human-readable name. */
            name?: string;
            /** @description Whether the bot user is active. The API keys of an inactive bot user are rejected. A new bot user is active unless this is false. */
            active?: boolean;
        };
        /**
         * @description An X.509 certificate that mutual TLS verifies client certificates against. The fields that are read from the certificate never change.
         * @example {
         *       "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Signs the devices of the shop",
         *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n",
         *       "subject_common_name": "Example CA",
         *       "not_before": "2026-11-21T23:44:03Z",
         *       "not_after": "2036-11-21T23:44:03Z",
         *       "key_usages": [
         *         "cert_sign",
         *         "crl_sign"
         *       ],
         *       "extended_key_usages": []
         *     }
         */
        CertificateAuthority: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The certificate, re-encoded as PEM: lines of 64 characters, each followed by a line feed. Never changes. */
            ca_pem: string;
            /** @description The last common name (CN) of the subject. Omitted if there is none. */
            subject_common_name?: string;
            /**
             * Format: date-time
             * @description When the certificate becomes valid: RFC 3339, UTC, whole seconds.
             */
            not_before: string;
            /**
             * Format: date-time
             * @description When the certificate expires: RFC 3339, UTC, whole seconds. An expired authority is not deleted or disabled.
             */
            not_after: string;
            /** @description The permitted uses of its key (RFC 5280 §4.2.1.3). Empty if the certificate does not restrict them. */
            key_usages: ("digital_signature" | "content_commitment" | "key_encipherment" | "data_encipherment" | "key_agreement" | "cert_sign" | "crl_sign" | "encipher_only" | "decipher_only")[];
            /** @description The permitted uses of the certificates that it signs (RFC 5280 §4.2.1.12): `any`, `server_auth`, `client_auth`, `code_signing`, `email_protection`, `ipsec_end_system`, `ipsec_tunnel`, `ipsec_user`, `time_stamping`, `ocsp_signing`, or an object identifier such as `1.3.6.1.4.1.311.20.2.2`. Empty if the certificate does not restrict them. */
            extended_key_usages: string[];
        };
        /**
         * @example {
         *       "description": "Signs the devices of the shop",
         *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n"
         *     }
         */
        CertificateAuthorityCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The authority's certificate (X.509, RFC 5280) as one PEM block of the type `CERTIFICATE`, without headers and without a private key; at most 16384 bytes of UTF-8. Text around the block is dropped. Its Basic Constraints must set `cA`. It can be expired, not yet valid, or an intermediate certificate. Signatures are not checked. */
            ca_pem: string;
        };
        CertificateAuthorityList: {
            /** @description The objects on this page, newest first. */
            certificate_authorities: components["schemas"]["CertificateAuthority"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/certificate_authorities
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "description": "Signs all devices"
         *     }
         */
        CertificateAuthorityUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
        };
        /**
         * @description When to stop sending requests to a failing upstream server, and for how long.
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
            /** @description Seconds to wait after the circuit trips before checking the upstream server again. */
            tripped_duration: number;
            /** @description Length in seconds of the rolling window over which statistics are kept. */
            rolling_window: number;
            /** @description Number of buckets that the rolling window is divided into. */
            num_buckets: number;
            /** @description Number of requests in a rolling window below which the circuit does not trip. */
            volume_threshold: number;
            /** @description Share of failed requests that trips the circuit, as a fraction from 0 to 1 (not a percentage). */
            error_threshold_percentage: number;
        };
        /**
         * @description When to stop sending requests to a failing upstream server, and for how long.
         * @example {
         *       "error_threshold_percentage": 0.25,
         *       "volume_threshold": 50
         *     }
         */
        CircuitBreakerModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Seconds to wait after the circuit trips before checking the upstream server again. Defaults to `10`. */
            tripped_duration?: number;
            /** @description Length in seconds of the rolling window over which statistics are kept. Defaults to `10`. */
            rolling_window?: number;
            /** @description Number of buckets that the rolling window is divided into. Defaults to `10`. */
            num_buckets?: number;
            /** @description Number of requests in a rolling window below which the circuit does not trip. Defaults to `20`. */
            volume_threshold?: number;
            /** @description Share of failed requests that trips the circuit, as a fraction from 0 to 1 (not a percentage). Defaults to `0.5`. */
            error_threshold_percentage?: number;
        };
        /** @description How the service authenticates to the target: exactly one of `role` and `creds`. */
        CloudAuth: {
            /** @description A role that the service assumes. */
            role: {
                /** @description The role that the service assumes to deliver events. */
                role_arn: string;
            } | null;
            /** @description A long-term access key. */
            creds: {
                /** @description The id of the access key. */
                cloud_access_key_id: string;
                /** @description The secret of the access key. Write-only: always null here. */
                cloud_secret_access_key: string | null;
            } | null;
        };
        /**
         * @description How the service authenticates to the target: exactly one of `role` and `creds`.
         * @example {
         *       "role": {
         *         "role_arn": "arn:aws:iam::123456789012:role/edge-events"
         *       }
         *     }
         */
        CloudAuthMutate: {
            /** @description A role that the service assumes. */
            role?: {
                /** @description The role that the service assumes to deliver events. */
                role_arn: string;
            };
            /** @description A long-term access key. */
            creds?: {
                /** @description The id of the access key. */
                cloud_access_key_id: string;
                /** @description The secret of the access key. Write-only. */
                cloud_secret_access_key: string;
            };
        };
        /**
         * @description Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows.
         * @example {
         *       "enabled": true
         *     }
         */
        CompressionModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
        };
        /**
         * @description Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows.
         * @example {
         *       "enabled": true
         *     }
         */
        CompressionModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
        };
        /**
         * @description An event that the target rejected because of its content.
         * @example {
         *       "event_id": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "error": {
         *         "code": "http_400",
         *         "status": 400,
         *         "msg": "The target responded with status 400."
         *       },
         *       "at": "2026-01-02T03:04:05Z"
         *     }
         */
        DeadLetter: {
            /** @description Id of the event. */
            event_id: string;
            /** @description Why the target rejected the event. */
            error: {
                /** @description A short name that does not change: `timeout`, `http_503`, `ThrottlingException`. */
                code: string;
                /** @description The HTTP status of the target's response; null if there was none. */
                status: number | null;
                /** @description What went wrong. Apart from the status, nothing of the target's response is shown. */
                msg: string;
            };
            /**
             * Format: date-time
             * @description When it was rejected (RFC 3339).
             */
            at: string;
        };
        DeadLetterList: {
            /** @description The events on this page, newest first. */
            dead_letters: components["schemas"]["DeadLetter"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX/dead_letters
             */
            uri: string;
            /**
             * @description URI of the next page; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
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
             * @description What went wrong, for programs to act on.
             * @enum {string}
             */
            error_code: "ERR_INVALID_REQUEST" | "ERR_UNKNOWN_REFERENCE" | "ERR_UNSUPPORTED_VERSION" | "ERR_UNAUTHENTICATED" | "ERR_FORBIDDEN" | "ERR_HTTPS_REQUIRED" | "ERR_NOT_FOUND" | "ERR_NO_SUCH_PATH" | "ERR_METHOD_NOT_ALLOWED" | "ERR_REQUEST_TIMEOUT" | "ERR_CONFLICT" | "ERR_IN_USE" | "ERR_PRECONDITION_FAILED" | "ERR_TOO_LARGE" | "ERR_UNSUPPORTED_MEDIA_TYPE" | "ERR_IDEMPOTENCY_MISMATCH" | "ERR_SIMULATION_TOO_LONG" | "ERR_RATE_LIMITED" | "ERR_INTERNAL" | "ERR_UNAVAILABLE";
            /** @description The status code of the response. */
            status_code: number;
            /** @description What went wrong, for people. If fields were rejected, it states how many and what is wrong with the first. */
            msg: string;
            /** @description Further information. Always includes `operation_id`, which is also in the header `Service-Operation-Id`. If an object cannot be deleted, `used_by` lists the objects that use it. */
            details: {
                [key: string]: string;
            };
            /** @description Every rejected field, parameter and header. Omitted if there are none. */
            errors?: {
                /** @description A JSON Pointer into the request body (RFC 6901), or the name of a query parameter or header. */
                path: string;
                /** @description What is wrong with it, or what is expected. */
                msg: string;
            }[];
        };
        /**
         * @description A change of an object: what it was changed to, by whom and when.
         * @example {
         *       "event_id": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "event_type": "ip_policy_updated.v0",
         *       "event_timestamp": "2026-01-02T03:04:05Z",
         *       "account_id": "ac_default",
         *       "principal": {
         *         "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "subject": "deploy",
         *         "source": "API",
         *         "credential": {
         *           "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       },
         *       "object": {
         *         "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "created_at": "2026-01-02T03:04:05Z",
         *         "description": "Lisbon office"
         *       },
         *       "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *     }
         */
        Event: {
            /** @description Unique identifier, which stays the same if the event is sent again. Later events have greater ids. */
            event_id: string;
            /** @description What happened, and the version of the event's format. */
            event_type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description When it happened, in UTC (RFC 3339).
             */
            event_timestamp: string;
            /** @description The installation of the service that the event comes from. */
            account_id: string;
            /** @description Who made the change. */
            principal: components["schemas"]["EventPrincipal"] | null;
            /** @description The object as the API showed it after the change, or before its deletion. Secrets are null. */
            object: {
                /** @description Id of the object. */
                id: string;
                /** @description URI of the object. */
                uri: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The `Service-Operation-Id` of the request that made the change. Changes that the service makes on its own get one id per run. */
            operation_id: string;
            /**
             * @description Present only if `object` was cut to its id and URI because of its length.
             * @constant
             */
            truncated?: true;
        };
        /**
         * @description The delivery status of an event destination.
         * @example {
         *       "state": "retrying",
         *       "position": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "pending": 12,
         *       "lost": 0,
         *       "delivered": 3417,
         *       "dead_letters": 0,
         *       "consecutive_failures": 2,
         *       "failing_since": "2026-01-02T03:04:05Z",
         *       "last_attempt_at": "2026-01-02T03:04:15Z",
         *       "last_delivered_at": "2026-01-02T03:03:58Z",
         *       "next_attempt_at": "2026-01-02T03:04:31Z",
         *       "last_error": {
         *         "code": "http_503",
         *         "status": 503,
         *         "msg": "The target responded with status 503.",
         *         "at": "2026-01-02T03:04:05Z"
         *       }
         *     }
         */
        EventDelivery: {
            /**
             * @description `idle`: everything is delivered. `delivering`: something is waiting. `retrying`: the last attempt failed. `suspended`: stopped after 72 hours of failures, or at the target's request, until the destination is changed or resumed. `unsubscribed`: no event subscription sends anything here.
             * @enum {string}
             */
            state: "idle" | "delivering" | "retrying" | "suspended" | "unsubscribed";
            /** @description Id of the last event that was examined; null if there is none, or if it is no longer in the log. */
            position: string | null;
            /** @description Events that are waiting, among the next 10,000 in the log. */
            pending: number;
            /** @description Events that were deleted from the log before they could be delivered. */
            lost: number;
            /** @description Events that were delivered. */
            delivered: number;
            /** @description Events that the target rejected because of their content: see `/dead_letters`. */
            dead_letters: number;
            /** @description Failed attempts since the last success. */
            consecutive_failures: number;
            /** @description When the first of them failed (RFC 3339); null for never. */
            failing_since: string | null;
            /** @description When something was last sent (RFC 3339); null for never. */
            last_attempt_at: string | null;
            /** @description When something was last delivered (RFC 3339); null for never. */
            last_delivered_at: string | null;
            /** @description When the next attempt is due, if it waits (RFC 3339); null for never. */
            next_attempt_at: string | null;
            /** @description Why the last attempt failed; null if it succeeded. */
            last_error: {
                /** @description A short name that does not change: `timeout`, `http_503`, `ThrottlingException`. */
                code: string;
                /** @description The HTTP status of the target's response; null if there was none. */
                status: number | null;
                /** @description What went wrong. Apart from the status, nothing of the target's response is shown. */
                msg: string;
                /**
                 * Format: date-time
                 * @description When it happened (RFC 3339).
                 */
                at: string;
            } | null;
        };
        /**
         * @example {
         *       "from": "2026-01-02T03:04:05Z"
         *     }
         */
        EventDeliveryReplayRequest: {
            /** @description Where to start: the id of an event, or a time (RFC 3339) to start with the first event at or after it. */
            from: string;
        };
        /** @example {} */
        EventDeliveryResumeRequest: Record<string, never>;
        /**
         * @description The outcome of a test event.
         * @example {
         *       "delivered": true,
         *       "status": 204,
         *       "error": null,
         *       "duration_ms": 87
         *     }
         */
        EventDeliveryTest: {
            /** @description Whether the target accepted the event. */
            delivered: boolean;
            /** @description The HTTP status of the target's response; null if there was none. */
            status: number | null;
            /** @description Why it was not delivered; null if it was. */
            error: {
                /** @description A short name that does not change: `timeout`, `http_503`, `ThrottlingException`. */
                code: string;
                /** @description The HTTP status of the target's response; null if there was none. */
                status: number | null;
                /** @description What went wrong. Apart from the status, nothing of the target's response is shown. */
                msg: string;
            } | null;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
        };
        /** @example {} */
        EventDeliveryTestRequest: Record<string, never>;
        /**
         * @description Where serialized events are sent. A destination receives events once an event subscription refers to it.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /**
             * @description How events are serialized. `json` if omitted on creation.
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
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /**
             * @description How events are serialized. `json` if omitted on creation.
             * @constant
             */
            format?: "json";
            /** @description Where events are sent: exactly one of the fields. Replaced as a whole. */
            target: components["schemas"]["EventTargetMutate"];
        };
        EventDestinationList: {
            /** @description The objects on this page, newest first. */
            event_destinations: components["schemas"]["EventDestination"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/event_destinations
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "description": "Edge events, all"
         *     }
         */
        EventDestinationUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /**
             * @description How events are serialized. `json` if omitted on creation.
             * @constant
             */
            format?: "json";
            /** @description Where events are sent: exactly one of the fields. Replaced as a whole. */
            target?: components["schemas"]["EventTargetMutate"];
        };
        EventList: {
            /** @description The objects on this page, newest first. */
            events: components["schemas"]["Event"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/events
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /** @description Who changed an object. */
        EventPrincipal: {
            /** @description Id of the bot user that owns the API key, otherwise of the key; `root` for the operator's key, `system` for changes that the service makes on its own. */
            id: string;
            /** @description Human-readable name: the name of the bot user, otherwise the description of the key, or its id if it has none; at most 255 characters. `expiry` if a rule was deleted because it expired. */
            subject: string;
            /**
             * @description `System` for changes that the service makes on its own.
             * @enum {string}
             */
            source: "API" | "System";
            /** @description The API key; null for the operator's key, and for changes that the service makes on its own. */
            credential: components["schemas"]["Ref"] | null;
        };
        /**
         * @description A type of events that an event subscription sends.
         * @example {
         *       "type": "ip_policy_updated.v0",
         *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
         *     }
         */
        EventSource: {
            /** @description The type of events that are sent. */
            type: components["schemas"]["EventType"];
            /** @description URI of the source. */
            uri: string;
        };
        /**
         * @example {
         *       "type": "ip_policy_updated.v0"
         *     }
         */
        EventSourceCreate: {
            /** @description The type of events that are sent. */
            type: components["schemas"]["EventType"];
        };
        EventSourceList: {
            /** @description The sources, in the order in which they were added. */
            sources: components["schemas"]["EventSource"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources
             */
            uri: string;
        };
        /** @example {} */
        EventSourceUpdate: Record<string, never>;
        /**
         * @description Selects the types of events to send, its sources, and the event destinations to send them to.
         * @example {
         *       "id": "esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Who gets in",
         *       "sources": [
         *         {
         *           "type": "ip_policy_updated.v0",
         *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
         *         }
         *       ],
         *       "destinations": [
         *         {
         *           "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       ]
         *     }
         */
        EventSubscription: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The types of events that are sent; each must be unique. Sources `api_key_*` require the role `admin`, and so does any change to a subscription with such a source or to its destinations. */
            sources: components["schemas"]["EventSource"][] | null;
            /** @description Where the events are sent. */
            destinations: components["schemas"]["Ref"][] | null;
        };
        /**
         * @example {
         *       "description": "Who gets in",
         *       "sources": [
         *         {
         *           "type": "ip_policy_updated.v0"
         *         }
         *       ]
         *     }
         * @example {
         *       "description": "Who gets in",
         *       "sources": [
         *         {
         *           "type": "ip_policy_updated.v0"
         *         },
         *         {
         *           "type": "ip_policy_rule_created.v0"
         *         }
         *       ],
         *       "destination_ids": [
         *         "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        EventSubscriptionCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The types of events that are sent; each must be unique. Sources `api_key_*` require the role `admin`, and so does any change to a subscription with such a source or to its destinations. */
            sources?: components["schemas"]["EventSourceCreate"][];
            /** @description Ids of the event destinations that the events are sent to. Each must be unique. */
            destination_ids?: string[];
        };
        EventSubscriptionList: {
            /** @description The objects on this page, newest first. */
            event_subscriptions: components["schemas"]["EventSubscription"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/event_subscriptions
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "sources": [
         *         {
         *           "type": "tcp_edge_updated.v0"
         *         },
         *         {
         *           "type": "tls_edge_updated.v0"
         *         }
         *       ]
         *     }
         */
        EventSubscriptionUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The types of events that are sent; each must be unique. Sources `api_key_*` require the role `admin`, and so does any change to a subscription with such a source or to its destinations. */
            sources?: components["schemas"]["EventSourceCreate"][];
            /** @description Ids of the event destinations that the events are sent to. Each must be unique. */
            destination_ids?: string[];
        };
        /**
         * @description Where events are sent. If not set, the first five fields are null, and the others are omitted.
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
            /** @description A delivery stream. */
            cloud_delivery_stream: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The delivery stream to put events into. */
                delivery_stream_arn: string;
            } | null;
            /** @description A data stream. */
            cloud_stream: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The stream to put events into. */
                stream_arn: string;
            } | null;
            /** @description A log group. */
            cloud_logs: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The log group to put events into. */
                log_group_arn: string;
            } | null;
            /** @description A monitoring vendor. */
            monitoring_vendor: {
                /** @description An API key of the monitoring vendor. Write-only: always null here. */
                api_key: string | null;
                /** @description Tags sent with each event. */
                tags?: string;
                /** @description Service name sent with each event. */
                service?: string;
                /** @description The vendor's site to send events to. */
                site?: string;
            } | null;
            /** @description A log ingestion service. */
            logs_ingestion: {
                /** @description Id of the tenant. */
                tenant_id: string;
                /** @description Id of the client that the service authenticates as. */
                client_id: string;
                /** @description Secret of that client. Write-only: always null here. */
                client_secret: string | null;
                /** @description The data collection endpoint. */
                logs_ingestion_uri: string;
                /** @description Immutable id of the data collection rule. */
                data_collection_rule_id: string;
                /** @description The destination stream within the rule. */
                data_collection_stream_name: string;
            } | null;
            /** @description A bucket. Events are stored in it as files, with one event per line. Omitted if not set. */
            object_storage?: {
                auth: components["schemas"]["CloudAuth"];
                /** @description The bucket to put files into. */
                bucket_arn: string;
                /** @description The region of the bucket. */
                region: string;
                /** @description The start of each file's key, at most 512 bytes. */
                object_prefix?: string;
                /** @description Whether files are compressed with gzip. */
                compression: boolean;
                /** @description A file is written when it would exceed this many bytes, before compression. */
                max_file_size: number;
                /** @description A file is written when its first event is this many seconds old. */
                max_file_age: number;
            };
            /** @description An HTTPS endpoint that receives one event per POST, signed according to Standard Webhooks 1.0. Omitted if not set. */
            webhook?: {
                /** @description The URL to POST events to: an https URL of a public host, on port 443 or a port from 1024 on. */
                url: string;
                /** @description The secret that events are signed with: `whsec_` and 24 to 64 bytes in base64. For 24 hours after it is replaced, events are signed with both secrets. Write-only: null, except in the response to a request that had the service generate it. */
                secret: string | null;
            };
        };
        /**
         * @description Where events are sent: exactly one of the fields.
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
         * @example {
         *       "object_storage": {
         *         "auth": {
         *           "role": {
         *             "role_arn": "arn:aws:iam::123456789012:role/edge-events"
         *           }
         *         },
         *         "bucket_arn": "arn:aws:s3:::edge-events",
         *         "region": "eu-west-1",
         *         "object_prefix": "edge/"
         *       }
         *     }
         * @example {
         *       "webhook": {
         *         "url": "https://hooks.example.com/edge"
         *       }
         *     }
         */
        EventTargetMutate: {
            /** @description A delivery stream. */
            cloud_delivery_stream?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The delivery stream to put events into. */
                delivery_stream_arn: string;
            };
            /** @description A data stream. */
            cloud_stream?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The stream to put events into. */
                stream_arn: string;
            };
            /** @description A log group. */
            cloud_logs?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The log group to put events into. */
                log_group_arn: string;
            };
            /** @description A monitoring vendor. */
            monitoring_vendor?: {
                /** @description An API key of the monitoring vendor. Write-only. */
                api_key: string;
                /** @description Tags sent with each event. */
                tags?: string;
                /** @description Service name sent with each event. */
                service?: string;
                /** @description The vendor's site to send events to. */
                site?: string;
            };
            /** @description A log ingestion service. */
            logs_ingestion?: {
                /** @description Id of the tenant. */
                tenant_id: string;
                /** @description Id of the client that the service authenticates as. */
                client_id: string;
                /** @description Secret of that client. Write-only. */
                client_secret: string;
                /** @description The data collection endpoint. */
                logs_ingestion_uri: string;
                /** @description Immutable id of the data collection rule. */
                data_collection_rule_id: string;
                /** @description The destination stream within the rule. */
                data_collection_stream_name: string;
            };
            /** @description A bucket. Events are stored in it as files, with one event per line. */
            object_storage?: {
                auth: components["schemas"]["CloudAuthMutate"];
                /** @description The bucket to put files into. */
                bucket_arn: string;
                /** @description The region of the bucket. */
                region: string;
                /** @description The start of each file's key, at most 512 bytes. Defaults to `""`. */
                object_prefix?: string;
                /** @description Whether files are compressed with gzip. Defaults to `true`. */
                compression?: boolean;
                /** @description A file is written when it would exceed this many bytes, before compression. Defaults to `5242880`. */
                max_file_size?: number;
                /** @description A file is written when its first event is this many seconds old. Defaults to `300`. */
                max_file_age?: number;
            };
            /** @description An HTTPS endpoint that receives one event per POST, signed according to Standard Webhooks 1.0. */
            webhook?: {
                /** @description The URL to POST events to: an https URL of a public host, on port 443 or a port from 1024 on. */
                url: string;
                /** @description The secret that events are signed with: `whsec_` and 24 to 64 bytes in base64. For 24 hours after it is replaced, events are signed with both secrets. If omitted, a secret is generated and shown only in the response to this request. Write-only. */
                secret?: string;
            };
        };
        /**
         * @description A type of event: what happened, and the version of the event's format.
         * @example ip_policy_updated.v0
         * @enum {string}
         */
        EventType: "agent_session_start.v0" | "agent_session_stop.v0" | "api_key_created.v0" | "api_key_deleted.v0" | "api_key_updated.v0" | "bot_user_created.v0" | "bot_user_deleted.v0" | "bot_user_updated.v0" | "certificate_authority_created.v0" | "certificate_authority_deleted.v0" | "certificate_authority_updated.v0" | "domain_created.v0" | "domain_deleted.v0" | "domain_updated.v0" | "event_destination_created.v0" | "event_destination_deleted.v0" | "event_destination_updated.v0" | "event_subscription_created.v0" | "event_subscription_deleted.v0" | "event_subscription_updated.v0" | "failover_backend_created.v0" | "failover_backend_deleted.v0" | "failover_backend_updated.v0" | "http_request_complete.v0" | "http_response_backend_created.v0" | "http_response_backend_deleted.v0" | "http_response_backend_updated.v0" | "https_edge_created.v0" | "https_edge_deleted.v0" | "https_edge_route_created.v0" | "https_edge_route_deleted.v0" | "https_edge_route_updated.v0" | "https_edge_updated.v0" | "ip_policy_created.v0" | "ip_policy_deleted.v0" | "ip_policy_rule_created.v0" | "ip_policy_rule_deleted.v0" | "ip_policy_rule_updated.v0" | "ip_policy_updated.v0" | "ip_restriction_created.v0" | "ip_restriction_deleted.v0" | "ip_restriction_updated.v0" | "secret_created.v0" | "secret_deleted.v0" | "secret_updated.v0" | "ssh_certificate_authority_created.v0" | "ssh_certificate_authority_deleted.v0" | "ssh_certificate_authority_updated.v0" | "ssh_host_certificate_created.v0" | "ssh_host_certificate_deleted.v0" | "ssh_host_certificate_updated.v0" | "ssh_public_key_created.v0" | "ssh_public_key_deleted.v0" | "ssh_public_key_updated.v0" | "ssh_user_certificate_created.v0" | "ssh_user_certificate_deleted.v0" | "ssh_user_certificate_updated.v0" | "static_backend_created.v0" | "static_backend_deleted.v0" | "static_backend_updated.v0" | "tcp_address_created.v0" | "tcp_address_deleted.v0" | "tcp_address_updated.v0" | "tcp_connection_closed.v0" | "tcp_edge_created.v0" | "tcp_edge_deleted.v0" | "tcp_edge_updated.v0" | "tls_certificate_created.v0" | "tls_certificate_deleted.v0" | "tls_certificate_updated.v0" | "tls_edge_created.v0" | "tls_edge_deleted.v0" | "tls_edge_updated.v0" | "tunnel_credential_created.v0" | "tunnel_credential_deleted.v0" | "tunnel_credential_updated.v0" | "vault_created.v0" | "vault_deleted.v0" | "vault_updated.v0" | "weighted_backend_created.v0" | "weighted_backend_deleted.v0" | "weighted_backend_updated.v0";
        EventTypeList: {
            /** @description Every event type, in alphabetical order. */
            event_types: {
                type: components["schemas"]["EventType"];
                /**
                 * @description False for a type that is accepted but never emitted by this service.
                 * @example true
                 */
                emitted: boolean;
            }[];
        };
        /**
         * @description A list of backends that are tried in order.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description Ids of the backends to try, in order: backends of any kind. */
            backends: string[] | null;
        };
        /**
         * @example {
         *       "description": "The shop, or the maintenance page"
         *     }
         * @example {
         *       "description": "The shop, or the maintenance page",
         *       "backends": [
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        FailoverBackendCreate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Ids of the backends to try, in order: backends of any kind. */
            backends?: string[];
        };
        FailoverBackendList: {
            /** @description The objects on this page, newest first. */
            backends: components["schemas"]["FailoverBackend"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/backends/failover
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "backends": [
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        FailoverBackendUpdate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Ids of the backends to try, in order: backends of any kind. */
            backends?: string[];
        };
        /**
         * @description The service works.
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0"
         *     }
         */
        Health: {
            /**
             * @description Always `ok`. If the service does not work, the response is an error.
             * @constant
             */
            status: "ok";
            /** @description The release of the service. The version of the API is in `Service-Version`. */
            version: string;
        };
        /**
         * @description A fixed HTTP response.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description Body of the response. Omitted if empty. */
            body?: string;
            /** @description Headers of the response, with names in lower case. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description Status code of the response. */
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
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Body of the response. */
            body?: string;
            /** @description Headers of the response. Names are case-insensitive and must be unique. */
            headers?: {
                [key: string]: string;
            };
            /** @description Status code of the response; 200 if omitted on creation. */
            status_code?: number;
        };
        HttpResponseBackendList: {
            /** @description The objects on this page, newest first. */
            backends: components["schemas"]["HttpResponseBackend"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/backends/http_response
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "body": "Back in an hour"
         *     }
         */
        HttpResponseBackendUpdate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Body of the response. */
            body?: string;
            /** @description Headers of the response. Names are case-insensitive and must be unique. */
            headers?: {
                [key: string]: string;
            };
            /** @description Status code of the response; 200 if omitted on creation. */
            status_code?: number;
        };
        /**
         * @description An entry point for HTTPS traffic. Its routes define where requests go.
         * @example {
         *       "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "The shop",
         *       "hostports": [
         *         "shop.example.com:443"
         *       ],
         *       "mutual_tls": null,
         *       "tls_termination": {
         *         "enabled": true,
         *         "terminate_at": "edge",
         *         "min_version": "1.3"
         *       },
         *       "routes": [
         *         {
         *           "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "created_at": "2026-01-02T03:04:05Z",
         *           "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "description": "The API",
         *           "match_type": "path_prefix",
         *           "match": "/api/",
         *           "backend": null,
         *           "circuit_breaker": null,
         *           "compression": {
         *             "enabled": true
         *           },
         *           "ip_restriction": null,
         *           "request_headers": null,
         *           "response_headers": null,
         *           "traffic_policy": null,
         *           "user_agent_filter": null,
         *           "webhook_verification": null,
         *           "websocket_tcp_converter": null,
         *           "policy": null
         *         }
         *       ]
         *     }
         */
        HttpsEdge: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports: string[] | null;
            /** @description Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`. Null if not set. */
            mutual_tls: components["schemas"]["MutualTlsModule"] | null;
            /** @description The minimum TLS version. Null if not set. */
            tls_termination: components["schemas"]["HttpsTlsTerminationModule"] | null;
            /** @description Its routes, oldest first. */
            routes: components["schemas"]["HttpsEdgeRoute"][];
        };
        /**
         * @example {
         *       "description": "The shop",
         *       "hostports": [
         *         "shop.example.com:443"
         *       ],
         *       "tls_termination": {
         *         "min_version": "1.3"
         *       }
         *     }
         * @example {
         *       "description": "The shop",
         *       "hostports": [
         *         "shop.example.com:443"
         *       ],
         *       "tls_termination": {
         *         "min_version": "1.3"
         *       },
         *       "mutual_tls": {
         *         "certificate_authority_ids": [
         *           "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         ]
         *       }
         *     }
         */
        HttpsEdgeCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["HttpsTlsTerminationModuleMutate"];
        };
        HttpsEdgeList: {
            /** @description The objects on this page, newest first. */
            https_edges: components["schemas"]["HttpsEdge"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/edges/https
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @description What an HTTPS edge does with requests for a path.
         * @example {
         *       "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "description": "The API",
         *       "match_type": "path_prefix",
         *       "match": "/api/",
         *       "backend": null,
         *       "circuit_breaker": null,
         *       "compression": {
         *         "enabled": true
         *       },
         *       "ip_restriction": null,
         *       "request_headers": null,
         *       "response_headers": null,
         *       "traffic_policy": null,
         *       "user_agent_filter": null,
         *       "webhook_verification": null,
         *       "websocket_tcp_converter": null,
         *       "policy": null
         *     }
         */
        HttpsEdgeRoute: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The HTTPS edge that the route belongs to. */
            edge_id: string;
            /**
             * @description How the path of a request is compared with `match`. An exact match takes precedence over every prefix.
             * @enum {string}
             */
            match_type: "exact_path" | "path_prefix";
            /** @description The path, or the start of it. If several prefixes match, the longest wins. */
            match: string;
            /** @description The backend that receives the traffic of the edge. Null if not set. */
            backend: components["schemas"]["BackendModule"] | null;
            /** @description When to stop sending requests to a failing upstream server, and for how long. Null if not set. */
            circuit_breaker: components["schemas"]["CircuitBreakerModule"] | null;
            /** @description Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows. Null if not set. */
            compression: components["schemas"]["CompressionModule"] | null;
            /** @description Restricts who may connect, by source IP address. Null if not set. */
            ip_restriction: components["schemas"]["IpRestrictionModule"] | null;
            /** @description Headers to add to and remove from requests before they are sent upstream. Null if not set. */
            request_headers: components["schemas"]["RequestHeadersModule"] | null;
            /** @description Headers to add to and remove from responses before they are sent to the client. Null if not set. */
            response_headers: components["schemas"]["ResponseHeadersModule"] | null;
            /** @description The traffic policy to apply at the endpoint. Null if not set. */
            traffic_policy: components["schemas"]["TrafficPolicyModule"] | null;
            /** @description Blocks bots and other clients by their `User-Agent`. A match of `allow` overrides every match of `deny`. A request without the header is rejected unless an `allow` expression matches the empty string. Null if not set. */
            user_agent_filter: components["schemas"]["UserAgentFilterModule"] | null;
            /** @description Accepts only webhooks that their provider has signed. Null if not set. */
            webhook_verification: components["schemas"]["WebhookVerificationModule"] | null;
            /** @description Converts binary WebSocket frames to a TCP stream. Null if not set. */
            websocket_tcp_converter: components["schemas"]["WebsocketTcpConverterModule"] | null;
            /** @description Reserved; always null. */
            policy: string | null;
        };
        /**
         * @example {
         *       "description": "The API",
         *       "match_type": "path_prefix",
         *       "match": "/api/",
         *       "compression": {}
         *     }
         * @example {
         *       "description": "The API",
         *       "match_type": "path_prefix",
         *       "match": "/api/",
         *       "compression": {},
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
        HttpsEdgeRouteCreate: {
            /**
             * @description How the path of a request is compared with `match`. An exact match takes precedence over every prefix.
             * @enum {string}
             */
            match_type: "exact_path" | "path_prefix";
            /** @description The path, or the start of it. If several prefixes match, the longest wins. */
            match: string;
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            backend?: components["schemas"]["BackendModuleMutate"];
            circuit_breaker?: components["schemas"]["CircuitBreakerModuleMutate"];
            compression?: components["schemas"]["CompressionModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            request_headers?: components["schemas"]["RequestHeadersModuleMutate"];
            response_headers?: components["schemas"]["ResponseHeadersModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            user_agent_filter?: components["schemas"]["UserAgentFilterModuleMutate"];
            webhook_verification?: components["schemas"]["WebhookVerificationModuleMutate"];
            websocket_tcp_converter?: components["schemas"]["WebsocketTcpConverterModuleMutate"];
        };
        HttpsEdgeRouteList: {
            /** @description The objects on this page, newest first. */
            routes: components["schemas"]["HttpsEdgeRoute"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "match": "/api/v2/"
         *     }
         */
        HttpsEdgeRouteUpdate: {
            /**
             * @description How the path of a request is compared with `match`. An exact match takes precedence over every prefix.
             * @enum {string}
             */
            match_type?: "exact_path" | "path_prefix";
            /** @description The path, or the start of it. If several prefixes match, the longest wins. */
            match?: string;
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            backend?: components["schemas"]["BackendModuleMutate"];
            circuit_breaker?: components["schemas"]["CircuitBreakerModuleMutate"];
            compression?: components["schemas"]["CompressionModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            request_headers?: components["schemas"]["RequestHeadersModuleMutate"];
            response_headers?: components["schemas"]["ResponseHeadersModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            user_agent_filter?: components["schemas"]["UserAgentFilterModuleMutate"];
            webhook_verification?: components["schemas"]["WebhookVerificationModuleMutate"];
            websocket_tcp_converter?: components["schemas"]["WebsocketTcpConverterModuleMutate"];
        };
        /**
         * @example {
         *       "mutual_tls": {
         *         "enabled": false
         *       }
         *     }
         */
        HttpsEdgeUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["HttpsTlsTerminationModuleMutate"];
        };
        /**
         * @description The minimum TLS version.
         * @example {
         *       "enabled": true,
         *       "terminate_at": "edge",
         *       "min_version": "1.3"
         *     }
         */
        HttpsTlsTerminationModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /**
             * @description Where TLS is terminated: for HTTPS always at the `edge`.
             * @constant
             */
            terminate_at: "edge";
            /** @description Minimum TLS version. Null means the default of the service, 1.2. */
            min_version: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description The minimum TLS version.
         * @example {
         *       "min_version": "1.3"
         *     }
         */
        HttpsTlsTerminationModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /**
             * @description Where TLS is terminated: for HTTPS always at the `edge`. Defaults to `"edge"`.
             * @constant
             */
            terminate_at?: "edge";
            /** @description Minimum TLS version. Null means the default of the service, 1.2. */
            min_version?: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description A set of rules that allow or deny source IP addresses; their order does not matter. A policy applies to traffic once an IP restriction refers to it.
         * @example {
         *       "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "Lisbon office"
         *     }
         */
        IpPolicy: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
        };
        /**
         * @example {
         *       "description": "Lisbon office"
         *     }
         */
        IpPolicyCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
        };
        IpPolicyList: {
            /** @description The objects on this page, newest first. */
            ip_policies: components["schemas"]["IpPolicy"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/ip_policies
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @description Allows or denies traffic from a range of source IP addresses. A matching `deny` rule overrides every `allow` rule.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation. Matches only sources of the same address family. Always in canonical form. */
            cidr: string;
            /** @description The policy that the rule belongs to. */
            ip_policy: components["schemas"]["Ref"];
            /**
             * @description Whether sources in the range are allowed. A matching `deny` rule overrides every `allow` rule, whichever policies they belong to.
             * @enum {string}
             */
            action: "allow" | "deny";
            /** @description When the rule expires (RFC 3339). From then on it has no effect, and it is deleted within a minute. Omitted if not set. */
            expires_at?: string;
        };
        /**
         * @example {
         *       "cidr": "198.51.100.0/24",
         *       "ip_policy_id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "action": "allow"
         *     }
         */
        IpPolicyRuleCreate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation. Matches only sources of the same address family. No host bits may be set. */
            cidr: string;
            /** @description The policy that the rule belongs to. Cannot be changed later. */
            ip_policy_id: string;
            /**
             * @description Whether sources in the range are allowed. A matching `deny` rule overrides every `allow` rule, whichever policies they belong to. Cannot be changed later.
             * @enum {string}
             */
            action: "allow" | "deny";
            /** @description When the rule expires (RFC 3339). From then on it has no effect, and it is deleted within a minute. Must be in the future; "" clears it. */
            expires_at?: string;
        };
        IpPolicyRuleList: {
            /** @description The objects on this page, newest first. */
            ip_policy_rules: components["schemas"]["IpPolicyRule"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/ip_policy_rules
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "cidr": "2001:db8:42::/48"
         *     }
         */
        IpPolicyRuleUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description An IPv4 or IPv6 address or range in CIDR notation. Matches only sources of the same address family. No host bits may be set. */
            cidr?: string;
            /** @description When the rule expires (RFC 3339). From then on it has no effect, and it is deleted within a minute. Must be in the future; "" clears it. */
            expires_at?: string;
        };
        /**
         * @example {
         *       "rules": [
         *         {
         *           "cidr": "198.51.100.0/24",
         *           "action": "allow",
         *           "description": "Lisbon office"
         *         }
         *       ]
         *     }
         */
        IpPolicyRulesReplaceRequest: {
            /** @description The complete list of the policy's rules. Each combination of CIDR and action must be unique. */
            rules: {
                /** @description Human-readable description, at most 255 bytes in UTF-8. */
                description?: string;
                /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
                metadata?: string;
                /** @description An IPv4 or IPv6 address or range in CIDR notation. Matches only sources of the same address family. No host bits may be set. */
                cidr: string;
                /**
                 * @description Whether sources in the range are allowed. A matching `deny` rule overrides every `allow` rule, whichever policies they belong to.
                 * @enum {string}
                 */
                action: "allow" | "deny";
                /** @description When the rule expires (RFC 3339). From then on it has no effect, and it is deleted within a minute. Must be in the future; "" clears it. */
                expires_at?: string;
            }[];
        };
        /**
         * @description How many rules of an IP policy were created, changed, deleted and kept.
         * @example {
         *       "created": 1,
         *       "updated": 0,
         *       "deleted": 0,
         *       "unchanged": 0
         *     }
         */
        IpPolicyRulesReplaced: {
            /** @description How many rules were created. */
            created: number;
            /** @description How many rules were changed. */
            updated: number;
            /** @description How many rules were deleted. */
            deleted: number;
            /** @description How many rules were unchanged. */
            unchanged: number;
        };
        /**
         * @example {
         *       "description": "Lisbon and Porto offices"
         *     }
         */
        IpPolicyUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
        };
        /**
         * @description Restricts who may connect, by source IP address. A source is allowed if it matches at least one `allow` rule and no `deny` rule. The rules of all policies form one set, whose order does not matter; a source that matches no rule is rejected. An enabled restriction without policies, or with only empty or deleted policies, therefore admits nobody. A deleted policy counts as a policy without rules: if it held the `deny` rules, the sources that they blocked are allowed if another policy allows them.
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
            /** @description The IP policies whose rules apply. */
            ip_policies: components["schemas"]["Ref"][] | null;
        };
        /**
         * @description Restricts who may connect, by source IP address. A source is allowed if it matches at least one `allow` rule and no `deny` rule. The rules of all policies form one set, whose order does not matter; a source that matches no rule is rejected. An enabled restriction without policies, or with only empty or deleted policies, therefore admits nobody. A deleted policy counts as a policy without rules: if it held the `deny` rules, the sources that they blocked are allowed if another policy allows them.
         * @example {
         *       "ip_policy_ids": [
         *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        IpRestrictionModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Ids of the IP policies whose rules apply; their order does not matter. */
            ip_policy_ids?: string[];
        };
        /**
         * @description Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`.
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
            /** @description The certificate authorities that client certificates are verified against. */
            certificate_authorities: components["schemas"]["Ref"][] | null;
        };
        /**
         * @description Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`.
         * @example {
         *       "certificate_authority_ids": [
         *         "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       ]
         *     }
         */
        MutualTlsModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description The certificate authorities that client certificates are verified against, as ids. They can be managed elsewhere: only the form of the ids is checked. */
            certificate_authority_ids?: string[];
        };
        /**
         * @description An OpenAPI document.
         * @example {
         *       "openapi": "3.1.1"
         *     }
         */
        OpenApi: {
            /** @description The version of the OpenAPI Specification. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Something that is not served as it is written, or not at all.
         * @example {
         *       "object": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "code": "backend_not_set",
         *       "msg": "The edge is not served: it has no enabled backend."
         *     }
         */
        Problem: {
            /** @description Id of the object. */
            object: string;
            /** @description What is wrong, for programs to act on. */
            code: string;
            /** @description What is wrong and what is served instead, for people. */
            msg: string;
        };
        /** @description Configuration that is not served as written. */
        ProblemList: {
            /** @description The problems on this page, by object and code. */
            problems: components["schemas"]["Problem"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/problems
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /** @description A reference to another object. */
        Ref: {
            /** @description Id of the object. */
            id: string;
            /** @description URI of the object. */
            uri: string;
        };
        /**
         * @description Headers to add to and remove from requests before they are sent upstream.
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
            /** @description Headers to add: names and their values. Names are case-insensitive and must be unique. */
            add: {
                [key: string]: string;
            } | null;
            /** @description Names of headers to remove. */
            remove: string[] | null;
        };
        /**
         * @description Headers to add to and remove from requests before they are sent upstream.
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
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Headers to add: names and their values. Names are case-insensitive and must be unique. */
            add?: {
                [key: string]: string;
            };
            /** @description Names of headers to remove. */
            remove?: string[];
        };
        /** @example {} */
        ResealRequest: {
            /** @description The `next_before_id` of the previous response. If omitted, starts with the newest destination. */
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
            /** @description Number of destinations and routes examined. */
            looked_at: number;
            /** @description Number of destinations and routes whose secrets were resealed. */
            resealed: number;
            /** @description Destinations and routes with a secret that none of the keys can open. A route is named by its edge's id, a slash and its own id. */
            unopened: string[];
            /** @description Destinations and routes that another request changed in the meantime. A later run includes them again. A route is named by its edge's id, a slash and its own id. */
            unwritten: string[];
            /** @description Send this as `before_id` to continue; null when there are no more. */
            next_before_id: string | null;
        };
        /**
         * @description Headers to add to and remove from responses before they are sent to the client.
         * @example {
         *       "enabled": true,
         *       "add": {
         *         "Strict-Transport-Security": "max-age=31536000"
         *       },
         *       "remove": [
         *         "Server"
         *       ]
         *     }
         */
        ResponseHeadersModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description Headers to add: names and their values. Names are case-insensitive and must be unique. */
            add: {
                [key: string]: string;
            } | null;
            /** @description Names of headers to remove. */
            remove: string[] | null;
        };
        /**
         * @description Headers to add to and remove from responses before they are sent to the client.
         * @example {
         *       "add": {
         *         "Strict-Transport-Security": "max-age=31536000"
         *       },
         *       "remove": [
         *         "Server"
         *       ]
         *     }
         */
        ResponseHeadersModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Headers to add: names and their values. Names are case-insensitive and must be unique. */
            add?: {
                [key: string]: string;
            };
            /** @description Names of headers to remove. */
            remove?: string[];
        };
        /** @description The request to be simulated. */
        SimulatedRequest: {
            /** @description The method; GET if left out. */
            method?: string;
            /** @description The URL; `tcp://host:port` and `tls://host:port` for edges without routes. */
            url: string;
            /** @description Header lines, each a name and a value. */
            headers?: string[][];
            /** @description The client's address. */
            source_ip: string;
            /** @description The client's port; 40000 if left out. */
            source_port?: number;
            /** @description The TLS connection. */
            tls?: {
                /**
                 * @description The TLS version; 1.3 if left out.
                 * @enum {string}
                 */
                version?: "1.0" | "1.1" | "1.2" | "1.3";
                /** @description The common name in the client's certificate; without it, the client has no certificate. */
                client_common_name?: string;
            };
        };
        /**
         * @description What becomes of a request.
         * @example {
         *       "hostport": "shop.example.com:443",
         *       "edge": {
         *         "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "route": {
         *         "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *         "uri": "https://api.example.com/edges/https/{edge_id}/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *       },
         *       "steps": [
         *         {
         *           "module": "ip_restriction",
         *           "verdict": "pass",
         *           "reason": "allow_rule"
         *         }
         *       ],
         *       "outcome": {
         *         "kind": "response",
         *         "by": "traffic_policy",
         *         "status_code": 403,
         *         "headers": [],
         *         "body": ""
         *       },
         *       "assumptions": [
         *         "Rate limit login: 5 requests were let through before."
         *       ]
         *     }
         */
        Simulation: {
            /** @description The hostport that the request is sent to. */
            hostport: string;
            /** @description The edge that has the hostport. */
            edge: components["schemas"]["Ref"];
            /** @description The route that gets the request; null if there is none. */
            route: components["schemas"]["Ref"] | null;
            /** @description What each module did, in order: `verdict`, and `reason` where there are several. Of a traffic policy there is a step for each rule that was reached: its phase and position, the value of each expression, whether it `holds`, and what each action did. */
            steps: ({
                /** @description The module. */
                module: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description What becomes of the request. */
            outcome: {
                /**
                 * @description The proxy responds itself.
                 * @constant
                 */
                kind: "response";
                /** @description The module that responds. */
                by: string;
                /** @description The status. */
                status_code: number;
                /** @description Headers of the response. */
                headers: string[][];
                /** @description The body. */
                body: string;
            } | {
                /**
                 * @description The request reaches a backend.
                 * @constant
                 */
                kind: "upstream";
                /** @description The backend. */
                backend: components["schemas"]["Ref"];
                /** @description The addresses that it can be sent to. */
                addresses: string[];
                /** @description What the upstream gets; null for a connection. */
                request: {
                    /** @description The method. */
                    method: string;
                    /** @description Path and query. */
                    url: string;
                    /** @description Headers that the upstream gets. */
                    headers: string[][];
                } | null;
                /** @description What the client gets; null for a connection. */
                response: {
                    /** @description The status. */
                    status_code: number;
                    /** @description Headers that the client gets. */
                    headers: string[][];
                } | null;
            } | {
                /**
                 * @description The connection is closed.
                 * @constant
                 */
                kind: "closed";
                /** @description The module that closes it. */
                by: string;
            } | {
                /**
                 * @description The edge or the route is not served.
                 * @constant
                 */
                kind: "not_served";
                /** @description Why. */
                problems: components["schemas"]["Problem"][];
            };
            /** @description What was assumed. */
            assumptions: string[];
        };
        /**
         * @description A request, and what is assumed about it.
         * @example {
         *       "request": {
         *         "url": "https://shop.example.com/admin?x=1",
         *         "headers": [
         *           [
         *             "x-tier",
         *             "gold"
         *           ]
         *         ],
         *         "source_ip": "203.0.113.7"
         *       },
         *       "response": {
         *         "status_code": 200
         *       },
         *       "counts": {
         *         "login": 5
         *       }
         *     }
         */
        SimulationCreate: {
            request: components["schemas"]["SimulatedRequest"];
            /** @description What the upstream answers. */
            response?: {
                /** @description The status; 200 if left out. */
                status_code?: number;
                /** @description Header lines, each a name and a value. */
                headers?: string[][];
            };
            /**
             * Format: date-time
             * @description The time of the request; now if left out.
             */
            at?: string;
            /** @description How many requests each rate limit has let through, by its name; 0 for others. */
            counts?: {
                [key: string]: number;
            };
            /**
             * @description Whether the signatures of tokens are valid; `valid` if left out.
             * @enum {string}
             */
            jwt_signatures?: "valid" | "invalid";
            /** @description Traffic policies to use instead of the stored ones, by the id of the edge or route. */
            with?: {
                [key: string]: {
                    /** @description Whether the policy is enabled; true if left out. */
                    enabled?: boolean;
                    /** @description The text of the policy. */
                    value: string;
                };
            };
        };
        /**
         * @description Everything that serving traffic needs, resolved, of one instant.
         * @example {
         *       "version": 17,
         *       "edges": [
         *         {
         *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "kind": "tcp",
         *           "hostports": [
         *             "db.example.com:5432"
         *           ],
         *           "backend": {
         *             "backend_id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *           },
         *           "ip_restriction": {
         *             "ip_policy_ids": [
         *               "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *             ]
         *           }
         *         }
         *       ],
         *       "ip_policies": {
         *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX": {
         *           "allow": [
         *             "198.51.100.0/24"
         *           ],
         *           "deny": []
         *         }
         *       },
         *       "backends": {
         *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": {
         *           "kind": "static",
         *           "address": "db.internal.example.com:5432",
         *           "tls": false
         *         }
         *       },
         *       "certificate_authorities": {},
         *       "problems": []
         *     }
         */
        Snapshot: {
            /** @description Number of the newest change. */
            version: number;
            /** @description What is to be served, oldest first. Only enabled modules are there, without `enabled`. */
            edges: ({
                /** @description Id of the edge. */
                id: string;
                /** @description Where it is served, in lower case, addresses in canonical form; without those that an older edge has. An address is where connections are accepted; a name means all addresses. */
                hostports: string[];
                /**
                 * @description A TCP edge.
                 * @constant
                 */
                kind: "tcp";
                /** @description Where connections go. */
                backend: {
                    /** @description Id of the backend. */
                    backend_id: string;
                };
                /** @description Only sources that at least one allow rule matches, and no deny rule, are let in. */
                ip_restriction?: {
                    /** @description Ids of IP policies, whose rules are one set; without any, nobody is let in. */
                    ip_policy_ids: string[];
                };
                /** @description What is done with connections, requests and responses. An edge or route whose policy the agent cannot enforce is not served unless the agent runs with `--ignore-traffic-policies`. */
                traffic_policy?: {
                    /** @description The text of the traffic policy. */
                    value: string;
                    /** @description The compiled policy. Without it, the policy cannot be enforced. */
                    program?: unknown;
                };
            } | {
                /** @description Id of the edge. */
                id: string;
                /** @description Where it is served, in lower case, addresses in canonical form; without those that an older edge has. An address is where connections are accepted; a name means all addresses. */
                hostports: string[];
                /**
                 * @description A TLS edge.
                 * @constant
                 */
                kind: "tls";
                /** @description Where connections go. */
                backend: {
                    /** @description Id of the backend. */
                    backend_id: string;
                };
                /** @description Only sources that at least one allow rule matches, and no deny rule, are let in. */
                ip_restriction?: {
                    /** @description Ids of IP policies, whose rules are one set; without any, nobody is let in. */
                    ip_policy_ids: string[];
                };
                /** @description What is done with connections, requests and responses. An edge or route whose policy the agent cannot enforce is not served unless the agent runs with `--ignore-traffic-policies`. */
                traffic_policy?: {
                    /** @description The text of the traffic policy. */
                    value: string;
                    /** @description The compiled policy. Without it, the policy cannot be enforced. */
                    program?: unknown;
                };
                /** @description How TLS is terminated. Without it, TLS is passed through to the upstream. */
                tls_termination?: {
                    /**
                     * @description Minimum TLS version.
                     * @enum {string}
                     */
                    min_version: "1.0" | "1.1" | "1.2" | "1.3";
                };
                /** @description Only clients with a certificate of one of these authorities are let in. */
                mutual_tls?: {
                    /** @description Ids of certificate authorities, at least one. */
                    certificate_authority_ids: string[];
                };
            } | {
                /** @description Id of the edge. */
                id: string;
                /** @description Where it is served, in lower case, addresses in canonical form; without those that an older edge has. An address is where connections are accepted; a name means all addresses. */
                hostports: string[];
                /**
                 * @description An HTTPS edge.
                 * @constant
                 */
                kind: "https";
                /** @description How TLS is terminated. */
                tls_termination: {
                    /**
                     * @description Minimum TLS version.
                     * @enum {string}
                     */
                    min_version: "1.0" | "1.1" | "1.2" | "1.3";
                };
                /** @description Only clients with a certificate of one of these authorities are let in. */
                mutual_tls?: {
                    /** @description Ids of certificate authorities, at least one. */
                    certificate_authority_ids: string[];
                };
                /** @description What is done with requests, oldest first. A path that none of them matches is answered with 404. */
                routes: {
                    /** @description Id of the route. */
                    id: string;
                    /**
                     * @description How `match` is compared.
                     * @enum {string}
                     */
                    match_type: "exact_path" | "path_prefix";
                    /** @description Compared with the path as it was sent, without the query. Exact matches come before prefixes, longer prefixes before shorter ones. */
                    match: string;
                    /** @description Without it, requests for this path are answered with 503, never by another route. */
                    backend?: {
                        /** @description Id of the backend. */
                        backend_id: string;
                    };
                    /** @description Only sources that at least one allow rule matches, and no deny rule, are let in. */
                    ip_restriction?: {
                        /** @description Ids of IP policies, whose rules are one set; without any, nobody is let in. */
                        ip_policy_ids: string[];
                    };
                    /** @description What is done with connections, requests and responses. An edge or route whose policy the agent cannot enforce is not served unless the agent runs with `--ignore-traffic-policies`. */
                    traffic_policy?: {
                        /** @description The text of the traffic policy. */
                        value: string;
                        /** @description The compiled policy. Without it, the policy cannot be enforced. */
                        program?: unknown;
                    };
                    /** @description When requests are no longer passed to the backend for a while. */
                    circuit_breaker?: {
                        /** @description Seconds. */
                        tripped_duration: number;
                        /** @description Seconds. */
                        rolling_window: number;
                        /** @description How finely the window is divided. */
                        num_buckets: number;
                        /** @description Requests in a window. */
                        volume_threshold: number;
                        /** @description A fraction, from 0 to 1. */
                        error_threshold_percentage: number;
                    };
                    /** @description What is changed in the headers of requests. */
                    request_headers?: {
                        /** @description Headers that are set, by name. */
                        add: {
                            [key: string]: string;
                        } | null;
                        /** @description Names of headers that are removed. */
                        remove: string[] | null;
                    };
                    /** @description What is changed in the headers of responses. */
                    response_headers?: {
                        /** @description Headers that are set, by name. */
                        add: {
                            [key: string]: string;
                        } | null;
                        /** @description Names of headers that are removed. */
                        remove: string[] | null;
                    };
                    /** @description Responses are compressed. */
                    compression?: Record<string, never>;
                    /** @description Which user agents are let in: allow comes before deny. */
                    user_agent_filter?: {
                        /** @description Regular expressions. */
                        allow: string[] | null;
                        /** @description Regular expressions. */
                        deny: string[] | null;
                    };
                    /** @description Binary messages of WebSocket connections are passed to the backend as TCP. */
                    websocket_tcp_converter?: Record<string, never>;
                }[];
            })[];
            /** @description IP policies by id. Ranges of IPv4-mapped addresses are there as IPv4; a range matches addresses of its own family alone. */
            ip_policies: {
                [key: string]: {
                    /** @description Ranges in CIDR notation, in canonical form. */
                    allow: string[];
                    /** @description Ranges in CIDR notation, in canonical form. */
                    deny: string[];
                };
            };
            /** @description Backends by id. */
            backends: {
                [key: string]: {
                    /**
                     * @description An address.
                     * @constant
                     */
                    kind: "static";
                    /** @description `host:port`. */
                    address: string;
                    /** @description Whether it is called over TLS, its certificate checked for the host against the system's roots. */
                    tls: boolean;
                } | {
                    /**
                     * @description A fixed response.
                     * @constant
                     */
                    kind: "http_response";
                    /** @description Its status. */
                    status_code: number;
                    /** @description Its headers, by name in lower case. */
                    headers: {
                        [key: string]: string;
                    };
                    /** @description Its body. */
                    body: string;
                } | {
                    /**
                     * @description Backends that are tried in order.
                     * @constant
                     */
                    kind: "failover";
                    /** @description Ids of backends, in order. */
                    backends: string[];
                } | {
                    /**
                     * @description Backends among which traffic is divided.
                     * @constant
                     */
                    kind: "weighted";
                    /** @description Weights by id. */
                    backends: {
                        [key: string]: number;
                    };
                };
            };
            /** @description Certificates in PEM by id. */
            certificate_authorities: {
                [key: string]: string;
            };
            /** @description What is not served as it is written, by object and code. */
            problems: components["schemas"]["Problem"][];
        };
        /**
         * @description An address that traffic is forwarded to.
         * @example {
         *       "id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/backends/static/bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "The shop",
         *       "address": "shop.internal.example.com:8443",
         *       "tls": {
         *         "enabled": true
         *       }
         *     }
         */
        StaticBackend: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description Where traffic is forwarded to, as `host:port`. */
            address: string;
            /** @description TLS on the way to the address. */
            tls: {
                /** @description Whether traffic is forwarded over TLS: the host of `address` is sent as SNI, and the upstream's certificate must be valid for it and issued under the system's roots. */
                enabled: boolean;
            };
        };
        /**
         * @example {
         *       "description": "The shop",
         *       "address": "shop.internal.example.com:8443",
         *       "tls": {
         *         "enabled": true
         *       }
         *     }
         */
        StaticBackendCreate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Where traffic is forwarded to, as `host:port`. */
            address: string;
            /** @description TLS on the way to the address. */
            tls?: {
                /** @description Whether traffic is forwarded over TLS: the host of `address` is sent as SNI, and the upstream's certificate must be valid for it and issued under the system's roots. Defaults to `false`. */
                enabled?: boolean;
            };
        };
        StaticBackendList: {
            /** @description The objects on this page, newest first. */
            backends: components["schemas"]["StaticBackend"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/backends/static
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "address": "192.0.2.7:8080",
         *       "tls": {
         *         "enabled": false
         *       }
         *     }
         */
        StaticBackendUpdate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Where traffic is forwarded to, as `host:port`. */
            address?: string;
            /** @description TLS on the way to the address. */
            tls?: {
                /** @description Whether traffic is forwarded over TLS: the host of `address` is sent as SNI, and the upstream's certificate must be valid for it and issued under the system's roots. Defaults to `false`. */
                enabled?: boolean;
            };
        };
        /**
         * @description An entry point for TCP traffic.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports: string[] | null;
            /** @description The backend that receives the traffic of the edge. Null if not set. */
            backend: components["schemas"]["BackendModule"] | null;
            /** @description Restricts who may connect, by source IP address. Null if not set. */
            ip_restriction: components["schemas"]["IpRestrictionModule"] | null;
            /** @description The traffic policy to apply at the endpoint. Null if not set. */
            traffic_policy: components["schemas"]["TrafficPolicyModule"] | null;
            /** @description Reserved; always null. */
            policy: string | null;
        };
        /**
         * @example {
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "traffic_policy": {
         *         "value": "{\"on_tcp_connect\":[]}"
         *       }
         *     }
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
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
        };
        TcpEdgeList: {
            /** @description The objects on this page, newest first. */
            tcp_edges: components["schemas"]["TcpEdge"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/edges/tcp
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
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
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
        };
        /**
         * @description An entry point for TLS traffic.
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
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports: string[] | null;
            /** @description The backend that receives the traffic of the edge. Null if not set. */
            backend: components["schemas"]["BackendModule"] | null;
            /** @description Restricts who may connect, by source IP address. Null if not set. */
            ip_restriction: components["schemas"]["IpRestrictionModule"] | null;
            /** @description The traffic policy to apply at the endpoint. Null if not set. */
            traffic_policy: components["schemas"]["TrafficPolicyModule"] | null;
            /** @description Reserved; always null. */
            policy: string | null;
            /** @description Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`. Null if not set. */
            mutual_tls: components["schemas"]["MutualTlsModule"] | null;
            /** @description Where TLS is terminated, and the minimum TLS version. Null if not set. */
            tls_termination: components["schemas"]["TlsTerminationModule"] | null;
        };
        /**
         * @example {
         *       "description": "Front door",
         *       "hostports": [
         *         "front.example.com:443"
         *       ],
         *       "traffic_policy": {
         *         "value": "{\"on_tcp_connect\":[]}"
         *       },
         *       "tls_termination": {
         *         "min_version": "1.3"
         *       }
         *     }
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
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["TlsTerminationModuleMutate"];
        };
        TlsEdgeList: {
            /** @description The objects on this page, newest first. */
            tls_edges: components["schemas"]["TlsEdge"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/edges/tls
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "tls_termination": {
         *         "min_version": "1.2"
         *       }
         *     }
         */
        TlsEdgeUpdate: {
            /** @description Human-readable description, at most 255 bytes in UTF-8. */
            description?: string;
            /** @description Machine-readable string in a format of your own, at most 4096 bytes in UTF-8. */
            metadata?: string;
            /** @description The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets. */
            hostports?: string[];
            backend?: components["schemas"]["BackendModuleMutate"];
            /** @description Restricts who may connect, by source IP address. */
            ip_restriction?: components["schemas"]["IpRestrictionModuleMutate"];
            traffic_policy?: components["schemas"]["TrafficPolicyModuleMutate"];
            mutual_tls?: components["schemas"]["MutualTlsModuleMutate"];
            tls_termination?: components["schemas"]["TlsTerminationModuleMutate"];
        };
        /**
         * @description Where TLS is terminated, and the minimum TLS version.
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
             * @description Where TLS is terminated: at the `edge`, or at the `upstream`, to which the TLS connection is passed through.
             * @enum {string}
             */
            terminate_at: "edge" | "upstream";
            /** @description Minimum TLS version. Null means the default of the service, 1.2. Must be null if `terminate_at` is `upstream`. */
            min_version: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description Where TLS is terminated, and the minimum TLS version.
         * @example {
         *       "terminate_at": "edge",
         *       "min_version": "1.3"
         *     }
         */
        TlsTerminationModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /**
             * @description Where TLS is terminated: at the `edge`, or at the `upstream`, to which the TLS connection is passed through. Defaults to `"edge"`.
             * @enum {string}
             */
            terminate_at?: "edge" | "upstream";
            /** @description Minimum TLS version. Null means the default of the service, 1.2. Must be null if `terminate_at` is `upstream`. */
            min_version?: ("1.0" | "1.1" | "1.2" | "1.3") | null;
        };
        /**
         * @description A dynamic configuration of a Traefik proxy, version 3.
         * @example {
         *       "tcp": {
         *         "routers": {},
         *         "services": {}
         *       }
         *     }
         */
        TraefikConfiguration: {
            /** @description Routers, services and middlewares. */
            http?: {
                [key: string]: unknown;
            };
            /** @description Routers and services. */
            tcp?: {
                [key: string]: unknown;
            };
            /** @description Options. */
            tls?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The verdict on a traffic policy.
         * @example {
         *       "verdict": "enforced",
         *       "findings": [
         *         {
         *           "severity": "warning",
         *           "code": "expression_can_fail",
         *           "path": "/on_http_request/0/expressions/0",
         *           "offset": null,
         *           "line": null,
         *           "column": null,
         *           "msg": "This expression can end in an error, which refuses the request with the status 500 or closes the connection."
         *         }
         *       ],
         *       "rules": [
         *         {
         *           "phase": "on_http_request",
         *           "index": 0,
         *           "name": "admins",
         *           "expressions": [
         *             {
         *               "text": "req.url.path.startsWith('/admin')",
         *               "can_fail": true
         *             }
         *           ],
         *           "actions": [
         *             {
         *               "type": "deny",
         *               "terminates": true
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        TrafficPolicyCheck: {
            /**
             * @description `enforced`; `invalid`: the text breaks a rule of the language; or `not_enforced`: it is valid, but something in it cannot be enforced. With the last two, an edge is not served and a route returns 503.
             * @enum {string}
             */
            verdict: "enforced" | "invalid" | "not_enforced";
            /** @description Errors and warnings, at most 100. */
            findings: components["schemas"]["TrafficPolicyFinding"][];
            /** @description The rules that were understood. */
            rules: {
                /**
                 * @description The phase.
                 * @enum {string}
                 */
                phase: "on_tcp_connect" | "on_http_request" | "on_http_response";
                /** @description Position in the phase, from 0. */
                index: number;
                /** @description The rule's name. */
                name: string | null;
                /** @description The rule's expressions. */
                expressions: {
                    /** @description The expression. */
                    text: string;
                    /** @description Whether it can end in an error, which refuses the request with the status 500. */
                    can_fail: boolean;
                }[];
                /** @description The rule's actions. */
                actions: {
                    /** @description The type of the action. */
                    type: string;
                    /** @description Whether it can end the phase. */
                    terminates: boolean;
                }[];
            }[];
        };
        /**
         * @description The text of a traffic policy, to be checked.
         * @example {
         *       "value": "{\"on_http_request\":[{\"name\":\"admins\",\"expressions\":[\"req.url.path.startsWith('/admin')\"],\"actions\":[{\"type\":\"deny\"}]}]}",
         *       "for": "https_edge_route"
         *     }
         */
        TrafficPolicyCheckRequest: {
            /** @description The text of the policy, as the module `traffic_policy` has it. */
            value: string;
            /**
             * @description What the policy belongs to, which decides the phases that it can have.
             * @enum {string}
             */
            for: "tcp_edge" | "tls_edge" | "https_edge_route";
        };
        /** @description Something that is wrong with a policy, or a warning. */
        TrafficPolicyFinding: {
            /**
             * @description Whether the policy is served.
             * @enum {string}
             */
            severity: "error" | "warning";
            /** @description What is wrong, for programs to act on. */
            code: string;
            /** @description JSON pointer to the place in the policy; empty for the whole text. */
            path: string;
            /** @description Position in the string at `path`, or in the text if `path` is empty, in UTF-16 units. */
            offset: number | null;
            /** @description The line of that position, from 1. */
            line: number | null;
            /** @description The column of that position, from 1. */
            column: number | null;
            /** @description What is wrong, for people. */
            msg: string;
        };
        /**
         * @description The traffic policy to apply at the endpoint.
         * @example {
         *       "enabled": true,
         *       "value": "{\"on_tcp_connect\":[]}"
         *     }
         */
        TrafficPolicyModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description The policy, as given. */
            value: string;
        };
        /**
         * @description The traffic policy to apply at the endpoint.
         * @example {
         *       "enabled": true,
         *       "value": "{\"on_tcp_connect\":[]}"
         *     }
         */
        TrafficPolicyModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description The policy, as a string in JSON or YAML. Any string is stored; `POST /traffic_policies/check` says whether it can be enforced. */
            value: string;
        };
        /**
         * @description Several operations that took effect as one.
         * @example {
         *       "dry_run": false,
         *       "results": [
         *         {
         *           "status": 201,
         *           "etag": "\"0a1b2c3d-1\"",
         *           "body": {
         *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *             "description": "Lisbon office"
         *           }
         *         }
         *       ]
         *     }
         */
        Transaction: {
            /** @description True if nothing was changed. */
            dry_run: boolean;
            /** @description The result of each operation, in the same order. */
            results: {
                /** @description The status that the operation would have had as a separate request. */
                status: number;
                /** @description The `ETag` of the object afterwards; null for a deletion and in a dry run. */
                etag: string | null;
                /** @description The object that a POST created; null for all other operations and in a dry run. */
                body: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        /**
         * @example {
         *       "operations": [
         *         {
         *           "method": "POST",
         *           "path": "/ip_policies",
         *           "body": {
         *             "description": "Lisbon office"
         *           },
         *           "name": "office"
         *         },
         *         {
         *           "method": "POST",
         *           "path": "/ip_policy_rules",
         *           "body": {
         *             "ip_policy_id": "$office",
         *             "cidr": "198.51.100.0/24",
         *             "action": "allow"
         *           }
         *         }
         *       ]
         *     }
         */
        TransactionCreate: {
            /** @description True to check everything and change nothing. */
            dry_run?: boolean;
            /** @description The operations, in the order in which they are executed. */
            operations: components["schemas"]["TransactionOperationRequest"][];
        };
        /** @description One operation of a transaction. */
        TransactionOperationRequest: {
            /**
             * @description The method of the operation.
             * @enum {string}
             */
            method: "POST" | "PATCH" | "PUT" | "DELETE";
            /**
             * @description The path of the operation. `$name` stands for the id that an earlier operation with this `name` creates.
             * @example /ip_policies
             */
            path: string;
            /** @description The body of the operation. `$name` can replace any id, as in `path`. */
            body?: {
                [key: string]: unknown;
            };
            /** @description As the header `If-Match`, for operations that support it. */
            if_match?: string;
            /** @description A name for the id of the object that the operation creates, for use in later operations. Must be unique. */
            name?: string;
        };
        /**
         * @description The objects that refer to an object.
         * @example {
         *       "used_by": [
         *         {
         *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
         *         }
         *       ],
         *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
         *       "next_page_uri": null
         *     }
         */
        UsedBy: {
            /** @description The objects on this page, by descending id. */
            used_by: components["schemas"]["Ref"][];
            /** @description URI of the list. */
            uri: string;
            /** @description URI of the next page; null if there is none. */
            next_page_uri: string | null;
        };
        /**
         * @description Blocks bots and other clients by their `User-Agent`. A match of `allow` overrides every match of `deny`. A request without the header is rejected unless an `allow` expression matches the empty string.
         * @example {
         *       "enabled": true,
         *       "allow": [
         *         "(?i)^acme-monitor/"
         *       ],
         *       "deny": [
         *         "(?i)bot"
         *       ]
         *     }
         */
        UserAgentFilterModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description Regular expressions of user agents that are allowed, regardless of `deny`. */
            allow: string[] | null;
            /** @description Regular expressions of user agents that are rejected. */
            deny: string[] | null;
        };
        /**
         * @description Blocks bots and other clients by their `User-Agent`. A match of `allow` overrides every match of `deny`. A request without the header is rejected unless an `allow` expression matches the empty string.
         * @example {
         *       "allow": [
         *         "(?i)^acme-monitor/"
         *       ],
         *       "deny": [
         *         "(?i)bot"
         *       ]
         *     }
         */
        UserAgentFilterModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description Regular expressions of user agents that are allowed, regardless of `deny`. Each of 1 to 1024 bytes of UTF-8. */
            allow?: string[];
            /** @description Regular expressions of user agents that are rejected. Each of 1 to 1024 bytes of UTF-8. */
            deny?: string[];
        };
        /**
         * @description Accepts only webhooks that their provider has signed.
         * @example {
         *       "enabled": true,
         *       "provider": "github",
         *       "secret": null
         *     }
         */
        WebhookVerificationModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
            /** @description The sender of the webhooks: at most 64 letters, digits and underscores. */
            provider: string;
            /** @description The webhook secret that the provider signs with. Required, except for `sns`, whose signatures do not need a secret. Write-only: always null here. */
            secret: string | null;
        };
        /**
         * @description Accepts only webhooks that their provider has signed.
         * @example {
         *       "provider": "github",
         *       "secret": "<SECRET>"
         *     }
         */
        WebhookVerificationModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
            /** @description The sender of the webhooks: at most 64 letters, digits and underscores. */
            provider: string;
            /** @description The webhook secret that the provider signs with. Required, except for `sns`, whose signatures do not need a secret. Write-only. */
            secret?: string;
        };
        /**
         * @description Converts binary WebSocket frames to a TCP stream.
         * @example {
         *       "enabled": true
         *     }
         */
        WebsocketTcpConverterModule: {
            /** @description Whether the module is applied to traffic. */
            enabled: boolean;
        };
        /**
         * @description Converts binary WebSocket frames to a TCP stream.
         * @example {
         *       "enabled": true
         *     }
         */
        WebsocketTcpConverterModuleMutate: {
            /** @description Whether the module is applied to traffic. Defaults to `true`. */
            enabled?: boolean;
        };
        /**
         * @description Backends among which traffic is divided by their weights.
         * @example {
         *       "id": "bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "uri": "https://api.example.com/backends/weighted/bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
         *       "created_at": "2026-01-02T03:04:05Z",
         *       "description": "A tenth of the traffic tries the new shop",
         *       "backends": {
         *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
         *       }
         *     }
         */
        WeightedBackend: {
            /** @description Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids. */
            id: string;
            /** @description URI of the object. */
            uri: string;
            /**
             * Format: date-time
             * @description When the object was created, in UTC (RFC 3339).
             */
            created_at: string;
            /** @description Human-readable description. Omitted if not set. */
            description?: string;
            /** @description Machine-readable string in a format of your own. Omitted if not set. */
            metadata?: string;
            /** @description Weights of the child backends (HTTP response or static backends), by id. Each backend's share of the traffic is its weight divided by the sum of all weights; a weight of 0 gets no traffic. */
            backends: {
                [key: string]: number;
            } | null;
        };
        /**
         * @example {
         *       "description": "A tenth of the traffic tries the new shop"
         *     }
         * @example {
         *       "description": "A tenth of the traffic tries the new shop",
         *       "backends": {
         *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
         *       }
         *     }
         */
        WeightedBackendCreate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Weights of the child backends (HTTP response or static backends), by id. Each backend's share of the traffic is its weight divided by the sum of all weights; a weight of 0 gets no traffic. Not all 0. */
            backends?: {
                [key: string]: number;
            };
        };
        WeightedBackendList: {
            /** @description The objects on this page, newest first. */
            backends: components["schemas"]["WeightedBackend"][];
            /**
             * @description URI of the list.
             * @example https://api.example.com/backends/weighted
             */
            uri: string;
            /**
             * @description URI of the next page, however few objects this one holds; null if there is none.
             * @example null
             */
            next_page_uri: string | null;
        };
        /**
         * @example {
         *       "backends": {
         *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 1,
         *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 1
         *       }
         *     }
         */
        WeightedBackendUpdate: {
            /** @description Human-readable description. */
            description?: string;
            /** @description Machine-readable string in a format of your own. */
            metadata?: string;
            /** @description Weights of the child backends (HTTP response or static backends), by id. Each backend's share of the traffic is its weight divided by the sum of all weights; a weight of 0 gets no traffic. Not all 0. */
            backends?: {
                [key: string]: number;
            };
        };
    };
    responses: {
        /** @description Not modified since the given ETag. There is no body. */
        NotModified: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                ETag: components["headers"]["ETag"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The document has not changed since the given ETag. There is no body. */
        DocumentNotModified: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `ERR_CONFLICT`: An object that must be unique already exists, or the collection is full. */
        Conflict: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_CONFLICT";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 409;
                };
            };
        };
        /** @description `ERR_FORBIDDEN`: The role of the API key does not allow the operation, or a bot user's key tried to create a key for another owner. `ERR_HTTPS_REQUIRED`: The request was sent over plain HTTP. */
        ForbiddenOrHttpsRequired: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_FORBIDDEN" | "ERR_HTTPS_REQUIRED";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 403;
                };
            };
        };
        /** @description `ERR_HTTPS_REQUIRED`: The request was sent over plain HTTP. */
        HttpsRequired: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_HTTPS_REQUIRED";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 403;
                };
            };
        };
        /** @description `ERR_IDEMPOTENCY_MISMATCH`: The `Idempotency-Key` was used for a different request within the last 24 hours. */
        IdempotencyMismatch: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_IDEMPOTENCY_MISMATCH";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 422;
                };
            };
        };
        /** @description `ERR_IN_USE`: The object cannot be deleted because other objects use it. */
        InUse: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_IN_USE";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 409;
                };
            };
        };
        /** @description `ERR_IN_USE`: The object cannot be deleted because other objects use it. `ERR_CONFLICT`: An object that must be unique already exists, or the collection is full. */
        InUseOrConflict: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_IN_USE" | "ERR_CONFLICT";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 409;
                };
            };
        };
        /** @description `ERR_INTERNAL`: The service failed unexpectedly. The cause is in its log. */
        Internal: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_INTERNAL";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 500;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a field, query parameter or header is invalid, unknown or missing. */
        InvalidRequest: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_INVALID_REQUEST";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a field, query parameter or header is invalid, unknown or missing. `ERR_UNSUPPORTED_VERSION`: The `Service-Version` header is missing or names an unsupported version. */
        InvalidRequestOrUnsupportedVersion: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_INVALID_REQUEST" | "ERR_UNSUPPORTED_VERSION";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_INVALID_REQUEST`: The body is not a JSON object, or a field, query parameter or header is invalid, unknown or missing. `ERR_UNSUPPORTED_VERSION`: The `Service-Version` header is missing or names an unsupported version. `ERR_UNKNOWN_REFERENCE`: The body refers to objects that do not exist. */
        InvalidRequestOrUnsupportedVersionOrUnknownReference: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_INVALID_REQUEST" | "ERR_UNSUPPORTED_VERSION" | "ERR_UNKNOWN_REFERENCE";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 400;
                };
            };
        };
        /** @description `ERR_NOT_FOUND`: There is no object with this id, or it has no such module or source. */
        NotFound: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_NOT_FOUND";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 404;
                };
            };
        };
        /** @description `ERR_PRECONDITION_FAILED`: The condition in `If-Match` or `If-None-Match` is not met. */
        PreconditionFailed: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_PRECONDITION_FAILED";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 412;
                };
            };
        };
        /** @description `ERR_RATE_LIMITED`: Too many requests with this API key, or too many without a valid key from this client address. */
        RateLimited: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_RATE_LIMITED";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 429;
                };
            };
        };
        /** @description `ERR_REQUEST_TIMEOUT`: The body did not arrive in time. */
        RequestTimeout: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_REQUEST_TIMEOUT";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 408;
                };
            };
        };
        /** @description `ERR_SIMULATION_TOO_LONG`: Matching the patterns of the simulated request takes too many steps. */
        SimulationTooLong: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_SIMULATION_TOO_LONG";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 422;
                };
            };
        };
        /** @description `ERR_TOO_LARGE`: The body exceeds 1 MiB, or the object, or the response to be stored for an `Idempotency-Key`, would exceed 1.9 MB. */
        TooLarge: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_TOO_LARGE";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 413;
                };
            };
        };
        /** @description `ERR_UNAUTHENTICATED`: The API key is missing, malformed, unknown, expired or revoked, or its bot user is inactive. */
        Unauthenticated: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_UNAUTHENTICATED";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 401;
                };
            };
        };
        /** @description `ERR_UNAVAILABLE`: The database is unavailable, or the service is not fully configured. */
        Unavailable: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_UNAVAILABLE";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 503;
                };
            };
        };
        /** @description `ERR_UNSUPPORTED_MEDIA_TYPE`: The body was sent without `Content-Type: application/json`. */
        UnsupportedMediaType: {
            headers: {
                "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Service-Bookmark": components["headers"]["ServiceBookmark"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description What went wrong, for programs to act on.
                     * @enum {string}
                     */
                    error_code?: "ERR_UNSUPPORTED_MEDIA_TYPE";
                    /**
                     * @description The status code of the response.
                     * @constant
                     */
                    status_code?: 415;
                };
            };
        };
    };
    parameters: {
        /**
         * @description The version of the API that the request is written for.
         * @example 2
         */
        ServiceVersion: "2";
        /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
        ServiceBookmark: string;
        /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
        IdempotencyKey: string;
        /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
        IfMatch: string;
        /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Responses must not be stored; the OpenAPI document must be revalidated before each use.
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description Prevents browsers from loading anything on behalf of a response.
         * @example default-src 'none'; frame-ancestors 'none'
         */
        ContentSecurityPolicy: string;
        /**
         * @description Identifies the current state of the resource (RFC 9110). Send it back as `If-Match` or `If-None-Match`.
         * @example "3af7fc8d-3"
         */
        ETag: string;
        /**
         * @description Present if this is the response to an earlier request with the same `Idempotency-Key`.
         * @example true
         */
        IdempotentReplayed: "true";
        /**
         * @description URI of the created object.
         * @example https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
         */
        Location: string;
        /**
         * @description The rate limit that was exceeded: at most `q` requests in `w` seconds.
         * @example "key";q=10000;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Number of seconds to wait before trying again.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Marks how recent the data in this response is. Send it with a later request that needs data at least as recent.
         * @example 3af7fc8d-00000085-00000002-00005004-6a8bb1a2d1be43ee1cf2cec8e1a1d3de
         */
        ServiceBookmark: string;
        /**
         * @description Identifies this request. Quote it when you ask for help.
         * @example op_2fCzyKyxGFFQjbGvSPXiVOWCOkX
         */
        ServiceOperationId: string;
        /**
         * @description Makes browsers use only HTTPS. Present in responses over HTTPS.
         * @example max-age=31536000
         */
        StrictTransportSecurity: string;
        /**
         * @description The request headers that the response depends on.
         * @example Origin
         */
        Vary: string;
        /**
         * @description How to authenticate (RFC 9110).
         * @example Bearer
         */
        WWWAuthenticate: "Bearer";
        /**
         * @description Prevents browsers from guessing the media type.
         * @example nosniff
         */
        XContentTypeOptions: "nosniff";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    IpPoliciesList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip_policies": [
                     *         {
                     *           "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Lisbon office"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["IpPolicyList"];
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
    IpPoliciesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Lisbon office"
                 *     }
                 */
                "application/json": components["schemas"]["IpPolicyCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Lisbon office"
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Lisbon office"
                     *     }
                     */
                    "application/json": components["schemas"]["IpPolicy"];
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
    IpPoliciesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Lisbon and Porto offices"
                 *     }
                 */
                "application/json": components["schemas"]["IpPolicyUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Lisbon office"
                     *     }
                     */
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
    IpPoliciesAccessGet: {
        parameters: {
            query: {
                /**
                 * @description An IPv4 or IPv6 address.
                 * @example 198.51.100.7
                 */
                ip: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip": "198.51.100.7",
                     *       "allowed": true,
                     *       "reason": "allow_rule",
                     *       "rules": [
                     *         {
                     *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "ip_policy": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "cidr": "198.51.100.0/24",
                     *           "action": "allow"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Access"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
                /** @description If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges. */
                before_edge_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    IpPoliciesReplaceRules: {
        parameters: {
            query?: {
                /** @description True to check and count everything without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy.
                 * @example ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rules": [
                 *         {
                 *           "cidr": "198.51.100.0/24",
                 *           "action": "allow",
                 *           "description": "Lisbon office"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IpPolicyRulesReplaceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1,
                     *       "updated": 0,
                     *       "deleted": 0,
                     *       "unchanged": 0
                     *     }
                     */
                    "application/json": components["schemas"]["IpPolicyRulesReplaced"];
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
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only the rules of this IP policy. */
                ip_policy_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip_policy_rules": [
                     *         {
                     *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "cidr": "198.51.100.0/24",
                     *           "ip_policy": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "action": "allow"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policy_rules",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["IpPolicyRuleList"];
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
    IpPolicyRulesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cidr": "198.51.100.0/24",
                 *       "ip_policy_id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                 *       "action": "allow"
                 *     }
                 */
                "application/json": components["schemas"]["IpPolicyRuleCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy rule.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["IpPolicyRule"];
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
    IpPolicyRulesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy rule.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the IP policy rule.
                 * @example ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cidr": "2001:db8:42::/48"
                 *     }
                 */
                "application/json": components["schemas"]["IpPolicyRuleUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    HttpResponseBackendsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backends": [
                     *         {
                     *           "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "body": "Back in a minute",
                     *           "headers": {
                     *             "content-type": "text/plain"
                     *           },
                     *           "status_code": 503
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/backends/http_response",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpResponseBackendList"];
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
    HttpResponseBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Back in a minute",
                 *       "headers": {
                 *         "Content-Type": "text/plain"
                 *       },
                 *       "status_code": 503
                 *     }
                 */
                "application/json": components["schemas"]["HttpResponseBackendCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTP response backend.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["HttpResponseBackend"];
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
    HttpResponseBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTP response backend.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTP response backend.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Back in an hour"
                 *     }
                 */
                "application/json": components["schemas"]["HttpResponseBackendUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    HttpResponseBackendsUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
                /** @description If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges. */
                before_edge_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the HTTP response backend.
                 * @example bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    StaticBackendsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backends": [
                     *         {
                     *           "id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/backends/static/bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "The shop",
                     *           "address": "shop.internal.example.com:8443",
                     *           "tls": {
                     *             "enabled": true
                     *           }
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/backends/static",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaticBackendList"];
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
    StaticBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The shop",
                 *       "address": "shop.internal.example.com:8443",
                 *       "tls": {
                 *         "enabled": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StaticBackendCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/static/bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "address": "shop.internal.example.com:8443",
                     *       "tls": {
                     *         "enabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StaticBackend"];
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
    StaticBackendsGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the static backend.
                 * @example bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/static/bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "address": "shop.internal.example.com:8443",
                     *       "tls": {
                     *         "enabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StaticBackend"];
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
    StaticBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the static backend.
                 * @example bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    StaticBackendsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the static backend.
                 * @example bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "192.0.2.7:8080",
                 *       "tls": {
                 *         "enabled": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StaticBackendUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/static/bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "address": "shop.internal.example.com:8443",
                     *       "tls": {
                     *         "enabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StaticBackend"];
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
    StaticBackendsUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
                /** @description If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges. */
                before_edge_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the static backend.
                 * @example bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    WeightedBackendsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only weighted backends that have this backend among their `backends`. */
                backend_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backends": [
                     *         {
                     *           "id": "bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/backends/weighted/bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "A tenth of the traffic tries the new shop",
                     *           "backends": {
                     *             "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
                     *             "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
                     *           }
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/backends/weighted",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["WeightedBackendList"];
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
    WeightedBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "A tenth of the traffic tries the new shop"
                 *     }
                 */
                "application/json": components["schemas"]["WeightedBackendCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/weighted/bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "A tenth of the traffic tries the new shop",
                     *       "backends": {
                     *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
                     *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WeightedBackend"];
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
    WeightedBackendsGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the weighted backend.
                 * @example bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/weighted/bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "A tenth of the traffic tries the new shop",
                     *       "backends": {
                     *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
                     *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WeightedBackend"];
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
    WeightedBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the weighted backend.
                 * @example bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    WeightedBackendsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the weighted backend.
                 * @example bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backends": {
                 *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 1,
                 *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WeightedBackendUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/backends/weighted/bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "A tenth of the traffic tries the new shop",
                     *       "backends": {
                     *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 90,
                     *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX": 10
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WeightedBackend"];
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
    WeightedBackendsUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
                /** @description If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges. */
                before_edge_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the weighted backend.
                 * @example bkdwd_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    FailoverBackendsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only failover backends that have this backend among their `backends`. */
                backend_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backends": [
                     *         {
                     *           "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "The shop, or the maintenance page",
                     *           "backends": [
                     *             "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           ]
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/backends/failover",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["FailoverBackendList"];
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
    FailoverBackendsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The shop, or the maintenance page"
                 *     }
                 */
                "application/json": components["schemas"]["FailoverBackendCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the failover backend.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["FailoverBackend"];
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
    FailoverBackendsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the failover backend.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the failover backend.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backends": [
                 *         "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FailoverBackendUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    FailoverBackendsUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
                /** @description If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges. */
                before_edge_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the failover backend.
                 * @example bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    CertificateAuthoritiesList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "certificate_authorities": [
                     *         {
                     *           "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Signs the devices of the shop",
                     *           "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n",
                     *           "subject_common_name": "Example CA",
                     *           "not_before": "2026-11-21T23:44:03Z",
                     *           "not_after": "2036-11-21T23:44:03Z",
                     *           "key_usages": [
                     *             "cert_sign",
                     *             "crl_sign"
                     *           ],
                     *           "extended_key_usages": []
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/certificate_authorities",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateAuthorityList"];
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
    CertificateAuthoritiesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Signs the devices of the shop",
                 *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n"
                 *     }
                 */
                "application/json": components["schemas"]["CertificateAuthorityCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Signs the devices of the shop",
                     *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n",
                     *       "subject_common_name": "Example CA",
                     *       "not_before": "2026-11-21T23:44:03Z",
                     *       "not_after": "2036-11-21T23:44:03Z",
                     *       "key_usages": [
                     *         "cert_sign",
                     *         "crl_sign"
                     *       ],
                     *       "extended_key_usages": []
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateAuthority"];
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
    CertificateAuthoritiesGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the certificate authority.
                 * @example ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Signs the devices of the shop",
                     *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n",
                     *       "subject_common_name": "Example CA",
                     *       "not_before": "2026-11-21T23:44:03Z",
                     *       "not_after": "2036-11-21T23:44:03Z",
                     *       "key_usages": [
                     *         "cert_sign",
                     *         "crl_sign"
                     *       ],
                     *       "extended_key_usages": []
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateAuthority"];
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
    CertificateAuthoritiesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the certificate authority.
                 * @example ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    CertificateAuthoritiesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the certificate authority.
                 * @example ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Signs all devices"
                 *     }
                 */
                "application/json": components["schemas"]["CertificateAuthorityUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/certificate_authorities/ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Signs the devices of the shop",
                     *       "ca_pem": "-----BEGIN CERTIFICATE-----\nMIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG\nA1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa\nMBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg\nXFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB\n/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi\nhKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==\n-----END CERTIFICATE-----\n",
                     *       "subject_common_name": "Example CA",
                     *       "not_before": "2026-11-21T23:44:03Z",
                     *       "not_after": "2036-11-21T23:44:03Z",
                     *       "key_usages": [
                     *         "cert_sign",
                     *         "crl_sign"
                     *       ],
                     *       "extended_key_usages": []
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateAuthority"];
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
    CertificateAuthoritiesUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the certificate authority.
                 * @example ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only edges with this hostport among their `hostports`. Case-insensitive. */
                hostport?: string;
                /** @description Lists only edges whose `backend` is this one, enabled or not. */
                backend_id?: string;
                /** @description Lists only edges whose `ip_restriction` refers to this IP policy, enabled or not. */
                ip_policy_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tcp_edges": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Front door",
                     *           "hostports": [
                     *             "front.example.com:443"
                     *           ],
                     *           "backend": {
                     *             "enabled": true,
                     *             "backend": {
                     *               "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *             }
                     *           },
                     *           "ip_restriction": {
                     *             "enabled": true,
                     *             "ip_policies": [
                     *               {
                     *                 "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *                 "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *               }
                     *             ]
                     *           },
                     *           "traffic_policy": null,
                     *           "policy": null
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/edges/tcp",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["TcpEdgeList"];
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
    TcpEdgesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Front door",
                 *       "hostports": [
                 *         "front.example.com:443"
                 *       ],
                 *       "traffic_policy": {
                 *         "value": "{\"on_tcp_connect\":[]}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TcpEdgeCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["TcpEdge"];
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
    TcpEdgesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "traffic_policy": {
                 *         "value": "{\"on_tcp_connect\":[]}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TcpEdgeUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    TcpEdgesAccessGet: {
        parameters: {
            query: {
                /**
                 * @description An IPv4 or IPv6 address.
                 * @example 198.51.100.7
                 */
                ip: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip": "198.51.100.7",
                     *       "allowed": true,
                     *       "reason": "allow_rule",
                     *       "rules": [
                     *         {
                     *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "ip_policy": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "cidr": "198.51.100.0/24",
                     *           "action": "allow"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Access"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TcpEdgesBackendModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackendModule"];
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
    TcpEdgesBackendModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backend_id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *     }
                 */
                "application/json": components["schemas"]["BackendModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["IpRestrictionModule"];
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
    TcpEdgesIpRestrictionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ip_policy_ids": [
                 *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IpRestrictionModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
                    "application/json": components["schemas"]["TrafficPolicyModule"];
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
    TcpEdgesTrafficPolicyModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "value": "{\"on_tcp_connect\":[]}"
                 *     }
                 */
                "application/json": components["schemas"]["TrafficPolicyModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TCP edge.
                 * @example edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only edges whose `mutual_tls` refers to this certificate authority, enabled or not. */
                certificate_authority_id?: string;
                /** @description Lists only edges with this hostport among their `hostports`. Case-insensitive. */
                hostport?: string;
                /** @description Lists only edges whose `backend` is this one, enabled or not. */
                backend_id?: string;
                /** @description Lists only edges whose `ip_restriction` refers to this IP policy, enabled or not. */
                ip_policy_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tls_edges": [
                     *         {
                     *           "id": "edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tls/edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Front door",
                     *           "hostports": [
                     *             "front.example.com:443"
                     *           ],
                     *           "backend": {
                     *             "enabled": true,
                     *             "backend": {
                     *               "id": "bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "uri": "https://api.example.com/backends/http_response/bkdhr_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *             }
                     *           },
                     *           "ip_restriction": {
                     *             "enabled": true,
                     *             "ip_policies": [
                     *               {
                     *                 "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *                 "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *               }
                     *             ]
                     *           },
                     *           "traffic_policy": null,
                     *           "policy": null,
                     *           "mutual_tls": null,
                     *           "tls_termination": {
                     *             "enabled": true,
                     *             "terminate_at": "edge",
                     *             "min_version": "1.3"
                     *           }
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/edges/tls",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["TlsEdgeList"];
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
    TlsEdgesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Front door",
                 *       "hostports": [
                 *         "front.example.com:443"
                 *       ],
                 *       "traffic_policy": {
                 *         "value": "{\"on_tcp_connect\":[]}"
                 *       },
                 *       "tls_termination": {
                 *         "min_version": "1.3"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TlsEdgeCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["TlsEdge"];
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
    TlsEdgesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tls_termination": {
                 *         "min_version": "1.2"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TlsEdgeUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    TlsEdgesAccessGet: {
        parameters: {
            query: {
                /**
                 * @description An IPv4 or IPv6 address.
                 * @example 198.51.100.7
                 */
                ip: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip": "198.51.100.7",
                     *       "allowed": true,
                     *       "reason": "allow_rule",
                     *       "rules": [
                     *         {
                     *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "ip_policy": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "cidr": "198.51.100.0/24",
                     *           "action": "allow"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Access"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TlsEdgesBackendModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackendModule"];
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
    TlsEdgesBackendModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backend_id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *     }
                 */
                "application/json": components["schemas"]["BackendModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["IpRestrictionModule"];
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
    TlsEdgesIpRestrictionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ip_policy_ids": [
                 *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IpRestrictionModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["MutualTlsModule"];
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
    TlsEdgesMutualTlsModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "certificate_authority_ids": [
                 *         "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MutualTlsModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "terminate_at": "edge",
                     *       "min_version": "1.3"
                     *     }
                     */
                    "application/json": components["schemas"]["TlsTerminationModule"];
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
    TlsEdgesTlsTerminationModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "terminate_at": "edge",
                 *       "min_version": "1.3"
                 *     }
                 */
                "application/json": components["schemas"]["TlsTerminationModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "terminate_at": "edge",
                     *       "min_version": "1.3"
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
                    "application/json": components["schemas"]["TrafficPolicyModule"];
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
    TlsEdgesTrafficPolicyModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "value": "{\"on_tcp_connect\":[]}"
                 *     }
                 */
                "application/json": components["schemas"]["TrafficPolicyModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the TLS edge.
                 * @example edgtls_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgesList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only edges with this hostport among their `hostports`. Case-insensitive. */
                hostport?: string;
                /** @description Lists only edges whose `mutual_tls` refers to this certificate authority, enabled or not. */
                certificate_authority_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "https_edges": [
                     *         {
                     *           "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "The shop",
                     *           "hostports": [
                     *             "shop.example.com:443"
                     *           ],
                     *           "mutual_tls": null,
                     *           "tls_termination": {
                     *             "enabled": true,
                     *             "terminate_at": "edge",
                     *             "min_version": "1.3"
                     *           },
                     *           "routes": [
                     *             {
                     *               "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "created_at": "2026-01-02T03:04:05Z",
                     *               "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "description": "The API",
                     *               "match_type": "path_prefix",
                     *               "match": "/api/",
                     *               "backend": null,
                     *               "circuit_breaker": null,
                     *               "compression": {
                     *                 "enabled": true
                     *               },
                     *               "ip_restriction": null,
                     *               "request_headers": null,
                     *               "response_headers": null,
                     *               "traffic_policy": null,
                     *               "user_agent_filter": null,
                     *               "webhook_verification": null,
                     *               "websocket_tcp_converter": null,
                     *               "policy": null
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/edges/https",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdgeList"];
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
    HttpsEdgesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The shop",
                 *       "hostports": [
                 *         "shop.example.com:443"
                 *       ],
                 *       "tls_termination": {
                 *         "min_version": "1.3"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HttpsEdgeCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "hostports": [
                     *         "shop.example.com:443"
                     *       ],
                     *       "mutual_tls": null,
                     *       "tls_termination": {
                     *         "enabled": true,
                     *         "terminate_at": "edge",
                     *         "min_version": "1.3"
                     *       },
                     *       "routes": [
                     *         {
                     *           "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "description": "The API",
                     *           "match_type": "path_prefix",
                     *           "match": "/api/",
                     *           "backend": null,
                     *           "circuit_breaker": null,
                     *           "compression": {
                     *             "enabled": true
                     *           },
                     *           "ip_restriction": null,
                     *           "request_headers": null,
                     *           "response_headers": null,
                     *           "traffic_policy": null,
                     *           "user_agent_filter": null,
                     *           "webhook_verification": null,
                     *           "websocket_tcp_converter": null,
                     *           "policy": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdge"];
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
    HttpsEdgesGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "hostports": [
                     *         "shop.example.com:443"
                     *       ],
                     *       "mutual_tls": null,
                     *       "tls_termination": {
                     *         "enabled": true,
                     *         "terminate_at": "edge",
                     *         "min_version": "1.3"
                     *       },
                     *       "routes": [
                     *         {
                     *           "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "description": "The API",
                     *           "match_type": "path_prefix",
                     *           "match": "/api/",
                     *           "backend": null,
                     *           "circuit_breaker": null,
                     *           "compression": {
                     *             "enabled": true
                     *           },
                     *           "ip_restriction": null,
                     *           "request_headers": null,
                     *           "response_headers": null,
                     *           "traffic_policy": null,
                     *           "user_agent_filter": null,
                     *           "webhook_verification": null,
                     *           "websocket_tcp_converter": null,
                     *           "policy": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdge"];
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
    HttpsEdgesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mutual_tls": {
                 *         "enabled": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HttpsEdgeUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "The shop",
                     *       "hostports": [
                     *         "shop.example.com:443"
                     *       ],
                     *       "mutual_tls": null,
                     *       "tls_termination": {
                     *         "enabled": true,
                     *         "terminate_at": "edge",
                     *         "min_version": "1.3"
                     *       },
                     *       "routes": [
                     *         {
                     *           "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "description": "The API",
                     *           "match_type": "path_prefix",
                     *           "match": "/api/",
                     *           "backend": null,
                     *           "circuit_breaker": null,
                     *           "compression": {
                     *             "enabled": true
                     *           },
                     *           "ip_restriction": null,
                     *           "request_headers": null,
                     *           "response_headers": null,
                     *           "traffic_policy": null,
                     *           "user_agent_filter": null,
                     *           "webhook_verification": null,
                     *           "websocket_tcp_converter": null,
                     *           "policy": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdge"];
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
    HttpsEdgesMutualTlsModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["MutualTlsModule"];
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
    HttpsEdgesMutualTlsModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "certificate_authority_ids": [
                 *         "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MutualTlsModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgesTlsTerminationModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "terminate_at": "edge",
                     *       "min_version": "1.3"
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsTlsTerminationModule"];
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
    HttpsEdgesTlsTerminationModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "min_version": "1.3"
                 *     }
                 */
                "application/json": components["schemas"]["HttpsTlsTerminationModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "terminate_at": "edge",
                     *       "min_version": "1.3"
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsTlsTerminationModule"];
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
    HttpsEdgesTlsTerminationModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "routes": [
                     *         {
                     *           "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "description": "The API",
                     *           "match_type": "path_prefix",
                     *           "match": "/api/",
                     *           "backend": null,
                     *           "circuit_breaker": null,
                     *           "compression": {
                     *             "enabled": true
                     *           },
                     *           "ip_restriction": null,
                     *           "request_headers": null,
                     *           "response_headers": null,
                     *           "traffic_policy": null,
                     *           "user_agent_filter": null,
                     *           "webhook_verification": null,
                     *           "websocket_tcp_converter": null,
                     *           "policy": null
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdgeRouteList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The API",
                 *       "match_type": "path_prefix",
                 *       "match": "/api/",
                 *       "compression": {}
                 *     }
                 */
                "application/json": components["schemas"]["HttpsEdgeRouteCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "description": "The API",
                     *       "match_type": "path_prefix",
                     *       "match": "/api/",
                     *       "backend": null,
                     *       "circuit_breaker": null,
                     *       "compression": {
                     *         "enabled": true
                     *       },
                     *       "ip_restriction": null,
                     *       "request_headers": null,
                     *       "response_headers": null,
                     *       "traffic_policy": null,
                     *       "user_agent_filter": null,
                     *       "webhook_verification": null,
                     *       "websocket_tcp_converter": null,
                     *       "policy": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdgeRoute"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "description": "The API",
                     *       "match_type": "path_prefix",
                     *       "match": "/api/",
                     *       "backend": null,
                     *       "circuit_breaker": null,
                     *       "compression": {
                     *         "enabled": true
                     *       },
                     *       "ip_restriction": null,
                     *       "request_headers": null,
                     *       "response_headers": null,
                     *       "traffic_policy": null,
                     *       "user_agent_filter": null,
                     *       "webhook_verification": null,
                     *       "websocket_tcp_converter": null,
                     *       "policy": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdgeRoute"];
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
    HttpsEdgeRoutesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "match": "/api/v2/"
                 *     }
                 */
                "application/json": components["schemas"]["HttpsEdgeRouteUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "edge_id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "description": "The API",
                     *       "match_type": "path_prefix",
                     *       "match": "/api/",
                     *       "backend": null,
                     *       "circuit_breaker": null,
                     *       "compression": {
                     *         "enabled": true
                     *       },
                     *       "ip_restriction": null,
                     *       "request_headers": null,
                     *       "response_headers": null,
                     *       "traffic_policy": null,
                     *       "user_agent_filter": null,
                     *       "webhook_verification": null,
                     *       "websocket_tcp_converter": null,
                     *       "policy": null
                     *     }
                     */
                    "application/json": components["schemas"]["HttpsEdgeRoute"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesAccessGet: {
        parameters: {
            query: {
                /**
                 * @description An IPv4 or IPv6 address.
                 * @example 198.51.100.7
                 */
                ip: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ip": "198.51.100.7",
                     *       "allowed": true,
                     *       "reason": "allow_rule",
                     *       "rules": [
                     *         {
                     *           "id": "ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/ip_policy_rules/ipr_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "ip_policy": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "cidr": "198.51.100.0/24",
                     *           "action": "allow"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Access"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HttpsEdgeRoutesBackendModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackendModule"];
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
    HttpsEdgeRoutesBackendModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backend_id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *     }
                 */
                "application/json": components["schemas"]["BackendModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "backend": {
                     *         "id": "bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/backends/failover/bkdfo_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       }
                     *     }
                     */
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
    HttpsEdgeRoutesBackendModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "tripped_duration": 10,
                     *       "rolling_window": 10,
                     *       "num_buckets": 10,
                     *       "volume_threshold": 50,
                     *       "error_threshold_percentage": 0.25
                     *     }
                     */
                    "application/json": components["schemas"]["CircuitBreakerModule"];
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
    HttpsEdgeRoutesCircuitBreakerModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "error_threshold_percentage": 0.25,
                 *       "volume_threshold": 50
                 *     }
                 */
                "application/json": components["schemas"]["CircuitBreakerModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "tripped_duration": 10,
                     *       "rolling_window": 10,
                     *       "num_buckets": 10,
                     *       "volume_threshold": 50,
                     *       "error_threshold_percentage": 0.25
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesCompressionModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["CompressionModule"];
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
    HttpsEdgeRoutesCompressionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["CompressionModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["CompressionModule"];
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
    HttpsEdgeRoutesCompressionModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesIpRestrictionModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["IpRestrictionModule"];
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
    HttpsEdgeRoutesIpRestrictionModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ip_policy_ids": [
                 *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IpRestrictionModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    HttpsEdgeRoutesIpRestrictionModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["RequestHeadersModule"];
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
    HttpsEdgeRoutesRequestHeadersModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "add": {
                 *         "X-Edge": "eu-west"
                 *       },
                 *       "remove": [
                 *         "X-Debug"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RequestHeadersModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesResponseHeadersModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "add": {
                     *         "Strict-Transport-Security": "max-age=31536000"
                     *       },
                     *       "remove": [
                     *         "Server"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseHeadersModule"];
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
    HttpsEdgeRoutesResponseHeadersModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "add": {
                 *         "Strict-Transport-Security": "max-age=31536000"
                 *       },
                 *       "remove": [
                 *         "Server"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ResponseHeadersModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "add": {
                     *         "Strict-Transport-Security": "max-age=31536000"
                     *       },
                     *       "remove": [
                     *         "Server"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseHeadersModule"];
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
    HttpsEdgeRoutesResponseHeadersModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesTrafficPolicyModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
                    "application/json": components["schemas"]["TrafficPolicyModule"];
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
    HttpsEdgeRoutesTrafficPolicyModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "value": "{\"on_tcp_connect\":[]}"
                 *     }
                 */
                "application/json": components["schemas"]["TrafficPolicyModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "value": "{\"on_tcp_connect\":[]}"
                     *     }
                     */
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
    HttpsEdgeRoutesTrafficPolicyModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesUserAgentFilterModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "allow": [
                     *         "(?i)^acme-monitor/"
                     *       ],
                     *       "deny": [
                     *         "(?i)bot"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserAgentFilterModule"];
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
    HttpsEdgeRoutesUserAgentFilterModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "allow": [
                 *         "(?i)^acme-monitor/"
                 *       ],
                 *       "deny": [
                 *         "(?i)bot"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserAgentFilterModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "allow": [
                     *         "(?i)^acme-monitor/"
                     *       ],
                     *       "deny": [
                     *         "(?i)bot"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserAgentFilterModule"];
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
    HttpsEdgeRoutesUserAgentFilterModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    HttpsEdgeRoutesWebhookVerificationModuleGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "provider": "github",
                     *       "secret": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookVerificationModule"];
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
    HttpsEdgeRoutesWebhookVerificationModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "github",
                 *       "secret": "<SECRET>"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookVerificationModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "provider": "github",
                     *       "secret": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookVerificationModule"];
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
    HttpsEdgeRoutesWebhookVerificationModuleDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebsocketTcpConverterModule"];
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
    HttpsEdgeRoutesWebsocketTcpConverterModuleReplace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebsocketTcpConverterModuleMutate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the HTTPS edge.
                 * @example edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                edge_id: string;
                /**
                 * @description Id of the HTTPS edge route.
                 * @example edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    EventDestinationsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_destinations": [
                     *         {
                     *           "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Edge events",
                     *           "format": "json",
                     *           "target": {
                     *             "cloud_delivery_stream": null,
                     *             "cloud_stream": null,
                     *             "cloud_logs": null,
                     *             "monitoring_vendor": {
                     *               "api_key": null,
                     *               "service": "edge"
                     *             },
                     *             "logs_ingestion": null
                     *           }
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/event_destinations",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventDestinationList"];
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
    EventDestinationsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": components["schemas"]["EventDestinationCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": components["schemas"]["EventDestination"];
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
    EventDestinationsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    EventDestinationsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Edge events, all"
                 *     }
                 */
                "application/json": components["schemas"]["EventDestinationUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    EventDestinationsUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsGetDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "retrying",
                     *       "position": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "pending": 12,
                     *       "lost": 0,
                     *       "delivered": 3417,
                     *       "dead_letters": 0,
                     *       "consecutive_failures": 2,
                     *       "failing_since": "2026-01-02T03:04:05Z",
                     *       "last_attempt_at": "2026-01-02T03:04:15Z",
                     *       "last_delivered_at": "2026-01-02T03:03:58Z",
                     *       "next_attempt_at": "2026-01-02T03:04:31Z",
                     *       "last_error": {
                     *         "code": "http_503",
                     *         "status": 503,
                     *         "msg": "The target responded with status 503.",
                     *         "at": "2026-01-02T03:04:05Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsTestDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EventDeliveryTestRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "status": 204,
                     *       "error": null,
                     *       "duration_ms": 87
                     *     }
                     */
                    "application/json": components["schemas"]["EventDeliveryTest"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsReplayDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-02T03:04:05Z"
                 *     }
                 */
                "application/json": components["schemas"]["EventDeliveryReplayRequest"];
            };
        };
        responses: {
            /** @description Accepted. The operation continues after the response. */
            202: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "retrying",
                     *       "position": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "pending": 12,
                     *       "lost": 0,
                     *       "delivered": 3417,
                     *       "dead_letters": 0,
                     *       "consecutive_failures": 2,
                     *       "failing_since": "2026-01-02T03:04:05Z",
                     *       "last_attempt_at": "2026-01-02T03:04:15Z",
                     *       "last_delivered_at": "2026-01-02T03:03:58Z",
                     *       "next_attempt_at": "2026-01-02T03:04:31Z",
                     *       "last_error": {
                     *         "code": "http_503",
                     *         "status": 503,
                     *         "msg": "The target responded with status 503.",
                     *         "at": "2026-01-02T03:04:05Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsResumeDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EventDeliveryResumeRequest"];
            };
        };
        responses: {
            /** @description Accepted. The operation continues after the response. */
            202: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "retrying",
                     *       "position": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "pending": 12,
                     *       "lost": 0,
                     *       "delivered": 3417,
                     *       "dead_letters": 0,
                     *       "consecutive_failures": 2,
                     *       "failing_since": "2026-01-02T03:04:05Z",
                     *       "last_attempt_at": "2026-01-02T03:04:15Z",
                     *       "last_delivered_at": "2026-01-02T03:03:58Z",
                     *       "next_attempt_at": "2026-01-02T03:04:31Z",
                     *       "last_error": {
                     *         "code": "http_503",
                     *         "status": 503,
                     *         "msg": "The target responded with status 503.",
                     *         "at": "2026-01-02T03:04:05Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventDestinationsListDeadLetters: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only events before this one, which need no longer exist. */
                before_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the event destination.
                 * @example ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dead_letters": [
                     *         {
                     *           "event_id": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "error": {
                     *             "code": "http_400",
                     *             "status": 400,
                     *             "msg": "The target responded with status 400."
                     *           },
                     *           "at": "2026-01-02T03:04:05Z"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX/dead_letters",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeadLetterList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventSubscriptionsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only event subscriptions that send to this event destination. */
                destination_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_subscriptions": [
                     *         {
                     *           "id": "esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "Who gets in",
                     *           "sources": [
                     *             {
                     *               "type": "ip_policy_updated.v0",
                     *               "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *             }
                     *           ],
                     *           "destinations": [
                     *             {
                     *               "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/event_subscriptions",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventSubscriptionList"];
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
    EventSubscriptionsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Who gets in",
                 *       "sources": [
                 *         {
                 *           "type": "ip_policy_updated.v0"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventSubscriptionCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Who gets in",
                     *       "sources": [
                     *         {
                     *           "type": "ip_policy_updated.v0",
                     *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *         }
                     *       ],
                     *       "destinations": [
                     *         {
                     *           "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventSubscription"];
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
    EventSubscriptionsGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Who gets in",
                     *       "sources": [
                     *         {
                     *           "type": "ip_policy_updated.v0",
                     *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *         }
                     *       ],
                     *       "destinations": [
                     *         {
                     *           "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventSubscription"];
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
    EventSubscriptionsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    EventSubscriptionsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sources": [
                 *         {
                 *           "type": "tcp_edge_updated.v0"
                 *         },
                 *         {
                 *           "type": "tls_edge_updated.v0"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventSubscriptionUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "Who gets in",
                     *       "sources": [
                     *         {
                     *           "type": "ip_policy_updated.v0",
                     *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *         }
                     *       ],
                     *       "destinations": [
                     *         {
                     *           "id": "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventSubscription"];
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
    EventSourcesList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sources": [
                     *         {
                     *           "type": "ip_policy_updated.v0",
                     *           "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources"
                     *     }
                     */
                    "application/json": components["schemas"]["EventSourceList"];
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
    EventSourcesCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ip_policy_updated.v0"
                 *     }
                 */
                "application/json": components["schemas"]["EventSourceCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "ip_policy_updated.v0",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *     }
                     */
                    "application/json": components["schemas"]["EventSource"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    EventSourcesGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                subscription_id: string;
                /** @description The type. */
                type: components["schemas"]["EventType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "ip_policy_updated.v0",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *     }
                     */
                    "application/json": components["schemas"]["EventSource"];
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
    EventSourcesDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                subscription_id: string;
                /** @description The type. */
                type: components["schemas"]["EventType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
    EventSourcesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event subscription.
                 * @example esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                subscription_id: string;
                /** @description The type. */
                type: components["schemas"]["EventType"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EventSourceUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "ip_policy_updated.v0",
                     *       "uri": "https://api.example.com/event_subscriptions/esb_2fCzyKyxGFFQjbGvSPXiVOWCOkX/sources/ip_policy_updated.v0"
                     *     }
                     */
                    "application/json": components["schemas"]["EventSource"];
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
    EventTypesList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_types": [
                     *         {
                     *           "type": "ip_policy_updated.v0",
                     *           "emitted": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventTypeList"];
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
    EventsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only events before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only events of the object with this id. */
                object_id?: string;
                /** @description Lists only events of this type. */
                type?: components["schemas"]["EventType"];
                /** @description Lists only changes made by this principal: a bot user, an API key without an owner, `root` or `system`. */
                principal_id?: string;
                /** @description Lists only events at or after this time (RFC 3339). */
                since?: string;
                /** @description Lists only events before this time (RFC 3339). */
                until?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "event_id": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "event_type": "ip_policy_updated.v0",
                     *           "event_timestamp": "2026-01-02T03:04:05Z",
                     *           "account_id": "ac_default",
                     *           "principal": {
                     *             "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "subject": "deploy",
                     *             "source": "API",
                     *             "credential": {
                     *               "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *               "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *             }
                     *           },
                     *           "object": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "created_at": "2026-01-02T03:04:05Z",
                     *             "description": "Lisbon office"
                     *           },
                     *           "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/events",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventList"];
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
    EventsGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the event.
                 * @example ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "event_type": "ip_policy_updated.v0",
                     *       "event_timestamp": "2026-01-02T03:04:05Z",
                     *       "account_id": "ac_default",
                     *       "principal": {
                     *         "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "subject": "deploy",
                     *         "source": "API",
                     *         "credential": {
                     *           "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       },
                     *       "object": {
                     *         "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "created_at": "2026-01-02T03:04:05Z",
                     *         "description": "Lisbon office"
                     *       },
                     *       "operation_id": "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
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
    BotUsersList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bot_users": [
                     *         {
                     *           "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/bot_users/bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "name": "deploy",
                     *           "active": true
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/bot_users",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["BotUserList"];
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
    BotUsersCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deploy"
                 *     }
                 */
                "application/json": components["schemas"]["BotUserCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/bot_users/bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "name": "deploy",
                     *       "active": true
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the bot user.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/bot_users/bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "name": "deploy",
                     *       "active": true
                     *     }
                     */
                    "application/json": components["schemas"]["BotUser"];
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
    BotUsersDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the bot user.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the bot user.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["BotUserUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/bot_users/bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "name": "deploy",
                     *       "active": true
                     *     }
                     */
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
    BotUsersUsedByList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only objects with lower ids than this one, which need no longer exist. */
                before_id?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /**
                 * @description Id of the bot user.
                 * @example bot_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_by": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/edges/tcp/edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX/used_by",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["UsedBy"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApiKeysList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. A page can hold fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest. */
                limit?: number;
                /** @description Lists only objects created before this one, which need no longer exist. */
                before_id?: string;
                /** @description Lists only the keys that belong to this bot user. */
                owner_id?: string;
                /** @description Lists only objects with exactly this `metadata`, which can have at most 4096 bytes. */
                metadata?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "created_at": "2026-01-02T03:04:05Z",
                     *           "description": "CI of the shop",
                     *           "role": "editor",
                     *           "token": null
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/api_keys",
                     *       "next_page_uri": null
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "CI of the shop",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description Created. The body is the new object. */
            201: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "CI of the shop",
                     *       "role": "editor",
                     *       "token": null
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the API key.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "CI of the shop",
                     *       "role": "editor",
                     *       "token": null
                     *     }
                     */
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the API key.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
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
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the API key.
                 * @example ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "CI of the shop and the blog"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *       "created_at": "2026-01-02T03:04:05Z",
                     *       "description": "CI of the shop",
                     *       "role": "editor",
                     *       "token": null
                     *     }
                     */
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
    TransactionsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operations": [
                 *         {
                 *           "method": "POST",
                 *           "path": "/ip_policies",
                 *           "body": {
                 *             "description": "Lisbon office"
                 *           },
                 *           "name": "office"
                 *         },
                 *         {
                 *           "method": "POST",
                 *           "path": "/ip_policy_rules",
                 *           "body": {
                 *             "ip_policy_id": "$office",
                 *             "cidr": "198.51.100.0/24",
                 *             "action": "allow"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TransactionCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": false,
                     *       "results": [
                     *         {
                     *           "status": 201,
                     *           "etag": "\"0a1b2c3d-1\"",
                     *           "body": {
                     *             "id": "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "description": "Lisbon office"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersionOrUnknownReference"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["InUseOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    SnapshotGet: {
        parameters: {
            query?: {
                /** @description `traefik`: the dynamic configuration for a Traefik proxy, whose HTTP provider polls it. Anything that Traefik cannot enforce is left out and reported by `GET /problems?format=traefik`. */
                format?: "traefik";
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
                /** @description One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 17,
                     *       "edges": [
                     *         {
                     *           "id": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "kind": "tcp",
                     *           "hostports": [
                     *             "db.example.com:5432"
                     *           ],
                     *           "backend": {
                     *             "backend_id": "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "ip_restriction": {
                     *             "ip_policy_ids": [
                     *               "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "ip_policies": {
                     *         "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX": {
                     *           "allow": [
                     *             "198.51.100.0/24"
                     *           ],
                     *           "deny": []
                     *         }
                     *       },
                     *       "backends": {
                     *         "bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX": {
                     *           "kind": "static",
                     *           "address": "db.internal.example.com:5432",
                     *           "tls": false
                     *         }
                     *       },
                     *       "certificate_authorities": {},
                     *       "problems": []
                     *     }
                     */
                    "application/json": components["schemas"]["Snapshot"] | components["schemas"]["TraefikConfiguration"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["HttpsRequired"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ProblemsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only problems after this one: its object and its code, separated by a full stop. */
                after?: string;
                /** @description `traefik`: the dynamic configuration for a Traefik proxy, whose HTTP provider polls it. Anything that Traefik cannot enforce is left out and reported by `GET /problems?format=traefik`. */
                format?: "traefik";
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "problems": [
                     *         {
                     *           "object": "edgtcp_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *           "code": "backend_not_set",
                     *           "msg": "The edge is not served: it has no enabled backend."
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/problems",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["ProblemList"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    TrafficPolicyCheck: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "{\"on_http_request\":[{\"name\":\"admins\",\"expressions\":[\"req.url.path.startsWith('/admin')\"],\"actions\":[{\"type\":\"deny\"}]}]}",
                 *       "for": "https_edge_route"
                 *     }
                 */
                "application/json": components["schemas"]["TrafficPolicyCheckRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verdict": "enforced",
                     *       "findings": [
                     *         {
                     *           "severity": "warning",
                     *           "code": "expression_can_fail",
                     *           "path": "/on_http_request/0/expressions/0",
                     *           "offset": null,
                     *           "line": null,
                     *           "column": null,
                     *           "msg": "This expression can end in an error, which refuses the request with the status 500 or closes the connection."
                     *         }
                     *       ],
                     *       "rules": [
                     *         {
                     *           "phase": "on_http_request",
                     *           "index": 0,
                     *           "name": "admins",
                     *           "expressions": [
                     *             {
                     *               "text": "req.url.path.startsWith('/admin')",
                     *               "can_fail": true
                     *             }
                     *           ],
                     *           "actions": [
                     *             {
                     *               "type": "deny",
                     *               "terminates": true
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrafficPolicyCheck"];
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
    SimulationsCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "url": "https://shop.example.com/admin?x=1",
                 *         "headers": [
                 *           [
                 *             "x-tier",
                 *             "gold"
                 *           ]
                 *         ],
                 *         "source_ip": "203.0.113.7"
                 *       },
                 *       "response": {
                 *         "status_code": 200
                 *       },
                 *       "counts": {
                 *         "login": 5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SimulationCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hostport": "shop.example.com:443",
                     *       "edge": {
                     *         "id": "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       },
                     *       "route": {
                     *         "id": "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/edges/https/{edge_id}/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       },
                     *       "steps": [
                     *         {
                     *           "module": "ip_restriction",
                     *           "verdict": "pass",
                     *           "reason": "allow_rule"
                     *         }
                     *       ],
                     *       "outcome": {
                     *         "kind": "response",
                     *         "by": "traffic_policy",
                     *         "status_code": 403,
                     *         "headers": [],
                     *         "body": ""
                     *       },
                     *       "assumptions": [
                     *         "Rate limit login: 5 requests were let through before."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SimulationTooLong"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    AgentsReport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "applied_version": 17,
                 *       "ok": true,
                 *       "proxy": "HAProxy 3.2.26"
                 *     }
                 */
                "application/json": components["schemas"]["AgentStatusRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "lisbon-1",
                     *       "uri": "https://api.example.com/agents/lisbon-1",
                     *       "key": {
                     *         "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       },
                     *       "last_seen": "2026-01-02T03:04:05Z",
                     *       "applied_version": 17,
                     *       "newest_version": 17,
                     *       "behind": 0,
                     *       "behind_since": null,
                     *       "ok": true,
                     *       "error": null,
                     *       "problems": [],
                     *       "proxy": "HAProxy 3.2.26"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
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
    AgentsList: {
        parameters: {
            query?: {
                /** @description The maximum number of objects on a page; 100 if omitted. */
                limit?: number;
                /** @description Lists only agents after this name, which need no longer exist. */
                after?: string;
            };
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "name": "lisbon-1",
                     *           "uri": "https://api.example.com/agents/lisbon-1",
                     *           "key": {
                     *             "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *             "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *           },
                     *           "last_seen": "2026-01-02T03:04:05Z",
                     *           "applied_version": 17,
                     *           "newest_version": 17,
                     *           "behind": 0,
                     *           "behind_since": null,
                     *           "ok": true,
                     *           "error": null,
                     *           "problems": [],
                     *           "proxy": "HAProxy 3.2.26"
                     *         }
                     *       ],
                     *       "uri": "https://api.example.com/agents",
                     *       "next_page_uri": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentList"];
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
    AgentsGet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "lisbon-1",
                     *       "uri": "https://api.example.com/agents/lisbon-1",
                     *       "key": {
                     *         "id": "ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
                     *         "uri": "https://api.example.com/api_keys/ak_2fCzyKyxGFFQjbGvSPXiVOWCOkX"
                     *       },
                     *       "last_seen": "2026-01-02T03:04:05Z",
                     *       "applied_version": 17,
                     *       "newest_version": 17,
                     *       "behind": 0,
                     *       "behind_since": null,
                     *       "ok": true,
                     *       "error": null,
                     *       "problems": [],
                     *       "proxy": "HAProxy 3.2.26"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    AgentsDelete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. There is no body. */
            204: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrUnsupportedVersion"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrHttpsRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    HealthGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0"
                     *     }
                     */
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
                /** @description One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
            304: components["responses"]["DocumentNotModified"];
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["HttpsRequired"];
            500: components["responses"]["Internal"];
        };
    };
    SealedSecretsReseal: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of the API that the request is written for.
                 * @example 2
                 */
                "Service-Version"?: components["parameters"]["ServiceVersion"];
                /** @description The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary. */
                "Service-Bookmark"?: components["parameters"]["ServiceBookmark"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ResealRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Service-Operation-Id": components["headers"]["ServiceOperationId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                    "Service-Bookmark": components["headers"]["ServiceBookmark"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "looked_at": 10,
                     *       "resealed": 4,
                     *       "unopened": [],
                     *       "unwritten": [],
                     *       "next_before_id": null
                     *     }
                     */
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
