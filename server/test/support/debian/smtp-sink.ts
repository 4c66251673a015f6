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
  /** Message-IDs of the mails that came, in order; also of those that it took and did not answer. */
  messageIds(): string[];
  /** All that came, as it stands in the file that the sink writes. */
  dump(): string;
  stop(): Promise<void>;
}

/** Starts one with flags of its own: `-q .` hangs up after a message, `-r RCPT` refuses for now, `-f MAIL` for good. */
export async function startSmtpSink(given: { flags?: string[]; port?: number } = {}): Promise<SmtpSink> {
  const port = given.port ?? (await freePort());
  const folder = temporaryFolder();
  const file = join(folder.path, "dump");
  writeFileSync(file, "");
  const child = spawn("/usr/sbin/smtp-sink", ["-u", "root", ...(given.flags ?? []), "-D", file, `127.0.0.1:${port}`, "256"], { stdio: "ignore" });
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
