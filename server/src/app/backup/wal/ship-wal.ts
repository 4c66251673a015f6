import { setTimeout as sleep } from "node:timers/promises";
import { openWalStream, parseLsn, type WalStream } from "#platform/index.ts";
import { historyOf } from "../../embedded/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { requireMounted, roomIn } from "../archive/backup-folder.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { startCopying, type WalCopier } from "./copy-wal.ts";
import { noteBeginning } from "./note-beginning.ts";
import { noteCopied, noteOutage } from "./note-outage.ts";
import { findWalEnd } from "./sql.ts";
import { walFolder } from "./wal-history.ts";
import { openWalFolder, writeWalPiece } from "./wal-pieces.ts";

/** Ships the embedded database's write-ahead log to the backup folder. */
export interface WalShipping {
  /** Writes everything up to now, and ends. */
  stop(): Promise<void>;
}

/** A piece is written when it reaches this size, and at the latest after this time. */
const pieceBytes = 4 * 1024 * 1024;
const pieceMs = 10_000;
const pauseMs = 5_000;
/** How long an ending process waits for the rest. Anything missing follows after the next start. */
const restMs = 5_000;

type Source = Pick<Runtime, "ctx" | "log" | "settings"> & { backupUrl: string };

interface Progress {
  /** Everything before this position is written. */
  written: bigint;
  /** Why the last attempt failed; null once one has succeeded. Logged once. */
  trouble: string | null;
  /** Writes what has arrived, however little it is. */
  hurry(): void;
}

type Follower = Source & { progress: Progress; bucket: Bucket | null };

/** Where a stream's pieces go. */
interface Destination {
  folder: string;
  stream: WalStream;
  copier: WalCopier | null;
}

/**
 * Follows the write-ahead log and writes it in pieces next to the backups. What isn't written yet stays with the database, but never more
 * than it may retain (`max_slot_wal_keep_size`): beyond that there is a gap, which counts as a failed backup, and only the next one can be
 * restored to a later time.
 */
export function shipWal(runtime: Source, bucket: Bucket | null): WalShipping {
  const ending = new AbortController();
  const progress: Progress = { written: 0n, trouble: null, hurry() {} };
  const loop = (async () => {
    while (!ending.signal.aborted) {
      await follow({ ...runtime, progress, bucket }, ending.signal).catch(async ({ message }: Error) => {
        if (!ending.signal.aborted && message !== progress.trouble)
          runtime.log.error({ reason: message }, "the write-ahead log can't be copied to the backups right now; trying again");
        progress.trouble = message;
        await noted(runtime, noteOutage(runtime, "wal_unwritten", message));
      });
      await sleep(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      await writeRest(runtime, progress);
      ending.abort();
      await loop;
    },
  };
}

/** Whether it is copied is only a report: what fails about it mustn't stop the copying. */
async function noted({ log }: Pick<Source, "log">, noting: Promise<void>): Promise<void> {
  await noting.catch((error: Error) => log.error({ reason: error.message }, "whether the write-ahead log is copied couldn't be recorded"));
}

async function writeRest({ ctx }: Source, progress: Progress): Promise<void> {
  const end = await findWalEnd(ctx.db).catch(() => null);
  if (end === null) return;
  for (
    const limit = performance.now() + restMs;
    progress.written < parseLsn(end) && progress.trouble === null && performance.now() < limit;
    await sleep(10)
  )
    progress.hurry();
}

interface WalBuffer {
  start: bigint;
  parts: Buffer[];
  bytes: number;
}

/** What has arrived and isn't written yet, and a callback that wakes the writer. */
interface Gathering {
  piece: WalBuffer | null;
  failure: Error | null;
  wake(): void;
}

async function follow(runtime: Follower, ending: AbortSignal): Promise<void> {
  await requireMounted(runtime.settings);
  const gathering: Gathering = { piece: null, failure: null, wake() {} };
  const stream: WalStream = await openWalStream(runtime.backupUrl, (start, bytes) => {
    gathering.piece ??= { start, parts: [], bytes: 0 };
    gathering.piece.parts.push(bytes);
    gathering.piece.bytes += bytes.length;
    if (gathering.piece.bytes < pieceBytes) return;
    stream.pause();
    gathering.wake();
  });
  const wake = () => gathering.wake();
  Object.assign(runtime.progress, { written: stream.start, hurry: wake });
  const ticking = setInterval(wake, pieceMs);
  ending.addEventListener("abort", wake);
  stream.ended.catch((error: Error) => {
    gathering.failure = error;
    wake();
  });
  let copier: WalCopier | null = null;
  try {
    const history = { system_id: stream.systemId, history: historyOf(runtime.settings.TILLPOST_DATA_DIR) };
    const folder = walFolder(runtime.settings.BACKUP_DIR, history);
    await openWalFolder(folder);
    await noteBeginning(runtime, { ...stream, history }).catch((error: Error) =>
      runtime.log.warn({ reason: error.message }, "where the copied write-ahead log begins couldn't be recorded"),
    );
    if (runtime.bucket !== null) copier = startCopying(runtime.bucket, { ...runtime, folder, history });
    while (!ending.aborted) {
      const isFull = (gathering.piece?.bytes ?? 0) >= pieceBytes;
      if (!isFull && gathering.failure === null) await new Promise<void>((resolve) => (gathering.wake = resolve));
      const { piece, failure } = gathering;
      gathering.piece = null;
      if (piece !== null) await ship(runtime, piece, { folder, stream, copier });
      if (failure !== null) throw failure;
      stream.resume();
    }
  } finally {
    clearInterval(ticking);
    ending.removeEventListener("abort", wake);
    await stream.close();
    await copier?.stop();
  }
}

async function ship(runtime: Follower, piece: WalBuffer, { folder, stream, copier }: Destination): Promise<void> {
  const { settings, log, progress } = runtime;
  const end = piece.start + BigInt(piece.bytes);
  const name = await writeWalPiece(
    folder,
    { timeline: stream.timeline, start: piece.start, end, parts: piece.parts },
    {
      recipient: settings.BACKUP_RECIPIENT,
      async requireRoom() {
        if ((await roomIn(folder, settings.DISK_RESERVE_MB * 1_000_000)) <= 0)
          throw new Error(`there isn't enough space on the disk of ${folder}`);
      },
    },
  );
  stream.confirm(end);
  copier?.add(name);
  progress.written = end;
  if (progress.trouble !== null) log.warn("the write-ahead log is copied to the backups again");
  progress.trouble = null;
  await noted(runtime, noteCopied(runtime, "wal_unwritten"));
}
