import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { accepting } from "#test/support/network/listening.ts";
import { requirePrograms } from "./debian-programs.ts";

const pgbouncer = "/usr/sbin/pgbouncer";
const haproxy = "/usr/sbin/haproxy";

/** A program of the distribution between us and a database. */
export interface Pooler {
  /** The database's URL through it. */
  url: string;
  stop(): Promise<void>;
}

/** Debian's PgBouncer, giving each transaction one of two connections. */
export async function startPgBouncer(behind: string): Promise<Pooler> {
  requirePrograms(pgbouncer);
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
  return await startPooler({ behind, port, file: "pgbouncer.ini", text: config.join("\n"), command: (file) => [pgbouncer, file] });
}

export interface Balancer extends Pooler {
  /** Puts a server in maintenance, where it gets no connection and loses its current ones, or back. */
  maintain(server: string, isAway: boolean): Promise<void>;
}

/** Debian's HAProxy in front of servers, by name. While no server is up, it accepts connections and closes them. */
export async function startHaproxy(servers: Readonly<Record<string, string>>, rules: readonly string[] = []): Promise<Balancer> {
  requirePrograms(haproxy);
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
    "  timeout check 5s",
    "frontend database",
    `  bind 127.0.0.1:${port}`,
    "  default_backend servers",
    "backend servers",
    "  default-server on-marked-down shutdown-sessions",
    ...rules.map((rule) => `  ${rule}`),
    ...Object.entries(servers).map(([name, url]) => `  server ${name} ${new URL(url).host}`),
    "",
  ];
  const behind = Object.values(servers)[0] ?? "";
  const pooler = await startPooler({
    behind,
    port,
    file: "haproxy.cfg",
    text: config.join("\n"),
    command: (file) => [haproxy, "-db", "-f", file],
  });
  const isChecked = rules.some((rule) => rule.startsWith("default-server check"));
  const run = async (...commands: string[]) => {
    const socket = connect(admin, "127.0.0.1");
    socket.end(`${commands.join("; ")}\n`);
    await once(socket.resume(), "close");
  };
  // A server counts as up until its first check, and again after maintenance.
  const doubt = (name: string) => (isChecked ? [`set server servers/${name} health down`] : []);
  if (isChecked) await run(...Object.keys(servers).flatMap(doubt));
  return {
    ...pooler,
    async maintain(server, isAway) {
      const name = `servers/${server}`;
      if (isAway) await run(`set server ${name} state maint`, `shutdown sessions server ${name}`);
      else await run(`set server ${name} state ready`, ...doubt(server));
    },
  };
}

/** HAProxy that leads to the server that reports it isn't a standby. Every server must accept `postgres` without a password. */
export async function startPrimaryBalancer(servers: Readonly<Record<string, string>>): Promise<Balancer> {
  const { username, pathname } = new URL(Object.values(servers)[0] ?? "");
  const begin = message("", `\0\x03\0\0user\0${username}\0database\0${pathname.slice(1)}\0\0`);
  const ask = message("Q", "select pg_is_in_recovery()\0");
  const isPrimary = message("D", "\0\x01\0\0\0\x01f");
  return await startHaproxy(servers, [
    "option tcp-check",
    "tcp-check connect",
    `tcp-check send-binary ${begin}`,
    `tcp-check send-binary ${ask}`,
    `tcp-check expect binary ${isPrimary}`,
    `tcp-check send-binary ${message("X", "")}`,
    "default-server check inter 500ms fastinter 200ms downinter 200ms fall 3 rise 1",
  ]);
}

/** A message of PostgreSQL's protocol in hexadecimal digits. */
function message(type: string, text: string): string {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + text.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(text, "latin1")]).toString("hex");
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
