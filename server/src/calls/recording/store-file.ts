import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beginPass, type Ctx } from "#platform/index.ts";
import { BadSound } from "../audio/read-wav.ts";
import { type CallTransport, CarrierAway, type CarrierFile, type RecordedFile, type RecordedWav } from "../transport.ts";
import { bytesMax, type RecordedCall, retentionMs, storeRecording, wasWholeStored } from "./store-recording.ts";
import { readWaiting, removeWaiting, type WaitingFile, waitingAmong, writeWaiting } from "./waiting-file.ts";

/** Much longer than storing one takes: until then, no other process tries it too. */
const turnMs = 15 * 60_000;
const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;
/** For what a carrier has refused: it probably will again. */
const longestRefusedMs = 60 * 60_000;
/** How long after a call's end its carrier may list no recording yet. */
const listedWithinMs = 10 * 60_000;

type Find = () => Promise<CarrierFile | null>;

/**
 * Stores a file's recording and removes the file, or the carrier's copy; returns its id. If that fails, what is noted stays for
 * `storeWaiting`.
 */
export async function storeFile(ctx: Ctx, call: RecordedCall, file: RecordedFile): Promise<string | null> {
  const waiting = waitingOf(ctx, call, { file, dueMs: turnMs });
  await note(ctx, file.wav, waiting);
  try {
    return await attempt(ctx, waiting, { wav: file.wav, find: "copy" in file ? file.find : null });
  } catch (error) {
    if (!(error instanceof Undeleted)) throw error;
    warnOf(ctx, { err: error, call: call.id, file: file.wav });
    return error.id;
  }
}

/** Notes a file's recording, so that `storeWaiting` stores it: this process is about to end. */
export async function noteFile(ctx: Ctx, call: RecordedCall, file: RecordedFile): Promise<null> {
  await note(ctx, file.wav, waitingOf(ctx, call, { file, dueMs: 0 }));
  return null;
}

function waitingOf(ctx: Ctx, call: RecordedCall, { file, dueMs }: { file: RecordedFile; dueMs: number }): WaitingFile {
  const { project_id, livemode, id: call_id } = call;
  const known = { project_id, livemode, call_id, ended_at: ctx.now(), failures: 0, due_at: after(ctx, dueMs) };
  if ("copy" in file) return { ...known, channels: file.copy.channels, duration_ms: 0, copy: file.copy };
  return { ...known, channels: file.channels, duration_ms: file.durationMs };
}

/**
 * Stores the recordings in a folder that are due: those that failed before, and those of a process that was lost. What is due longest comes
 * first, and one that fails delays only itself, however many there are. The pass ends early if the store or the database is away, and a
 * carrier that is away isn't asked again in it. Returns how many were stored.
 */
export async function storeWaiting(ctx: Ctx, folder: string, findRecording?: CallTransport["findRecording"]): Promise<number> {
  const away = new Set<string>();
  let stored = 0;
  for (const wav of await listDue(ctx, folder)) {
    // Again, because another process may have taken it in the meantime.
    const waiting = await readWaiting(wav);
    if (waiting === null || waiting.due_at > ctx.now() || away.has(routeOf(waiting))) continue;
    const taken = { ...waiting, due_at: after(ctx, turnMs) };
    await writeWaiting(wav, taken);
    const { copy } = taken;
    try {
      await attempt(ctx, taken, { wav, find: copy === undefined ? null : async () => findAt(copy, findRecording) });
      stored += 1;
    } catch (err) {
      warnOf(ctx, { err, call: waiting.call_id, file: wav });
      if (isAway(err)) away.add(routeOf({ ...taken, is_stored: err instanceof Undeleted }));
      else if (!(err instanceof Unfetched || err instanceof Unstorable)) break;
    }
  }
  return stored;
}

/** The recordings that are due, those that are due longest first. One whose note can't be read is put off. */
async function listDue(ctx: Ctx, folder: string): Promise<string[]> {
  const pass = beginPass(ctx, { task: "store_recordings", kind: "file" });
  const due: { wav: string; dueMs: number }[] = [];
  for (const name of waitingAmong(await readdir(folder))) {
    const wav = join(folder, name);
    const waiting = await pass.attempt(name, () => readWaiting(wav));
    if (waiting !== null && waiting.due_at <= ctx.now()) due.push({ wav, dueMs: waiting.due_at.getTime() });
  }
  pass.end();
  return due.sort((one, other) => one.dueMs - other.dueMs).map(({ wav }) => wav);
}

/** Carriers may fetch and delete over different ways: one that doesn't respond to deletions may still hand over recordings. */
function routeOf({ copy, is_stored }: Pick<WaitingFile, "copy" | "is_stored">): string {
  return `${is_stored === true ? "delete" : "fetch"} ${copy?.provider}`;
}

function findAt(copy: NonNullable<WaitingFile["copy"]>, findRecording: CallTransport["findRecording"]): Promise<CarrierFile | null> {
  if (findRecording === undefined) throw new Error(`no account is set up for ${copy.provider}`);
  return findRecording(copy);
}

