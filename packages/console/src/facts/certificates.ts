import type { Schemas } from "../api/client.ts";
import { now } from "./amounts.ts";
import type { StateTone } from "./tones.ts";

/*
 * Certificates of hosts in words.
 */

export type HostCertificate = Schemas["HostCertificate"];

const DAY = 86_400_000;

const states: Record<HostCertificate["state"], { tone: StateTone; text: string }> = {
  valid: { tone: "good", text: "Valid" },
  ending: { tone: "warn", text: "Ends soon" },
  pending: { tone: "busy", text: "Issuing" },
  failing: { tone: "warn", text: "Cannot renew" },
  paused: { tone: "warn", text: "Paused" },
  missing: { tone: "bad", text: "Missing" },
  unknown: { tone: "none", text: "Not known" },
};

/** The state of a certificate: a shape and a word. */
export function stateOfCertificate({ state, not_after: end }: HostCertificate): {
  tone: StateTone;
  text: string;
} {
  if (end !== null && Date.parse(end) < now()) return { tone: "bad", text: "Expired" };
  if (end === null && (state === "failing" || state === "paused"))
    return { tone: "bad", text: "Cannot be issued" };
  return states[state];
}

/** Whether somebody should act. */
export const needsAction = (certificate: HostCertificate): boolean =>
  ["warn", "bad"].includes(stateOfCertificate(certificate).tone);

/** Where a certificate comes from, in words. */
export const sourceOf = ({ source, issued_by: issuer }: HostCertificate): string =>
  source === "issued"
    ? `${issuer ?? "An issuer"}, automatic`
    : source === "file"
      ? `File${issuer === null ? "" : `, ${issuer}`}`
      : "";

/** How many days a certificate is valid. Negative if it has ended. */
export const daysLeft = (end: string): number => Math.floor((Date.parse(end) - now()) / DAY);
