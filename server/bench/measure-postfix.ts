import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { startPostfix } from "../test/postfix.ts";
import { freePort } from "../test/program.ts";
import type { Measured } from "./load.ts";

const smtpSource = "/usr/sbin/smtp-source";
const bytes = 3_400;

/** A Postfix that hands everything on to a sink. */
export interface Relaying {
  /** How many mails a second it takes, queues and hands on, unsigned. */
  relay(mails: number): Promise<Measured>;
  stop(): Promise<void>;
}

/** Starts one; null when it is not installed. */
export async function openPostfix(sinkPort: number, given: { sessions: number }): Promise<Relaying | null> {
  if (!existsSync("/usr/sbin/postfix") || !existsSync(smtpSource)) return null;
  const concurrency = String(given.sessions);
  const settings = { relayhost: `[127.0.0.1]:${sinkPort}`, default_destination_concurrency_limit: concurrency, initial_destination_concurrency: concurrency };
  const postfix = await startPostfix({ port: await freePort(), settings });
  const relay = async (mails: number): Promise<Measured> => {
    const start = performance.now();
    const envelope = ["-f", "orders@tillpost.example", "-t", "reader@shop.example.net", `127.0.0.1:${postfix.port}`];
    await once(spawn(smtpSource, ["-s", concurrency, "-l", String(bytes), "-m", String(mails), ...envelope], { stdio: "ignore" }), "close");
    while (queued(postfix.folder) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return { requests: mails, perSecond: Math.round((mails * 1000) / (performance.now() - start)), p50Ms: 0, p99Ms: 0, failed: 0 };
  };
  await relay(100);
  return { relay, stop: postfix.stop };
}

function queued(folder: string): number {
  const out = execFileSync("find", [`${folder}/spool/incoming`, `${folder}/spool/active`, `${folder}/spool/maildrop`, "-type", "f"], { encoding: "utf8" });
  return out.split("\n").filter((line) => line !== "").length;
}
