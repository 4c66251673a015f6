import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { accepting } from "./listening.ts";
import { onServer } from "./postgres.ts";
import { freePort } from "./program.ts";

const versions = "/usr/lib/postgresql";

export interface DebianPostgres {
  url: string;
  /** Schema and rows as its `pg_dump` writes them, without the lines that are psql's own. */
  dump(): string;
  stop(): Promise<void>;
}

/** The PostgreSQL of this machine's distribution, with nothing in it. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const bin = join(versions, readdirSync(versions).sort().at(-1) ?? "", "bin");
  const user = databaseUser(null);
  const folder = mkdtempSync(join(tmpdir(), "tillpost-debian-"));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "--encoding=UTF8", "--locale=C", "--auth=trust", "--no-sync"], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const settings = ["fsync=off", "unix_socket_directories=", "listen_addresses=127.0.0.1"].flatMap((setting) => ["-c", setting]);
  const server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...settings], { ...user, cwd: folder, stdio: "ignore" });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await accepting(port);
  await untilReady(url);
  return {
    url,
    dump() {
      const options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=200", url];
      return execFileSync(join(bin, "pg_dump"), options, { maxBuffer: 1e9 })
        .toString()
        .replace(/^\\.*\n/gm, "");
    },
    async stop() {
      const ended = once(server, "exit");
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It takes connections a moment before it answers on them. */
async function untilReady(url: string, tries = 100): Promise<void> {
  try {
    await onServer(url, (admin) => admin.query("select 1"));
  } catch (error) {
    if (tries === 0) throw error;
    await sleep(50);
    await untilReady(url, tries - 1);
  }
}
