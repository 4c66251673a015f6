import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { freePort } from "#test/support/network/free-port.ts";

/** A real `api` or `worker` process on its own port; killed without warning and started again, it has the same address. */
export interface ApiProcess {
  url: string;
  /** Ends it like a power cut, and starts it again. Resolves when the new one responds. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** With settings that differ from those of other tests. */
export function startApi(databaseUrl: string, settings: Record<string, string> = {}): Promise<ApiProcess> {
  return start("api", databaseUrl, settings);
}

/** Only the background work. */
export function startWorker(databaseUrl: string, settings: Record<string, string> = {}): Promise<ApiProcess> {
  return start("worker", databaseUrl, settings);
}

type Command = "api" | "worker";

async function start(command: Command, databaseUrl: string, settings: Record<string, string>): Promise<ApiProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), "tillpost-api-"));
  const own = { ...testEnvironment(databaseUrl), TILLPOST_DATA_DIR: dataDir, ...settings };
  let child = spawnCommand(command, port, own);
  await untilReady(url, child).catch((error: unknown) => killed(child).then(() => Promise.reject(error)));
  return {
    url,
    async killAndRestart() {
      await killed(child);
      child = spawnCommand(command, port, own);
      await untilReady(url, child);
    },
    async stop() {
      await killed(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function spawnCommand(command: Command, port: number, settings: Record<string, string>): ChildProcess {
  const env = {
    ...processEnvironment(),
    [command === "api" ? "PORT" : "WORKER_PORT"]: String(port),
    HOST: "127.0.0.1",
    RATE_LIMIT_TEST: "1000000",
    RATE_LIMIT_BURST: "5000",
    LOG_LEVEL: "error",
    LOG_PRETTY: "off",
    ...settings,
  };
  return spawn(process.execPath, [main, command], { env, stdio: ["ignore", "inherit", "inherit"] });
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await pause(50);
  }
  throw new Error(`no process answers at ${url}`);
}
