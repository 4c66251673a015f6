import type { ParseArgsOptionsConfig } from "node:util";
import type { Settings } from "./config.ts";

/** The arguments after the command's name. */
export interface Given {
  values: Record<string, string | boolean | undefined>;
  words: string[];
}

export interface Command {
  summary: string;
  /** What it does and how it ends, for `--help`. */
  help: string;
  options: ParseArgsOptionsConfig;
  /** Loads only what this command needs. */
  load(): Promise<{ run(settings: Settings, given: Given): Promise<number> }>;
}
