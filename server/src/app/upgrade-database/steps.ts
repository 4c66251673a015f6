import type { Logger } from "pino";
import type { Settings } from "../config.ts";

/** Both servers' addresses, as their superusers. */
export interface Servers {
  old: string;
  target: string;
}

/** Steps between which an upgrade may be interrupted, in order. */
export const upgradeSteps = [
  "begun",
  "old runs",
  "cluster made",
  "new runs",
  "schema made",
  "copying",
  "copied",
  "compared",
  "migrated",
  "checked",
  "stopped",
  "ready",
  "old aside",
  "in place",
] as const;

export type UpgradeStep = (typeof upgradeSteps)[number];

export interface UpgradeOptions {
  settings: Settings;
  log: Logger;
  /** Receives lines for the operator. */
  say(line: string): void;
  /** The earlier major's programs, if a folder was given. */
  oldPrograms: string | null;
  /** Whether npm may download them. */
  mayFetch: boolean;
  /** Whether objects that aren't Tillpost's may be left behind. */
  leaveOthers: boolean;
  /** Whether to continue despite faults in the books, which the old database has too. */
  despiteFaults: boolean;
  /** Ends the work; the old database remains unchanged. */
  signal?: AbortSignal;
  /** Free space on the disk; measured if absent. */
  freeBytes?(): Promise<number>;
  /** Called at each step, for tests that interrupt the work there or use the servers that run then. */
  atStep?(step: UpgradeStep, servers: Partial<Servers>): Promise<void>;
}

/** Marks a step of the work; throws if the work was aborted. */
export async function markStep(step: UpgradeStep, { signal, atStep }: UpgradeOptions, servers: Partial<Servers> = {}): Promise<void> {
  signal?.throwIfAborted();
  await atStep?.(step, servers);
}
