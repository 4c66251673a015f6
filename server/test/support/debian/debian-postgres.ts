import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { childrenOf, killNow } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { postgresPrograms } from "./debian-programs.ts";

/** The PostgreSQL of this machine's distribution, with a separate data folder. */
export class DebianServer {
  readonly url: string;
  readonly port: number;
  readonly #folder: string;
  readonly #user = databaseUser(null);
  readonly #bin = postgresPrograms();
  #running: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.#folder = mkdtempSync(join(tmpdir(), "tillpost-debian-"));
    if (this.#user !== null) chownSync(this.#folder, this.#user.uid, this.#user.gid);
  }

  /** Where its files are. */
  get data(): string {
    return join(this.#folder, "data");
  }

  /** Creates an empty database. */
  async init(): Promise<void> {
    await this.run("initdb", ["-D", this.data, "-U", "postgres", "--encoding=UTF8", "--locale=C", "--auth=trust", "--no-sync"]);
  }

  /** Copies a running server, as its streaming standby; what was here is deleted. */
  async copy(primary: DebianServer): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
    await this.run("pg_basebackup", ["-D", this.data, "-d", from, "-X", "stream", "-c", "fast", "-R", "--no-sync"]);
  }

  /** Resolves when it accepts connections. */
  async start(...settings: string[]): Promise<void> {
    const given = ["unix_socket_directories=", "listen_addresses=127.0.0.1", ...settings].flatMap((setting) => ["-c", setting]);
    const options = { ...this.#user, cwd: this.#folder, stdio: "ignore" } as const;
    const server = spawn(join(this.#bin, "postgres"), ["-D", this.data, "-p", String(this.port), ...given], options);
    this.#running = server;
    await eventually("PostgreSQL answers", async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} before it answered`);
      return onServer(this.url, (admin) => admin.query("select 1")).then(
        () => true,
        () => false,
      );
    });
  }

  /** Kills all of its processes, as a power cut would. */
  async kill(): Promise<void> {
    await this.#ended((server) => {
      const all = [server.pid ?? 0, ...childrenOf(server.pid ?? 0)];
      for (const pid of all) killNow(pid);
    });
  }

  /** Ends it and deletes its data. */
  async remove(): Promise<void> {
    await this.#ended((server) => server.kill("SIGQUIT"));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  /** Schema and rows as its `pg_dump` writes them, without the lines that only psql understands. */
  dump(): string {
    const options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=200", this.url];
    return execFileSync(join(this.#bin, "pg_dump"), options, { maxBuffer: 1e9 })
      .toString()
      .replace(/^\\.*\n/gm, "");
  }

  /** Runs a program as the server's user; one of PostgreSQL's own by its bare name. */
  async run(program: string, given: string[]): Promise<void> {
    await promisify(execFile)(resolve(this.#bin, program), given, { ...this.#user, cwd: this.#folder });
  }

  async #ended(end: (server: ChildProcess) => unknown): Promise<void> {
    const server = this.#running;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    end(server);
    await ended;
  }
}

/** An empty server, whose data a crash of the machine may corrupt. */
export async function startDebianPostgres(): Promise<DebianServer> {
  const server = new DebianServer(await freePort());
  await server.init();
  await server.start("fsync=off");
  return server;
}
