import { listEventsNamed } from "#events/index.ts";
import { limitConcurrency } from "#messaging/index.ts";
import { atNow, type Ctx, type Db, type Tenant, type Tx } from "#platform/index.ts";
import { changeCalls } from "../change/change-calls.ts";
import { lockCalls } from "../rows.sql.ts";
import type { RecordedWav } from "../transport.ts";
import type { NewRecording } from "./shapes.ts";
import { shownOf } from "./shown-recording.ts";
import { insertRecording, updateSaved } from "./sql.ts";

/** Much longer than storing the bytes takes. */
const storingMs = 3_600_000;
/** An hour of both sides, with a margin. */
export const bytesMax = 128 * 1024 * 1024;
export const retentionMs = 30 * 86_400_000;

export type RecordedCall = Tenant & { id: string };

/** A recording that is read, or downloaded, once it is its turn. */
interface Recorded {
  source: NewRecording["source"];
  read(): RecordedWav | Promise<RecordedWav>;
}

/**
 * A recording is in memory until it is stored: when a hundred calls end at once, theirs take turns. What a verb recorded doesn't wait for
 * them, because its callee is still on the line.
 */
const turns = { call: limitConcurrency(2), verb: limitConcurrency(2) };

/**
 * Stores a recording for thirty days and emits an event; returns its id, or null if it is empty. Its record is written before its bytes, so
 * that a sweep removes what a crash or a failure leaves behind.
 */
export function storeRecording(ctx: Ctx, call: RecordedCall, recorded: Recorded): Promise<string | null> {
  return turns[recorded.source](() => store(ctx, call, recorded));
}

async function store(ctx: Ctx, call: RecordedCall, { source, read }: Recorded): Promise<string | null> {
  const { wav, channels, durationMs } = await read();
  if (durationMs <= 0) return null;
  const id = ctx.id("rec");
  const { project_id, livemode } = call;
  const row: NewRecording = {
    project_id,
    livemode,
    id,
    call_id: call.id,
    source,
    channels,
    duration_ms: Math.round(durationMs),
    size_bytes: wav.length,
    storage_key: `recordings/${project_id}/${livemode ? "live" : "test"}/${id}`,
  };
  await insertRecording(ctx.db, row, storingMs);
  await ctx.files.put(row.storage_key, wav);
  return ctx.transact((tx) => announce(tx, ctx, row));
}

const readyEvent = "recording_ready";

/**
 * True if the recording of a whole call, of which there is at most one, was ever stored. Its event says so, which is written together with
 * it and remains when it is deleted.
 */
export async function wasWholeStored(db: Db, { project_id, livemode, call_id }: Tenant & { call_id: string }): Promise<boolean> {
  const ready = await listEventsNamed(db, { project_id, livemode }, { object_id: call_id, event: `call.${readyEvent}` });
  return ready.some(({ body }) => {
    const { data }: { data: { recording: { source: string } } } = JSON.parse(body.toString());
    return data.recording.source === "call";
  });
}

/** null if an earlier attempt stored the same recording, whose response was lost: the sweep removes this copy. */
async function announce(tx: Tx, ctx: Ctx, row: NewRecording): Promise<string | null> {
  const { project_id, livemode, call_id } = row;
  const keys = [{ project_id, livemode, id: call_id }];
  await lockCalls(tx, keys);
  if (row.source === "call" && (await wasWholeStored(tx, row))) return null;
  const saved = await updateSaved(tx, row, retentionMs);
  if (saved === null) throw new Error("a recording was swept while it was being stored");
  const emit = { event: readyEvent, recording: shownOf(saved) };
  await changeCalls(tx, await atNow(ctx, tx), { keys, change: () => ({ emit }) });
  return row.id;
}
