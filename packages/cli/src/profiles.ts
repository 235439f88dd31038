import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { readPrivate, writePrivate } from "./files.ts";
import { textOf } from "./json.ts";
import { askSecretly, note, paint, print } from "./output.ts";
import { bodyOf, serviceAt } from "./service.ts";

/*
 * Profiles: services and keys that `edge login` keeps in a file which only its user can read.
 */

/** A service and the key for it. */
const profile = z.object({ url: z.string(), key: z.string() });
export type Profile = z.output<typeof profile>;

const profilesFile = z.object({ profiles: z.record(z.string(), profile) });

const DEFAULT = "default";

/** The name of a profile. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The XDG Base Directory Specification says where configuration is kept. */
const path = (): string =>
  join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "edge", "config.json");

/** @throws UserError if the file cannot be read, is no file of profiles, or can be read by other users */
function read(): Map<string, Profile> {
  const file = path();
  const text = readPrivate(file);
  if (text === undefined) return new Map();
  const profiles = profilesIn(text);
  if (!profiles)
    throw new UserError(`${file} is not a file of profiles. Remove it, and run \`edge login\` again.`);
  return profiles;
}

function profilesIn(text: string): Map<string, Profile> | undefined {
  try {
    return new Map(Object.entries(profilesFile.parse(JSON.parse(text)).profiles));
  } catch {
    return undefined;
  }
}

/** The name of the profile that a call uses. */
function nameOf(call: Call): string {
  const name = call.text("profile") ?? (process.env["EDGE_PROFILE"] || DEFAULT);
  if (!NAME.test(name))
    throw new UserError(
      `${JSON.stringify(name)} is not the name of a profile: use letters, digits, - and _.`,
    );
  return name;
}

/**
 * The service and the key for a call: options, then the environment, then the profile. A profile's key is only sent to the profile's
 * service.
 *
 * @throws UserError if one of them is missing
 */
export function profileOf(call: Call): Profile {
  const isNamed = call.text("profile") !== undefined;
  const url = call.text("url") ?? (isNamed ? undefined : process.env["API"] || undefined);
  const key = call.text("key") ?? (isNamed ? undefined : process.env["API_KEY"] || undefined);
  if (url && key) return { url, key };
  const name = nameOf(call);
  const profile = read().get(name);
  if (!profile && isNamed)
    throw new UserError(`There is no profile ${name}: run \`edge login --profile ${name}\`.`);
  if (!url && !profile)
    throw new UserError("No service URL: run `edge login`, pass --url, or set the environment variable API.");
  const isOfProfile = profile !== undefined && (!url || sameService(url, profile.url));
  const usedKey = key ?? (isOfProfile ? profile.key : undefined);
  if (!usedKey)
    throw new UserError("No API key: run `edge login`, set the environment variable API_KEY, or pass --key.");
  return { url: url || (profile?.url ?? ""), key: usedKey };
}

const sameService = (a: string, b: string): boolean => a.replace(/\/+$/, "") === b.replace(/\/+$/, "");

/** Keeps a service and a key, after trying them. */
export async function login(call: Call): Promise<number> {
  const name = nameOf(call);
  const url = call.text("url") ?? (process.env["API"] || read().get(name)?.url);
  if (!url) throw new UserError("No service URL: pass --url, or set the environment variable API.");
  const key = call.text("key") ?? (await askSecretly("API key: "));
  if (key === "") throw new UserError("The API key is empty.");
  const service = serviceAt(url, key, () => {});
  const { subject, role } = bodyOf(await service.api.GET("/whoami"));
  const profiles = read().set(name, { url: service.url, key });
  write(profiles);
  print([paint("green", "ok"), `  ${service.url}  ${subject}, role ${textOf(role)}`]);
  note(`Kept as the profile ${name} in ${path()}.`);
  for (const variable of ["API", "API_KEY"])
    if (process.env[variable]) note(`$${variable} is set, and takes precedence over the profile.`);
  return 0;
}

/** Removes a profile. The key stays valid. */
export async function logout(call: Call): Promise<number> {
  const name = nameOf(call);
  const profiles = read();
  if (!profiles.delete(name)) throw new UserError(`There is no profile ${name}.`);
  write(profiles);
  print(`Removed the profile ${name}. Its API key stays valid until it expires or is deleted.`);
  return 0;
}

const write = (profiles: ReadonlyMap<string, Profile>): void =>
  writePrivate(path(), `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`);
