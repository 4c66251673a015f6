import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runtime } from "../../runtime/index.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { noteCopied, noteOutage } from "./note-outage.ts";
import { type WalHistory, walKey } from "./wal-history.ts";
import { listWalPieces } from "./wal-pieces.ts";

/** Copies pieces of the write-ahead log to a bucket, one after the other. */
export interface WalCopier {
  add(name: string): void;
  /** Waits briefly for copies in progress. Missing ones are copied after the next start. */
  stop(): Promise<void>;
}

interface Copying extends Pick<Runtime, "ctx" | "log" | "settings"> {
  folder: string;
  history: WalHistory;
  /** How soon another attempt follows if the store is unavailable. */
  againMs?: number;
}

const stopMs = 5_000;

/**
 * Starts with what the bucket lacks. If the store is unavailable the pieces wait in their folder, and another attempt follows after a
 * while, and with each new piece.
 */
export function startCopying(bucket: Bucket, { folder, history, againMs = 60_000, ...runtime }: Copying): WalCopier {
  const { log } = runtime;
  const waiting = new Set<string>();
  let isKnown = false;
  let isAway = false;
  let running: Promise<void> | undefined;
  const copy = async () => {
    if (!isKnown) await listLacking(bucket, { folder, history, waiting });
    isKnown = true;
    await upload(bucket, { folder, history, waiting });
    if (isAway) log.warn("the write-ahead log is copied to the bucket again");
    isAway = false;
  };
  const fail = async (error: Error) => {
    const facts = { reason: error.message, bucket: bucket.name };
    if (!isAway) log.error(facts, "the write-ahead log can't be copied to the bucket right now; trying again");
    isAway = true;
    await noteOutage(runtime, "wal_uncopied", error.message);
  };
  const run = () => {
    running ??= copy()
      .then(() => noteCopied(runtime, "wal_uncopied"), fail)
      .catch((error: Error) => log.error({ reason: error.message }, "whether the write-ahead log is copied couldn't be recorded"))
      .finally(() => {
        running = undefined;
        // One may have been added while that was recorded.
        if (waiting.size > 0 && !isAway) run();
      });
  };
  run();
  const timer = setInterval(() => isAway && run(), againMs);
  timer.unref();
  return {
    add(name) {
      waiting.add(name);
      run();
    },
    async stop() {
      clearInterval(timer);
      // A copy requested a moment ago may still be waiting behind the one in progress.
      run();
      await Promise.race([running, sleep(stopMs, undefined, { ref: false })]);
    },
  };
}

type Waiting = Pick<Copying, "folder" | "history"> & { waiting: Set<string> };

/** Adds the pieces that aren't in the bucket to those that wait. */
async function listLacking(bucket: Bucket, { folder, history, waiting }: Waiting): Promise<void> {
  const there = new Set((await bucket.list(walKey(history, ""))).map(({ key }) => key));
  for (const { name } of await listWalPieces(folder)) if (!there.has(walKey(history, name))) waiting.add(name);
  // The list of a folder whose disk is away for a moment is empty.
  await access(folder);
}

/** Uploads those that wait, and those that are added in the meantime. */
async function upload(bucket: Bucket, { folder, history, waiting }: Waiting): Promise<void> {
  for (const name of waiting) {
    await bucket.upload(walKey(history, name), join(folder, name)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      // It was removed together with the backups that it followed, unless its folder is away too.
      await access(folder);
    });
    waiting.delete(name);
  }
}
