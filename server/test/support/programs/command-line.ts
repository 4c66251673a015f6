import { join } from "node:path";
import { expect } from "vitest";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "./program.ts";
import { runHere } from "./run-here.ts";
import { startedFolder } from "./started-folder.ts";

/** The result of a command that fails with this sentence. */
export const failed = (sentence: string) => ({ code: 1, output: expect.stringContaining(sentence) });

/** An installation that serves, and commands for its data folder. */
export class CommandLine {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder.path, "data");
  #server: Program | null = null;

  get server(): Program {
    if (this.#server === null) throw new Error("the server hasn't started");
    return this.#server;
  }

  async begin(): Promise<void> {
    this.#server = await startProgram({ dataDir: await startedFolder(this.dataDir) });
    await this.#server.ready();
  }

  async end(): Promise<void> {
    await this.#server?.stop();
    databaseProcesses(this.dataDir).forEach(killNow);
    this.folder.remove();
  }

  run(command: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    return runHere({ dataDir: this.dataDir, port: this.server.port, command, env });
  }

  /** Runs as a separate process. */
  async start(command: string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
    const program = await startProgram({ dataDir: this.dataDir, port: this.server.port, command, env });
    const { code } = await program.ended;
    return { code, output: program.output };
  }

  /** Signs a person in. Returns the session's cookie, empty if that is refused. */
  async signIn(email: string, password: string): Promise<string> {
    const { url } = this.server;
    const reply = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ email, password }),
    });
    return reply.headers.getSetCookie()[0]?.split(";", 1).join("") ?? "";
  }
}
