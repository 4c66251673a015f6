import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { childrenOf } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { quietly } from "./shipped.ts";

/** Separate processes and mounts. Everything started or mounted in it ends with it, also when the test is killed. Needs root. */
export class Namespace {
  readonly #holder: ChildProcess;
  readonly #first: number;

  private constructor(holder: ChildProcess, first: number) {
    this.#holder = holder;
    this.#first = first;
  }

  /** Runs shell lines in a new one before anything else. */
  static async open(lines: string): Promise<Namespace> {
    const own = ["--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const inside = ["/bin/sh", "-ec", `${lines}\necho open; exec sleep infinity`];
    const holder = spawn("/usr/bin/setpriv", ["--pdeathsig=KILL", "unshare", ...own, ...inside], {
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    holder.stdout?.on("data", (part: Buffer) => (printed += String(part)));
    await eventually("a namespace is open", () => {
      if (holder.exitCode !== null) throw new Error(`unshare ended with ${holder.exitCode}`);
      return printed.includes("open");
    });
    return new Namespace(holder, childrenOf(holder.pid ?? 0)[0] ?? 0);
  }

  /** Runs a program in it to its end and returns its output. */
  run(program: string, given: string[], env: Record<string, string> = {}): string {
    return quietly("nsenter", [`--target=${this.#first}`, "--mount", "--pid", program, ...given], { env });
  }

  async close(): Promise<void> {
    const ended = once(this.#holder, "exit");
    this.#holder.kill("SIGKILL");
    await ended;
  }
}
