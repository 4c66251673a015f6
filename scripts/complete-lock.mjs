// `node scripts/complete-lock.mjs`: npm leaves optional packages of other platforms out of the lock file if its registry doesn't have them,
// and `npm ci` then refuses the whole file, on every machine. This adds them again: a platform that needs one fetches the exact version
// that its owner specifies.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { heldAt } from "./release/needed-packages.mjs";

const platform = /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(.+))?$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const added = completeLock(lock);
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(
    added.length === 0 ? "The lock file is whole.\n" : `Added ${added.length}:\n${added.map((name) => `  ${name}\n`).join("")}`,
  );
}

/** Adds an entry for each optional package without one; returns their names. */
export function completeLock(lock) {
  const { packages } = lock;
  const added = [];
  for (const { name, version, owner } of missingFrom(packages)) {
    const [, os, cpu, abi = ""] = platform.exec(name) ?? [];
    if (os === undefined || !/^\d+\.\d+\.\d+/.test(version))
      throw new Error(`${name}@${version} names no platform and exact version: add it with npm install`);
    const libc = os === "linux" && /^(musl|gnu)/.test(abi) ? { libc: [abi.startsWith("musl") ? "musl" : "glibc"] } : {};
    const { license, engines, dev } = packages[owner];
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...libc,
      license,
      optional: true,
      os: [os],
      engines,
    };
    added.push(name);
  }
  const { "": top, ...others } = packages;
  lock.packages = { "": top, ...Object.fromEntries(Object.entries(others).sort(([one], [other]) => one.localeCompare(other, "en"))) };
  return added;
}

/** Optional packages that a package depends on and the lock file lacks. */
export function missingFrom(packages) {
  return Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => heldAt(packages, owner, name) === null)
      .map(([name, version]) => ({ name, version, owner })),
  );
}
