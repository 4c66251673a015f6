import { emitAll, type NewEvent } from "#events/index.ts";
import { settleCharges } from "#guards/index.ts";
import { historyOf, queueStates } from "#messaging/index.ts";
import { type Ctx, hint, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { type CallChange, callEvent } from "../call-events.ts";
import { lockCalls, updateCalls } from "../rows.sql.ts";
import type { CallKey, CallRow } from "../shapes.ts";
import { callStates, isEnded } from "../states.ts";

/** A change of a locked call: new values, and events to emit even if the status doesn't change. */
export interface Change {
  to?: Partial<CallRow>;
  emit?: CallChange;
}

interface Changing {
  keys: readonly CallKey[];
  /** Returns null to leave a call unchanged. */
  change(call: Readonly<CallRow>): Change | null;
  /** When it happened; defaults to now. */
  at?: Date;
}

/**
 * The only way in which accepted calls change: locks each, changes it, and emits events. A call that ends loses its lease and leaves the
 * queue. Returns the calls as they are afterwards.
 */
export async function changeCalls(tx: Tx, ctx: Ctx, { keys, change, at = ctx.now() }: Changing): Promise<CallRow[]> {
  if (keys.length === 0) return [];
  const held = await lockCalls(tx, keys);
  const written: CallRow[] = [];
  const events: (NewEvent & { tenant: Tenant })[] = [];
  for (const call of held) {
    const wanted = change(call);
    if (wanted === null) continue;
    const history = historyOf(call, at);
    const before = call.status;
    apply(call, { ...wanted.to, updated_at: ctx.now() });
    if (call.status !== before) {
      call.version += 1;
      events.push(eventOf(call, { event: call.status }, history));
    }
    if (wanted.emit !== undefined) events.push(eventOf(call, wanted.emit, history));
    written.push(call);
  }
  await pipeline(tx, (pipe) => [updateCalls(pipe, written, callStates.moves), emitAll(pipe, ctx, events)]);
  await settleCharges(tx, written.filter(isSettled).map(settlementOf));
  if (written.some(({ state }) => state === "due")) hint(tx, "calls");
  return held;
}

/** Started minutes, as carriers charge them. */
export function minutesOf(seconds: number): number {
  return Math.ceil(seconds / 60);
}

/**
 * True for a LIVE call whose duration is final. If it is unknown how long it lasted, or whether it was placed, the full reserved amount
 * stays charged.
 */
function isSettled({ livemode, state, duration, hangup_by, error }: CallRow): boolean {
  const isKnown = duration !== null || hangup_by !== null || error === null || !unknownEnds.has(error.code);
  return livemode && state === "done" && isKnown;
}

const unknownEnds: ReadonlySet<string> = new Set(["worker_lost", "outcome_unknown"]);

function settlementOf({ project_id, livemode, id, duration }: CallRow) {
  return { project_id, livemode, message_id: id, units: minutesOf(duration ?? 0) };
}

function apply(call: CallRow, to: Partial<CallRow>): void {
  const status = to.status ?? call.status;
  const state = isEnded(status) ? "done" : (to.state ?? call.state);
  callStates.check([call.status], status);
  queueStates.check([call.state], state);
  Object.assign(call, to, { state });
}

function eventOf(call: CallRow, events: CallChange, history: ReturnType<typeof historyOf>) {
  const place = history.next(events.event);
  return callEvent(call, events, place);
}

/** Like `changeCalls`, for one call that must exist. Throws resource_missing. */
export async function changeCall(tx: Tx, ctx: Ctx, { key, ...given }: Omit<Changing, "keys"> & { key: CallKey }): Promise<CallRow> {
  const [call] = await changeCalls(tx, ctx, { ...given, keys: [key] });
  if (call === undefined) throw platformErrors.resource_missing({ param: "id" });
  return call;
}
