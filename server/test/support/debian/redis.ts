import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#test/support/network/free-port.ts";

/** Debian's redis-server on a separate port, without persistence. */
export interface Redis {
  url: string;
  start(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export async function redisServer(): Promise<Redis> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "tillpost-redis-"));
  let child: ReturnType<typeof spawnRedis> | undefined;
  const redis: Redis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = spawnRedis(port, folder);
      for (let tries = 0; tries < 200; tries += 1) {
        if (await answers(port)) return;
        await pause(25);
      }
      throw new Error("redis-server does not answer");
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async remove() {
      await redis.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

const program = "redis-server";

function spawnRedis(port: number, folder: string) {
  const options = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no", "protected-mode": "yes" };
  return spawn(
    program,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  );
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
