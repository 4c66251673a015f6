import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Tenant } from "#platform/index.ts";
import type { CarrierCopy } from "../transport.ts";

/** A call's recording on this machine's disk, or at its carrier, that isn't stored yet. */
export interface WaitingFile extends Tenant {
  call_id: string;
  /** Where it is, if it is still at its carrier: then there is only this note. */
  copy?: CarrierCopy;
  /** It is stored here, and only has to be deleted at its carrier. */
  is_stored?: boolean;
  channels: 1 | 2;
  duration_ms: number;
  /** When the call ended. */
  ended_at: Date;
  /** How often it couldn't be stored. */
  failures: number;
  /** When it is tried again, unless the process that is storing it finishes before. */
  due_at: Date;
}

/** What is known of a recording is in a file beside it, so that it can still be stored after its process was lost. */
const ending = ".json";
const dates: readonly string[] = ["ended_at", "due_at"];

/** Written as a whole or not at all, also if two processes write at once. */
export async function writeWaiting(wav: string, waiting: WaitingFile): Promise<void> {
  const path = `${wav}.${randomBytes(6).toString("hex")}`;
  await writeFile(path, JSON.stringify(waiting), { mode: 0o600, flush: true });
  await rename(path, wav + ending);
}

/** null if another process has removed it. */
export async function readWaiting(wav: string): Promise<WaitingFile | null> {
  const text = await readFile(wav + ending, "utf8").catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text, (name, value) => (dates.includes(name) ? new Date(value) : value));
}

/** The recording first: a note without one is harmless, but a recording without its note could be neither stored nor kept. */
export async function removeWaiting(wav: string): Promise<void> {
  await rm(wav, { force: true });
  await rm(wav + ending, { force: true });
}

/** Of the names in a folder, those of recordings that wait to be stored. */
export function waitingAmong(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
}

/** Of the names in a folder, those that belong to no recording that waits to be stored. */
export function strayAmong(names: readonly string[]): string[] {
  const waiting = new Set(waitingAmong(names).flatMap((name) => [name, name + ending]));
  return names.filter((name) => !waiting.has(name));
}
