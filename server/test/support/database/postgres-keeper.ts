import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findBinaries } from "#app/embedded/postgres-binaries.ts";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";

/**
 * A program: starts a throw-away PostgreSQL, prints its URL and the folder of its Unix socket, restarts it as after a crash for each line
 * on standard input, and ends and deletes it when that closes. PostgreSQL refuses to run as root, so for root it runs as another user, in a
 * folder that this one can enter.
 */
const user = databaseUser(null);
const folder = mkdtempSync(join(tmpdir(), "tillpost-test-"));
const data = join(folder, "data");
const password = randomBytes(18).toString("hex");
/** None where its path would be longer than a socket's may be. */
const sockets = folder.length < 85 ? folder : "";

function makeCluster(native: string): void {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== null) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = [
    "-D",
    data,
    "-U",
    "postgres",
    "--encoding=UTF8",
    "--locale=C",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--no-sync",
    // Without them, a page's first hint after each checkpoint isn't logged either, and each new database is two checkpoints.
    "--no-data-checksums",
  ];
  // Every file connects several times, and a password of 18 random bytes can't be guessed however fast it is checked.
  options.push("-c", "scram_iterations=1");
  execFileSync(join(native, "bin", "initdb"), options, { ...user, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function startServer(native: string, port: number): ChildProcess {
  const settings = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    // Nothing is replicated, and statements are planned and read as in the embedded database; log files needn't be filled with zeros before
    // they are written.
    "wal_level=minimal",
    "max_wal_senders=0",
    "wal_init_zero=off",
    "io_method=sync",
    "jit=off",
    "max_connections=200",
    `unix_socket_directories=${sockets}`,
    "listen_addresses=127.0.0.1",
    "logging_collector=off",
    "log_min_messages=fatal",
  ];
  return spawn(join(native, "bin", "postgres"), ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** Another program may take the free port first, so a server that exits immediately is started again on another one. */
async function startAnswering(native: string): Promise<{ server: ChildProcess; url: string }> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await freePort();
    const server = startServer(native, port);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    for (let wait = 0; wait < 300 && server.exitCode === null; wait += 1) {
      if (await answers(url)) return { server, url };
      await sleep(100);
    }
    server.kill("SIGKILL");
  }
  throw new Error("PostgreSQL does not start");
}

function deleteFolder(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

process.stdout.on("error", () => {});
try {
  chmodSync(folder, 0o711);
  const native = await findBinaries(user, folder);
  makeCluster(native);
  const started = await startAnswering(native);
  const { url } = started;
  let { server } = started;
  process.stdin.on("data", async () => {
    const ended = once(server, "exit");
    server.kill("SIGQUIT");
    await ended;
    server = startServer(native, Number(new URL(url).port));
    await eventually("the server is back", () => answers(url));
    process.stdout.write("again\n");
  });
  process.stdin.resume().once("close", async () => {
    const ended = once(server, "exit");
    server.kill("SIGQUIT");
    await ended;
    deleteFolder();
    process.exit(0);
  });
  process.stdout.write(`${url} ${sockets}\n`);
} catch (error) {
  deleteFolder();
  throw error;
}
