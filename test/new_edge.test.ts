import { expect, test, vi } from "vitest";

/*
 * The hosts of a new edge: what is wrong with one, and which issuer orders its certificate.
 */

// These modules expect a browser, even if only types are used.
vi.stubGlobal("location", { origin: "http://localhost", hash: "" });
vi.stubGlobal("sessionStorage", {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
});
const folder = "../packages/console/src/changes/";
const { hostFault } = (await import(`${folder}hosts.ts`)) as {
  hostFault: (text: string, example: string, port?: number) => string | undefined;
};
const { issuerFor, keepAnswers, start, validAnswers } = (await import(`${folder}wizard.ts`)) as {
  issuerFor: (answers: object, issuers: { hosts: string[] }[]) => { hosts: string[] } | undefined;
  keepAnswers: (answers: object) => void;
  start: object;
  validAnswers: (answers: object, ...lists: object[][]) => { certificate: string };
};
const { pending } = (await import(`${folder}pending.ts`)) as {
  pending: { value: Record<string, { path: string; body: Record<string, unknown> }> };
};

test("a host that DNS only has in Punycode is shown as it has to be entered", () => {
  expect(hostFault("münchen.example", "www.example.com", 443)).toBe(
    "Enter the host as xn--mnchen-3ya.example.",
  );
  expect(hostFault("München.example:8443", "www.example.com:443")).toBe(
    "Enter the host as xn--mnchen-3ya.example.",
  );
  expect(hostFault("xn--mnchen-3ya.example", "www.example.com", 443)).toBeUndefined();
  expect(hostFault("not a host", "www.example.com", 443)).toMatch(/is not a host/);
});

test("an issuer is found however a host is written", () => {
  const issuer = { hosts: ["*.upper.example.com", "example.com"] };
  for (const hosts of [
    "www.upper.example.com",
    "WWW.Upper.Example.com",
    "www.upper.example.com.",
    "Example.com., www.upper.example.com.:8443",
  ])
    expect(issuerFor({ ...start, hosts }, [issuer]), hosts).toBe(issuer);
  for (const hosts of ["upper.example.com", "a.b.upper.example.com", "example.com, www.example.com"])
    expect(issuerFor({ ...start, hosts }, [issuer]), hosts).toBeUndefined();
  expect(issuerFor({ ...start, hosts: "a.b" }, [{ hosts: ["*"] }])).toBeDefined();
});

test("a TLS edge terminates TLS, unless its backend does, which leaves no client certificate to ask for", () => {
  const tls = { ...start, kind: "tls", hosts: "mail.example.com:993", address: "10.0.0.1:993" };
  const termination = (certificate: string): unknown => {
    pending.value = {};
    keepAnswers({ ...tls, certificate });
    const edge = Object.values(pending.value).find(({ path }) => path === "/edges/tls");
    expect(edge).toBeDefined();
    return edge?.body["tls_termination"];
  };
  for (const certificate of ["known", "letsencrypt", "file"])
    expect(termination(certificate)).toEqual({ enabled: true, terminate_at: "edge" });
  expect(termination("backend")).toBeUndefined();
  const chosen = (more: object): string =>
    validAnswers({ ...tls, certificate: "backend", ...more }, [], [], [], []).certificate;
  expect([chosen({}), chosen({ needsCertificate: true }), chosen({ kind: "https" })]).toEqual([
    "backend",
    "letsencrypt",
    "letsencrypt",
  ]);
});
