import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { accepting } from "./listening.ts";
import { freePort } from "./program.ts";

/** A program of the distribution between us and a database. */
export interface Pooler {
  /** The database's address through it. */
  url: string;
  stop(): Promise<void>;
}

/** Debian's PgBouncer, giving each transaction one of two connections. */
export async function startPgBouncer(behind: string): Promise<Pooler> {
  const { hostname, port: target, username, password, pathname } = new URL(behind);
  const name = pathname.slice(1);
  const port = await freePort();
  const config = [
    "[databases]",
    `${name} = host=${hostname} port=${target} dbname=${name} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 2",
    "max_client_conn = 200",
  ];
  return await startPooler({ behind, port, file: "pgbouncer.ini", text: config.join("\n"), command: (file) => ["/usr/sbin/pgbouncer", file] });
}

export interface Balancer extends Pooler {
  /** Puts its only server in maintenance, or back. */
  maintain(isAway: boolean): Promise<void>;
}

/** Debian's HAProxy in front of one server. While that is in maintenance, it takes connections and closes them. */
export async function startHaproxy(behind: string): Promise<Balancer> {
  const { hostname, port: target } = new URL(behind);
  const port = await freePort();
  const admin = await freePort();
  const config = [
    "global",
    `  stats socket ipv4@127.0.0.1:${admin} level admin`,
    "defaults",
    "  mode tcp",
    "  timeout connect 2s",
    "  timeout client 60s",
    "  timeout server 60s",
    "frontend database",
    `  bind 127.0.0.1:${port}`,
    "  default_backend servers",
    "backend servers",
    `  server only ${hostname}:${target} on-marked-down shutdown-sessions`,
    "",
  ];
  const pooler = await startPooler({ behind, port, file: "haproxy.cfg", text: config.join("\n"), command: (file) => ["/usr/sbin/haproxy", "-db", "-f", file] });
  return {
    ...pooler,
    async maintain(isAway) {
      const socket = connect(admin, "127.0.0.1");
      socket.end(isAway ? "set server servers/only state maint; shutdown sessions server servers/only\n" : "set server servers/only state ready\n");
      await once(socket.resume(), "close");
    },
  };
}

interface Starting {
  behind: string;
  port: number;
  file: string;
  text: string;
  command(file: string): [string, ...string[]];
}

async function startPooler({ behind, port, file, text, command }: Starting): Promise<Pooler> {
  const user = databaseUser(null);
  const folder = mkdtempSync(join(tmpdir(), "tillpost-pooler-"));
  const path = join(folder, file);
  writeFileSync(path, text);
  if (user !== null) for (const owned of [folder, path]) chownSync(owned, user.uid, user.gid);
  const [program, ...given] = command(path);
  const child: ChildProcess = spawn(program, given, { ...user, cwd: folder, stdio: "ignore" });
  await accepting(port);
  const url = new URL(behind);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
