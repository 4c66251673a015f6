import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Debian's packages that tests need, by a program of each. */
const packages: Readonly<Record<string, string>> = {
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/pgbouncer": "pgbouncer",
  "/usr/bin/pgbackrest": "pgbackrest",
  "/usr/lib/postgresql": "postgresql",
  "/usr/sbin/postfix": "postfix",
  "/usr/sbin/smtp-sink": "postfix",
  "/usr/sbin/opendkim": "opendkim",
  "/usr/sbin/debootstrap": "debootstrap",
  "/usr/bin/perl": "perl",
  "/usr/share/perl5/Net/SMPP.pm": "libnet-smpp-perl",
  "/usr/bin/buildah": "buildah",
  "/usr/bin/podman": "podman",
  "/usr/bin/crun": "crun",
  "/usr/bin/systemd-nspawn": "systemd-container",
  "/usr/bin/systemd-analyze": "systemd",
  "/usr/bin/sipp": "sip-tester",
  "/usr/bin/baresip": "baresip-core",
  "/usr/sbin/kamailio": "kamailio",
  "/usr/bin/espeak-ng": "espeak-ng",
};

/** Throws with the packages to install if programs are missing. */
export function requirePrograms(...programs: string[]): void {
  const missing = programs.filter((path) => !existsSync(path)).map((path) => packages[path] ?? path);
  if (missing.length > 0)
    throw new Error(
      `These tests need programs that are not installed. As root: apt-get install -y --no-install-recommends ${[...new Set(missing)].join(" ")}`,
    );
}

/** The folder with the programs of the distribution's newest PostgreSQL. */
export function postgresPrograms(): string {
  const versions = "/usr/lib/postgresql";
  requirePrograms(versions);
  return join(versions, readdirSync(versions).sort().at(-1) ?? "", "bin");
}
