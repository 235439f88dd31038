import { expect, test, vi } from "vitest";

/*
 * The hosts of a new edge: which issuer orders their certificates.
 */

// These modules expect a browser, even if only types are used.
vi.stubGlobal("location", { origin: "http://localhost", hash: "" });
vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
const folder = "../packages/console/src/changes/";
const { issuerFor, start } = (await import(`${folder}wizard.ts`)) as {
  issuerFor: (answers: object, issuers: { hosts: string[] }[]) => { hosts: string[] } | undefined;
  start: object;
};

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