function warnOf(ctx: Ctx, facts: { err: unknown; call: string; file: string }): void {
  if (facts.err instanceof Unstorable) ctx.log.error(facts, "a recording is no longer tried");
  else if (facts.err instanceof Undeleted)
    ctx.log.warn(facts, "a carrier's copy of a recording couldn't be deleted yet; it is tried again");
  else if (facts.err instanceof Unfetched) ctx.log.warn(facts, "a recording can't be fetched from its carrier yet; it is tried again");
  else ctx.log.warn(facts, "a recording still can't be stored; it stays on disk and is tried again");
}

async function attempt(ctx: Ctx, waiting: WaitingFile, { wav, find }: { wav: string; find: Find | null }): Promise<string | null> {
  let known = waiting;
  try {
    refuseExpired(ctx, waiting);
    const { id, at } = await storeOnce(ctx, waiting, { wav, find });
    if (find !== null) {
      known = { ...waiting, is_stored: true };
      await note(ctx, wav, known);
      // Before its note, which is all that is known of it here: the callee's voice would stay there.
      await deleteCopy(id, at === null ? find : async () => at);
    }
    await removeWaiting(wav);
    return id;
  } catch (error) {
    if (error instanceof Unstorable) {
      await removeWaiting(wav);
      throw error;
    }
    const failures = waiting.failures + 1;
    await note(ctx, wav, { ...known, failures, due_at: after(ctx, pauseAfter(failures, error)) });
    throw error;
  }
}

/**
 * Stores it unless another attempt has, before or in the meantime. Returns its id and the carrier's copy, each null if another attempt
 * stored it, and the copy also if there is none.
 */
async function storeOnce(
  ctx: Ctx,
  waiting: WaitingFile,
  { wav, find }: { wav: string; find: Find | null },
): Promise<{ id: string | null; at: CarrierFile | null }> {
  const isStored = async () => waiting.is_stored === true || (await wasWholeStored(ctx.db, waiting));
  if (await isStored()) return { id: null, at: null };
  try {
    const at = find === null ? null : await findCopy(ctx, waiting, find);
    const { project_id, livemode, call_id } = waiting;
    const read = at === null ? () => readStored(wav, waiting) : () => fetched(at.download);
    return { id: await storeRecording(ctx, { project_id, livemode, id: call_id }, { source: "call", read }), at };
  } catch (error) {
    if (!(await isStored().catch(() => false))) throw error;
    return { id: null, at: null };
  }
}

/** Deletes the copy at the carrier. If the carrier lists none any more, it was deleted before. */
async function deleteCopy(id: string | null, find: Find): Promise<void> {
  try {
    await (await find())?.remove();
  } catch (cause) {
    throw new Undeleted(id, { cause });
  }
}

/** A disk that takes no note may still be read: the recording is stored all the same if it can be. */
async function note(ctx: Ctx, wav: string, waiting: WaitingFile): Promise<void> {
  await writeWaiting(wav, waiting).catch((err: unknown) =>
    ctx.log.error({ err, call: waiting.call_id, file: wav }, "a recording couldn't be noted on disk: it is lost if it can't be stored now"),
  );
}

function refuseExpired(ctx: Ctx, { ended_at, is_stored }: WaitingFile): void {
  if (ctx.now().getTime() - ended_at.getTime() <= retentionMs) return;
  throw new Unstorable(`a recording couldn't be ${is_stored === true ? "deleted at its carrier" : "stored"} for thirty days`);
}

/** Reads a file, unless it is too large or missing. */
async function readStored(wav: string, { channels, duration_ms }: WaitingFile): Promise<RecordedWav> {
  const size = await stat(wav).then(
    (found) => found.size,
    (error: { code?: unknown }) => (error.code === "ENOENT" ? null : Promise.reject(error)),
  );
  if (size === null) throw new Unstorable("the file of a recording is missing");
  if (size > bytesMax) throw new Unstorable(`a recording of ${size} bytes is too large to be kept`);
  return { wav: await readFile(wav), channels, durationMs: duration_ms };
}

/** Carriers may list a recording only some time after the call. */
async function findCopy(ctx: Ctx, { ended_at }: WaitingFile, find: Find): Promise<CarrierFile> {
  const found = await fetched(find);
  if (found !== null) return found;
  const isSoon = ctx.now().getTime() - ended_at.getTime() < listedWithinMs;
  throw isSoon ? new Unfetched("the carrier doesn't list a recording yet") : new Unstorable("the carrier has no recording of the call");
}

async function fetched<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw error instanceof BadSound ? new Unstorable(message) : new Unfetched(message, { cause: error });
  }
}

/** It will never be stored. */
class Unstorable extends Error {}

/** Its carrier, not the store or the database, is why it isn't stored yet. */
class Unfetched extends Error {}

/** It is stored, but its carrier still has it. */
class Undeleted extends Unfetched {
  readonly id: string | null;

  constructor(id: string | null, options: ErrorOptions) {
    super("the carrier didn't delete a recording", options);
    this.id = id;
  }
}

/** True if the carrier doesn't respond; otherwise it refused something about this recording only. */
function isAway(error: unknown): boolean {
  return error instanceof Unfetched && error.cause instanceof CarrierAway;
}

function pauseAfter(failures: number, error: unknown): number {
  const isRefused = error instanceof Unfetched && !isAway(error);
  return Math.min(firstPauseMs * 2 ** (failures - 1), isRefused ? longestRefusedMs : longestPauseMs);
}

function after(ctx: Ctx, ms: number): Date {
  return new Date(ctx.now().getTime() + ms);
}
