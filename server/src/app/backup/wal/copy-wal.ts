import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runtime } from "../../runtime/index.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { type WalHistory, walKey } from "./wal-history.ts";
import { listWalPieces } from "./wal-pieces.ts";

/** Copies pieces of the write-ahead log to a bucket, one after the other. */
export interface WalCopier {
  add(name: string): void;
  /** Waits briefly for copies in progress. Missing ones are copied after the next start. */
  stop(): Promise<void>;
}

const stopMs = 5_000;

/**
 * Starts with what the bucket lacks. If the store is unavailable the pieces wait in their folder, and each new one triggers another
 * attempt.
 */
export function startCopying(
  bucket: Bucket,
  { folder, history, log }: { folder: string; history: WalHistory } & Pick<Runtime, "log">,
): WalCopier {
  const waiting = new Set<string>();
  let isKnown = false;
  let isAway = false;
  let running: Promise<void> | undefined;
  const copy = async () => {
    if (!isKnown) {
      const there = new Set((await bucket.list(walKey(history, ""))).map(({ key }) => key));
      for (const { name } of await listWalPieces(folder)) if (!there.has(walKey(history, name))) waiting.add(name);
      isKnown = true;
    }
    for (const name of waiting) {
      await bucket.upload(walKey(history, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        // Removed together with the backups that it followed.
        if (error.code !== "ENOENT") throw error;
      });
      waiting.delete(name);
    }
    if (isAway) log.warn("the write-ahead log is copied to the bucket again");
    isAway = false;
  };
  const run = () => {
    running ??= copy()
      .catch((error: Error) => {
        if (!isAway)
          log.error(
            { reason: error.message, bucket: bucket.name },
            "the write-ahead log can't be copied to the bucket right now; trying again",
          );
        isAway = true;
      })
      .finally(() => (running = undefined));
  };
  run();
  return {
    add(name) {
      waiting.add(name);
      run();
    },
    async stop() {
      // A copy requested a moment ago may still be waiting behind the one in progress.
      run();
      await Promise.race([running, sleep(stopMs, undefined, { ref: false })]);
    },
  };
}
