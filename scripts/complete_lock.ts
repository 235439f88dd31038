// Completes package-lock.json: npm run lock, after every `npm install` that changed it; npm run lock -- test/e2e/clients there.
// Some registries serve a package before its builds for other platforms. npm then leaves those optional builds out of
// the lock file, and `npm ci` rejects such a lock file. This script adds them by name, version and platform.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Entry>;
}

const FILE = join(process.argv[2] ?? ".", "package-lock.json");

const systems: [RegExp, string][] = [
  [/darwin/, "darwin"],
  [/win32|windows/, "win32"],
  [/android/, "android"],
  [/freebsd/, "freebsd"],
  [/openharmony/, "openharmony"],
  [/linux/, "linux"],
];
const processors: [RegExp, string][] = [
  [/arm64/, "arm64"],
  [/arm/, "arm"],
  [/ia32/, "ia32"],
  [/ppc64/, "ppc64"],
  [/riscv64/, "riscv64"],
  [/s390x/, "s390x"],
  [/64/, "x64"],
];

const first = (table: [RegExp, string][], name: string): string | undefined =>
  table.find(([pattern]) => pattern.test(name))?.[1];

/** The platform that a package is built for, by its name: `@oxlint/binding-linux-arm64-musl`. */
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> | undefined {
  const [os, cpu] = [first(systems, name), first(processors, name)];
  if (!os || !cpu) return undefined;
  return { os: [os], cpu: [cpu], ...(os === "linux" && /musl/.test(name) ? { libc: ["musl"] } : {}) };
}

const isLock = (value: unknown): value is Lock =>
  typeof value === "object" && value !== null && "packages" in value && typeof value.packages === "object";

const lock: unknown = JSON.parse(readFileSync(FILE, "utf8"));
if (!isLock(lock)) throw new Error(`${FILE} is not a lock file`);

const added = Object.values(lock.packages).flatMap(({ dev, optionalDependencies }) =>
  Object.entries(optionalDependencies ?? {}).flatMap(([name, version]): [string, Entry][] => {
    const platform = platformOf(name);
    const isListed = Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`));
    if (!platform || isListed || !/^\d/.test(version)) return [];
    return [[`node_modules/${name}`, { version, ...(dev ? { dev } : {}), optional: true, ...platform }]];
  }),
);

const byPath = ([a]: [string, Entry], [b]: [string, Entry]): number => (a < b ? -1 : 1);
const packages = Object.fromEntries([...Object.entries(lock.packages), ...added].toSorted(byPath));
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
console.info(
  added.length === 0 ? "Nothing to add." : `Added ${added.map(([path]) => path).join("\n      ")}`,
);
