import { spawn } from "node:child_process";
import { processEnvironment } from "../config.ts";

const limitMs = 10_000;
const maxBytes = 64_000;

/**
 * Returns a command's output. The command and everything it started is killed after a time limit. Throws a readable error without any of
 * its output, which could contain part of a key.
 */
export function outputOf(command: string, timeoutMs = limitMs): Promise<string> {
  return new Promise((resolve, reject) => {
    // In its own process group, so that everything it starts ends with it. Its error output may contain a secret as well, and is discarded.
    const child = spawn("/bin/sh", ["-c", command], { env: processEnvironment(), stdio: ["ignore", "pipe", "ignore"], detached: true });
    const parts: Buffer[] = [];
    let bytes = 0;
    let why: string | null = null;
    const end = (reason: string) => {
      why ??= reason;
      if (child.pid !== undefined) endGroup(child.pid);
      child.stdout.destroy();
    };
    const timer = setTimeout(() => end(`it didn't finish within ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on("data", (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBytes) end("it printed more than a list of keys");
    });
    child.on("error", (error: NodeJS.ErrnoException) => end(`it couldn't be started (${error.code ?? "unknown"})`));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (why === null && code !== 0) why = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
      if (why === null) resolve(Buffer.concat(parts).toString("utf8"));
      else reject(new Error(why));
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
