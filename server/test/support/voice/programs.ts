import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export interface Running {
  child: ChildProcess;
  output(): string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
}

const running = new Set<Running>();

/** Starts a program without a shell. */
export function startProgram(command: string, args: string[], cwd: string): Running {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => void (output += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const program = { child, output: () => output, ended };
  running.add(program);
  void ended.then(() => running.delete(program));
  return program;
}

/** Ends what was started, each by its own process. */
export async function endPrograms(): Promise<void> {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all([...running].map(({ ended }) => ended));
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "tillpost-voice-"));
}

/** Waits until something is true, checking up to 300 times. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let looks = 0; looks < 300; looks += 1) {
    if (await isTrue()) return;
    await pause(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Whether something listens there by TCP. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
