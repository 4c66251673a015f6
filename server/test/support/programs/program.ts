import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { foldersElsewhere } from "./processes.ts";

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
/** As `npm start` sets it: without it every start compiles all sources again. */
export const compileCache = fileURLToPath(new URL("../../../../node_modules/.cache/tillpost", import.meta.url));

export interface ProgramOptions {
  dataDir: string;
  command?: string[];
  port?: number;
  user?: { uid: number; gid: number };
  env?: Record<string, string>;
  /** The sources of another version; without it, these. */
  main?: string;
}

/** The real program as a separate process, in its own process group as under a terminal. */
export class Program {
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  output = "";
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number, dataDir: string) {
    this.#child = child;
    this.port = port;
    this.dataDir = dataDir;
    this.pid = child.pid ?? 0;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (this.output += String(part)));
    this.ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Waits until it serves; throws with its output if it ends instead. */
  async ready(patience: { withinMs?: number } = {}): Promise<this> {
    await eventually(
      () => `the program serves:\n${this.output}`,
      () => {
        if (this.hasEnded) throw new Error(`the program ended before it served:\n${this.output}`);
        return this.output.includes("Tillpost is running.");
      },
      patience,
    );
    return this;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it in order and returns how it ended. */
  stop(): Promise<{ code: number | null; signal: string | null }> {
    if (this.#child.exitCode === null) this.kill("SIGTERM");
    return this.ended;
  }

  demo(): { base_url: string; project_id: string; api_key: string } {
    return JSON.parse(readFileSync(join(this.dataDir, "demo.json"), "utf8"));
  }

  /** Kills the program and every process of its database, as a power cut would. */
  killEverything(): void {
    const database = databaseProcesses(this.dataDir);
    for (const pid of [this.pid, ...database]) killNow(pid);
  }
}

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, programArguments(options.command ?? ["serve"], options.main), {
    ...options.user,
    env: programEnvironment({ ...options, port }),
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  return new Program(child, port, options.dataDir);
}

/** Node's arguments to run a command of the program. */
export const programArguments = (command: string[], of = main) => ["--disable-warning=ExperimentalWarning", of, ...command];

/** The environment of a program: nothing of the test's own except where programs are found. */
export function programEnvironment({
  dataDir,
  port,
  env,
}: Pick<ProgramOptions, "dataDir" | "env"> & { port: number }): Record<string, string> {
  const { PATH = "" } = processEnvironment();
  return { PATH, NODE_COMPILE_CACHE: compileCache, TILLPOST_DATA_DIR: dataDir, PORT: String(port), ...env };
}

/** Where the embedded database of a data folder is stored. */
export function databaseFolder(dataDir: string): string {
  const { folder } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { folder: string | null };
  return folder ?? dataDir;
}

/** Process ids of the embedded database: the postmaster first, then its children; empty if it isn't running. */
export function databaseProcesses(dataDir: string): number[] {
  const file = join(databaseFolder(dataDir), "postgres", "postmaster.pid");
  const postmaster = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  if (postmaster === 0 || !commandOf(postmaster).includes("postgres")) return [];
  return [postmaster, ...childrenOf(postmaster)];
}

export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** Ends the programs of a test that are still running, with their embedded databases. */
export function killAll(programs: readonly Program[]): void {
  for (const { dataDir, pid, hasEnded } of programs) {
    const databases = existsSync(join(dataDir, "postgres.json")) ? databaseProcesses(dataDir) : [];
    // The pid of one that has ended may be another process's by now.
    [...databases, ...(hasEnded ? [] : [pid])].forEach(killNow);
  }
}

/** A folder for one test, and its removal together with what a database made elsewhere. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "tillpost-program-"));
  chmodSync(path, 0o755);
  const remove = () => {
    for (const folder of foldersElsewhere(path)) rmSync(folder, { recursive: true, force: true });
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { path, remove };
}

export function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}
