import { join } from "node:path";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "./program.ts";
import { runHere } from "./run-here.ts";
import { startedFolder } from "./started-folder.ts";

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
}
