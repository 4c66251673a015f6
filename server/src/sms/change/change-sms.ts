import { emitAll, type NewEvent } from "#events/index.ts";
import { settleCharges } from "#guards/index.ts";
import { historyOf, queueStates } from "#messaging/index.ts";
import { type Ctx, pipeline, platformErrors, type Tenant, type Tx, updatePlanning } from "#platform/index.ts";
import { lockSms, type SmsKey, updateSms } from "../rows.sql.ts";
import type { SmsRow } from "../shapes.ts";
import { smsEvent } from "../sms-events.ts";
import { smsStates } from "../states.ts";

/** The fields of a message that may change after it was accepted. */
export type SmsChange = Partial<
  Pick<
    SmsRow,
    | "status"
    | "version"
    | "state"
    | "due_at"
    | "deaths"
    | "attempts"
    | "segments_sent"
    | "error"
    | "provider"
    | "settle_at"
    | "sequel"
    | "sequel_at"
    | "scheduled_at"
    | "expires_at"
    | "sent_at"
    | "delivered_at"
  >
>;

/** The new values of a locked message; null leaves it unchanged. */
type Change = (held: SmsRow) => SmsChange | null;

/**
 * The only way in which accepted messages change: locks them, lets `change` determine new values, and emits events. No worker holds a
 * changed message afterwards. Returns the changed ones as they are then.
 */
export async function changeSms(tx: Tx, ctx: Ctx, given: { keys: readonly SmsKey[]; change: Change }): Promise<SmsRow[]> {
  if (given.keys.length === 0) return [];
  const [, held] = await pipeline(tx, (pipe) => [updatePlanning(pipe), lockSms(pipe, given.keys)]);
  const changed: SmsRow[] = [];
  const notified: (NewEvent & { tenant: Tenant })[] = [];
  for (const row of held) {
    const to = given.change(row);
    if (to === null) continue;
    notified.push(...apply(row, to, ctx.now()));
    changed.push(row);
  }
  await pipeline(tx, (pipe) => [updateSms(pipe, changed, smsStates.moves), emitAll(pipe, ctx, notified)]);
  await settleCharges(tx, changed.filter(neverLeft).map(settlementOf));
  return changed;
}

/** True for a LIVE message that no carrier has, or not all of it: the rest of its reservation is returned. */
function neverLeft({ livemode, status }: SmsRow): boolean {
  return livemode && (status === "failed" || status === "canceled");
}

function settlementOf({ project_id, livemode, id, segments_sent }: SmsRow) {
  return { project_id, livemode, message_id: id, units: segments_sent };
}

/** Like `changeSms`, for one message that must exist. */
export async function changeOne(tx: Tx, ctx: Ctx, { key, change }: { key: SmsKey; change: (held: SmsRow) => SmsChange }): Promise<SmsRow> {
  const [row] = await changeSms(tx, ctx, { keys: [key], change });
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** Changes the row in memory and returns the events to emit. */
function apply(row: SmsRow, to: SmsChange, now: Date): (NewEvent & { tenant: Tenant })[] {
  const before = row.status;
  const after = to.status ?? before;
  smsStates.check([before], after);
  queueStates.check([row.state], to.state ?? row.state);
  const history = historyOf(row, now);
  Object.assign(row, { settle_at: null }, to, { lease: null, lease_until: null, begun: false, updated_at: now });
  if (after === before) return [];
  row.version += 1;
  // Statuses that emit no event: `sending`, and the return to the queue.
  if (after === "queued" && before !== "scheduled") return [];
  const place = history.next(after);
  return [smsEvent(row, { event: after }, place)];
}
