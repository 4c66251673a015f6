import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beginPass, type Ctx } from "#platform/index.ts";
import { bytesMax, type RecordedCall, retentionMs, storeRecording } from "./store-recording.ts";
import { readWaiting, removeWaiting, type WaitingFile, waitingAmong, writeWaiting } from "./waiting-file.ts";

/** Much longer than storing one takes: until then, no other process tries it too. */
const turnMs = 15 * 60_000;
const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;

/** A whole call's recording as a file. */
export interface RecordedFile {
  wav: string;
  channels: 1 | 2;
  durationMs: number;
}

/** Stores a file's recording and removes the file; returns its id. If that fails, the file stays for `storeWaiting`. */
export async function storeFile(ctx: Ctx, call: RecordedCall, { wav, channels, durationMs }: RecordedFile): Promise<string | null> {
  const { project_id, livemode, id: call_id } = call;
  const known = { project_id, livemode, call_id, channels, duration_ms: durationMs, ended_at: ctx.now() };
  const waiting = { ...known, failures: 0, due_at: after(ctx, turnMs) };
  await note(ctx, wav, waiting);
  return attempt(ctx, wav, waiting);
}

/**
 * Stores the recordings in a folder that are due: those that failed before, and those of a process that was lost. Ends at the first that
 * fails, because the store or the database is away for the others too; one whose note can't be read is put off. Returns how many were
 * stored.
 */
export async function storeWaiting(ctx: Ctx, folder: string): Promise<number> {
  const pass = beginPass(ctx, { task: "store_recordings", kind: "file" });
  let stored = 0;
  for (const name of waitingAmong(await readdir(folder))) {
    const wav = join(folder, name);
    const waiting = await pass.attempt(name, () => readWaiting(wav));
    if (waiting === null || waiting.due_at > ctx.now()) continue;
    const taken = { ...waiting, due_at: after(ctx, turnMs) };
    await writeWaiting(wav, taken);
    try {
      await attempt(ctx, wav, taken);
      stored += 1;
    } catch (err) {
      const facts = { err, call: waiting.call_id, file: wav };
      if (!(err instanceof Unstorable)) {
        ctx.log.warn(facts, "a recording still can't be stored; it stays on disk and is tried again");
        break;
      }
      ctx.log.error(facts, "a recording is no longer tried");
    }
  }
  pass.end();
  return stored;
}

async function attempt(ctx: Ctx, wav: string, waiting: WaitingFile): Promise<string | null> {
  const { project_id, livemode, call_id, channels, duration_ms } = waiting;
  try {
    await refuseUnstorable(ctx, wav, waiting);
    const given = { source: "call", read: () => readFile(wav), channels, durationMs: duration_ms } as const;
    const id = await storeRecording(ctx, { project_id, livemode, id: call_id }, given);
    await removeWaiting(wav);
    return id;
  } catch (error) {
    if (error instanceof Unstorable) throw error;
    const failures = waiting.failures + 1;
    await note(ctx, wav, { ...waiting, failures, due_at: after(ctx, pauseAfter(failures)) });
    throw error;
  }
}

/** A disk that takes no note may still be read: the recording is stored all the same if it can be. */
async function note(ctx: Ctx, wav: string, waiting: WaitingFile): Promise<void> {
  await writeWaiting(wav, waiting).catch((err: unknown) =>
    ctx.log.error({ err, call: waiting.call_id, file: wav }, "a recording couldn't be noted on disk: it is lost if it can't be stored now"),
  );
}

/** Removes a file that is too large or missing, or that has waited for as long as recordings are kept. */
async function refuseUnstorable(ctx: Ctx, wav: string, { ended_at }: WaitingFile): Promise<void> {
  const size = await stat(wav).then(
    (found) => found.size,
    (error: { code?: unknown }) => (error.code === "ENOENT" ? null : Promise.reject(error)),
  );
  const isExpired = ctx.now().getTime() - ended_at.getTime() > retentionMs;
  if (size !== null && size <= bytesMax && !isExpired) return;
  await removeWaiting(wav);
  if (size === null) throw new Unstorable("the file of a recording is missing");
  throw new Unstorable(
    isExpired ? "a recording couldn't be stored for thirty days" : `a recording of ${size} bytes is too large to be kept`,
  );
}

class Unstorable extends Error {}

function pauseAfter(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}

function after(ctx: Ctx, ms: number): Date {
  return new Date(ctx.now().getTime() + ms);
}
