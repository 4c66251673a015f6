import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { openDatabase } from "#platform/index.ts";
import { updateReadOnly } from "./sql.ts";

export interface DiskGuardOptions {
  url: string;
  log: Logger;
  /** The free space below which writes are refused. */
  reserveBytes: number;
  freeBytes(): Promise<number>;
  everyMs?: number;
}

export interface DiskGuard {
  stop(): Promise<void>;
}

/** Prevents writes from being switched on and off when free space fluctuates. */
const enoughFactor = 1.25;

/** The free space above which writes that were refused are accepted again. */
export function enoughBytes(reserveBytes: number): number {
  return reserveBytes * enoughFactor;
}

/**
 * Prevents an embedded database from running into a full disk, which would stop it: while too little space is left, every write is refused
 * and reads continue; once there is room again, writes are accepted again.
 */
export function guardDisk({ url, log, reserveBytes, freeBytes, everyMs = 1_000 }: DiskGuardOptions): DiskGuard {
  const database = openDatabase({ url, max: 1, applicationName: "tillpost-disk" });
  const ending = new AbortController();
  let isReadOnly = false;
  const look = async () => {
    const free = await freeBytes();
    const wanted = free < (isReadOnly ? enoughBytes(reserveBytes) : reserveBytes);
    if (wanted === isReadOnly) return;
    await updateReadOnly(database.db, wanted);
    isReadOnly = wanted;
    const room = { free_mb: Math.floor(free / 1e6), reserve_mb: Math.floor(reserveBytes / 1e6) };
    if (wanted) log.error(room, "the disk is nearly full: writes are refused until there is space again; reads still work");
    else log.warn(room, "there is space on the disk again; writes are accepted again");
  };
  const loop = (async () => {
    while (!ending.signal.aborted) {
      await look().catch((error: Error) => log.warn({ reason: error.message }, "the free disk space couldn't be checked; trying again"));
      await sleep(everyMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await loop;
      await database.close(1);
    },
  };
}

/** A program killed while the disk was full leaves its database refusing writes. Called while the server is down. */
export async function clearReadOnly(data: string): Promise<void> {
  const file = join(data, "postgresql.auto.conf");
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.includes("default_transaction_read_only")) await writeFile(file, text.replace(/^default_transaction_read_only.*\n/gm, ""));
}
