import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { startPostfix } from "../test/postfix.ts";
import { freePort } from "../test/program.ts";
import type { Measured } from "./load.ts";

const smtpSource = "/usr/sbin/smtp-source";
const bytes = 3_400;

/** Mails a second that Postfix takes, queues and hands on to a sink, unsigned; null when it is not installed. */
export async function measurePostfix(sinkPort: number, given: { mails: number; sessions: number }): Promise<Measured | null> {
  if (!existsSync("/usr/sbin/postfix") || !existsSync(smtpSource)) return null;
  const postfix = await startPostfix({
    port: await freePort(),
    settings: { relayhost: `[127.0.0.1]:${sinkPort}`, default_destination_concurrency_limit: "20", initial_destination_concurrency: "20" },
  });
  try {
    const pour = async (mails: number) => {
      const start = performance.now();
      const args = [
        "-s",
        String(given.sessions),
        "-l",
        String(bytes),
        "-m",
        String(mails),
        "-f",
        "orders@tillpost.example",
        "-t",
        "reader@shop.example.net",
        `127.0.0.1:${postfix.port}`,
      ];
      await once(spawn(smtpSource, args, { stdio: "ignore" }), "close");
      while (queued(postfix.folder) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return (performance.now() - start) / 1000;
    };
    await pour(100);
    const seconds = await pour(given.mails);
    return { requests: given.mails, perSecond: Math.round(given.mails / seconds), p50Ms: 0, p99Ms: 0, failed: 0 };
  } finally {
    await postfix.stop();
  }
}

function queued(folder: string): number {
  const out = execFileSync("find", [`${folder}/spool/incoming`, `${folder}/spool/active`, `${folder}/spool/maildrop`, "-type", "f"], { encoding: "utf8" });
  return out.split("\n").filter((line) => line !== "").length;
}
