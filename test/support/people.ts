import { env } from "cloudflare:workers";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { stamp } from "../../packages/model/src/ids.ts";
import { newToken, sha256 } from "../../src/http/tokens.ts";

/*
 * People who have signed in, as the callback stores them: tests in the Worker have no identity provider.
 */

let people = 0;

/** A person with a session. @param role the provider's */
export async function givenPerson(
  role: string,
  email = `p${people + 1}@example.com`,
): Promise<{ id: string; cookie: string }> {
  people += 1;
  const { id, created_at } = stamp("user");
  const until = timestamp(clock.now() + 30 * 86_400_000);
  await env.DB.prepare(
    `insert into users (id, created_at, issuer, subject, email, provider_role, active, last_seen_at, keys_expire_at)
     values (?, ?, 'https://login.test', ?, ?, ?, 1, ?, ?)`,
  )
    .bind(id, created_at, String(people), email, role, created_at, until)
    .run();
  return { id, cookie: await givenSession(id, role) };
}

/** Another session of a person: the cookie. */
export async function givenSession(user_id: string, role: string): Promise<string> {
  const { id, created_at } = stamp("session");
  const token = newToken(id);
  const ends = timestamp(clock.now() + 8 * 3_600_000);
  await env.DB.prepare(
    "insert into sessions (id, created_at, token_sha256, user_id, role, expires_at) values (?, ?, ?, ?, ?, ?)",
  )
    .bind(id, created_at, await sha256(token), user_id, role, ends)
    .run();
  return `__Host-edge_session=${token}`;
}
