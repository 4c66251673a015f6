import { fork, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { freePort } from "../test/support/network/free-port.ts";
import { listening } from "../test/support/network/listening.ts";
import { answerOf } from "./answer-of.ts";

/** Accepts every email and stores none. */
export interface Sink {
  name: string;
  port: number;
  stop(): void;
}

const smtpSink = "/usr/sbin/smtp-sink";

/** Postfix's smtp-sink if it is installed, else our own. A separate process either way. */
export async function openSink(): Promise<Sink> {
  if (!existsSync(smtpSink)) return ownSink();
  const port = await freePort();
  const child = spawn(smtpSink, ["-u", "nobody", `127.0.0.1:${port}`, "256"], { stdio: "ignore" });
  const stop = () => void child.kill("SIGKILL");
  process.once("exit", stop);
  await listening(port).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { name: "smtp-sink", port, stop };
}

async function ownSink(): Promise<Sink> {
  const child = fork(new URL("sink.ts", import.meta.url));
  const { port } = await answerOf<{ port: number }>(child);
  return { name: "a sink of our own (smtp-sink is not installed: apt-get install postfix)", port, stop: () => child.disconnect() };
}
