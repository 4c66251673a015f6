import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/support/network/free-port.ts";
import { accepting } from "#test/support/network/listening.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";

/** Postfix's own test server. */
export interface SmtpSink {
  port: number;
  /** Message-IDs of the emails that arrived, in order, including those that it took without a response. */
  messageIds(): string[];
  /** Everything that arrived, as the sink writes it to its file. */
  dump(): string;
  stop(): Promise<void>;
}

/** Starts one with flags: `-q .` hangs up after a message, `-r RCPT` refuses temporarily, `-f MAIL` permanently. */
export async function startSmtpSink(given: { flags?: string[]; port?: number } = {}): Promise<SmtpSink> {
  const port = given.port ?? (await freePort());
  const folder = temporaryFolder();
  const file = join(folder.path, "dump");
  writeFileSync(file, "");
  const child = spawn("/usr/sbin/smtp-sink", ["-u", "root", ...(given.flags ?? []), "-D", file, `127.0.0.1:${port}`, "256"], {
    stdio: "ignore",
  });
  const ended = once(child, "close");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    folder.remove();
  };
  await accepting(port).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const dump = () => readFileSync(file, "utf8");
  return { port, dump, stop, messageIds: () => [...dump().matchAll(/^Message-ID: (.*)$/gm)].map((found) => (found[1] ?? "").trim()) };
}
