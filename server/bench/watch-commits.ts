import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Db } from "#platform/index.ts";
import { commitOnce } from "./gateways.sql.ts";

/** How long one small transaction took that shared the disk only with what was measured. */
export interface Commits {
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
}

const everyMs = 20;

/**
 * Commits repeatedly until stopped. Nothing that waits for the disk can be faster than this, so a disk that is slow for other reasons can
 * be distinguished from a server that is.
 */
export function watchCommits(db: Db): { stop(): Promise<Commits> } {
  const tookMs: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await commitOnce(db);
      tookMs.push(performance.now() - began);
      await sleep(everyMs);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      const sorted = tookMs.toSorted((left, right) => left - right);
      const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
      return { p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) };
    },
  };
}

/**
 * Makes the system write what it holds in memory: half a minute after rows were seeded it would do so itself, and every commit would wait
 * for it.
 */
export async function settleDisk(): Promise<void> {
  await promisify(execFile)("sync");
}
