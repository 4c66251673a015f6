import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { quietly } from "./shipped.ts";

/** A Debian 12 in a folder, with only what every installation has and these packages. Needs root. */
export interface BareDebian {
  path: string;
  /** Types lines in it before it is booted, with the machine's network. */
  type(lines: string): string;
  remove(): void;
}

/** Fetches and unpacks one. */
export function bareDebian(...packages: string[]): BareDebian {
  requirePrograms("/usr/sbin/debootstrap");
  const folder = mkdtempSync(join(tmpdir(), "tillpost-debian-"));
  const path = join(folder, "root");
  quietly("debootstrap", ["--variant=minbase", ...(packages.length === 0 ? [] : [`--include=${packages.join(",")}`]), "bookworm", path]);
  // Packages with a service don't start it: it would run on the machine itself.
  writeFileSync(join(path, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  // As Debian's installer leaves it; debootstrap doesn't write one.
  writeFileSync(join(path, "etc/hosts"), "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n");
  // Its programs look up names as this machine's do.
  cpSync("/etc/resolv.conf", join(path, "etc/resolv.conf"), { dereference: true });
  return {
    path,
    type: (lines) => quietly("chroot", [path, "/bin/sh", "-ec", lines]),
    remove: () => {
      if (existsSync(path)) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
