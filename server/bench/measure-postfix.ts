import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { startPostfix } from "../test/support/debian/postfix.ts";
import { freePort } from "../test/support/network/free-port.ts";
import type { Measured } from "./load.ts";

const smtpSource = "/usr/sbin/smtp-source";
const bytes = 3_400;
const longestMs = 120_000;

/** A Postfix that forwards everything to a sink. */
export interface Relaying {
  /** How many emails per second it accepts, queues and forwards, unsigned. */
  relay(mails: number): Promise<Measured>;
  stop(): Promise<void>;
}

/** Starts one; null if it isn't installed. */
export async function openPostfix(sinkPort: number, given: { sessions: number }): Promise<Relaying | null> {
  if (!existsSync("/usr/sbin/postfix") || !existsSync(smtpSource)) return null;
  const concurrency = String(given.sessions);
  const settings = {
    relayhost: `[127.0.0.1]:${sinkPort}`,
    default_destination_concurrency_limit: concurrency,
    initial_destination_concurrency: concurrency,
  };
  const postfix = await startPostfix({ port: await freePort(), settings });
  process.once("exit", () => spawnSync("/usr/sbin/postfix", ["-c", `${postfix.folder}/conf`, "stop"], { stdio: "ignore" }));
  const relay = async (mails: number): Promise<Measured> => {
    const start = performance.now();
    const envelope = ["-f", "orders@tillpost.example", "-t", "reader@shop.example.net", `127.0.0.1:${postfix.port}`];
    await once(spawn(smtpSource, ["-s", concurrency, "-l", String(bytes), "-m", String(mails), ...envelope], { stdio: "ignore" }), "close");
    await emptied(postfix.folder);
    return { requests: mails, perSecond: Math.round((mails * 1000) / (performance.now() - start)), p50Ms: 0, p99Ms: 0, failed: 0 };
  };
  try {
    await relay(100);
  } catch (error) {
    await postfix.stop();
    throw error;
  }
  return { relay, stop: postfix.stop };
}

async function emptied(folder: string): Promise<void> {
  const since = performance.now();
  for (let left = queued(folder); left > 0; left = queued(folder)) {
    if (performance.now() - since > longestMs) throw new Error(`Postfix still has ${left} mails after ${longestMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Emails that Postfix has and hasn't forwarded, including those that it will try again. */
function queued(folder: string): number {
  const count = (name: string) =>
    readdirSync(`${folder}/spool/${name}`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  return ["maildrop", "incoming", "active", "deferred"].reduce((sum, name) => sum + count(name), 0);
}
