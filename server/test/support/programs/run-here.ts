import { runCommand } from "#run-command.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { type ProgramOptions, programEnvironment } from "./program.ts";

/** These end only by a signal, which would end the test's own process. */
const untilStopped = new Set(["serve", "api", "worker", "listen", "simulate-provider"]);
let last: Promise<unknown> = Promise.resolve();

interface Here extends Pick<ProgramOptions, "dataDir" | "port" | "env"> {
  command: readonly string[];
  /** Base of relative paths. */
  cwd?: string;
}

/**
 * Runs a command of the program in this process, one at a time, and returns its output and exit code. Starting the program takes two
 * seconds of processor time, which is only worth it if the test is about the process: how it ends, its signals, or two of them
 * concurrently.
 */
export async function runHere(given: Here): Promise<{ code: number; output: string }> {
  const [name = ""] = given.command;
  if (untilStopped.has(name) && !given.command.includes("--help")) throw new Error(`${name} needs a process of its own: startProgram`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  await before;
  try {
    return await captured(given);
  } finally {
    resolve();
  }
}

async function captured({ command, cwd, ...options }: Here): Promise<{ code: number; output: string }> {
  const environment = programEnvironment({ ...options, port: options.port ?? (await freePort()) });
  const streams = [process.stdout, process.stderr];
  const folder = process.cwd();
  let output = "";
  for (const stream of streams)
    stream.write = (part: string | Uint8Array, ...rest: unknown[]) => {
      output += String(part);
      const done = rest.find((one) => typeof one === "function");
      if (done !== undefined) done();
      return true;
    };
  try {
    if (cwd !== undefined) process.chdir(cwd);
    return { code: await runCommand(command, environment), output };
  } finally {
    process.chdir(folder);
    for (const stream of streams) Reflect.deleteProperty(stream, "write");
  }
}
