import type { Logger } from "pino";
import type { Settings } from "../config.ts";

/** Both servers' addresses, as their superusers. */
export interface Servers {
  old: string;
  fresh: string;
}

/** Moments between which an upgrade may be cut off, in order. */
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
  /** Takes lines for the operator. */
  say(line: string): void;
  /** The earlier major's programs, if a folder was given. */
  oldPrograms: string | null;
  /** Whether npm may fetch them. */
  mayFetch: boolean;
  /** Whether what is not Tillpost's may stay behind. */
  leaveOthers: boolean;
  /** Whether faults in the books, which the old database then has too, are taken along. */
  despiteFaults: boolean;
  /** Ends the work; the old database stays as it is. */
  signal?: AbortSignal;
  /** Free space on the disk; without it, the disk is asked. */
  freeBytes?(): Promise<number>;
  /** Called at each step, for tests that cut the work off there or play with the servers that run then. */
  atStep?(step: UpgradeStep, servers: Partial<Servers>): Promise<void>;
}

/** Marks a step of the work; throws where it was asked to end. */
export async function reach(step: UpgradeStep, { signal, atStep }: UpgradeOptions, servers: Partial<Servers> = {}): Promise<void> {
  signal?.throwIfAborted();
  await atStep?.(step, servers);
}
