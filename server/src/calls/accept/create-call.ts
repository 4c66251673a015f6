import { recordOfPerson } from "#audit/index.ts";
import { emitAll } from "#events/index.ts";
import { requireSending, type SendingTier, takeQuota } from "#messaging/index.ts";
import { atNow, type Ctx, hint, pipeline, seal, type Tenant, type Tx } from "#platform/index.ts";
import { callEvent } from "../call-events.ts";
import { callChannel } from "../channel/call-channel.ts";
import { saidPlace } from "../sealed.sql.ts";
import type { CallInput, CallRow } from "../shapes.ts";
import { type CheckedCall, checkCall, faultyCall } from "./check-call.ts";
import { insertCall } from "./sql.ts";

interface NewCall {
  tier: SendingTier;
  call: CallInput;
}

const patienceMs = 500;

/** Accepts a call: it is queued, or scheduled. Throws all faults of the request at once, sending_suspended, quota_exceeded. */
export async function createCall(ctx: Ctx, tenant: Tenant, input: NewCall): Promise<CallRow> {
  const prepared = await prepareCall(ctx, tenant, input);
  return ctx.transact(async (tx) => {
    const timed = await atNow(ctx, tx);
    return writeCall(tx, timed, newCall(timed, tenant, prepared));
  });
}

/** A call that has passed the rules. */
export interface PreparedCall extends NewCall {
  checked: CheckedCall;
}

/** Checks a call. Nothing is written yet. Throws all faults of the request at once. */
export async function prepareCall(ctx: Ctx, tenant: Tenant, { tier, call }: NewCall): Promise<PreparedCall> {
  const { checked, faults } = await checkCall(ctx, tenant, call);
  if (faults.length > 0) throw faultyCall(faults);
  return { tier, call, checked };
}

/**
 * Accepts a prepared call whose words open something in a transaction that does more, as the last thing that it does: they are sealed, shown to nobody, and dropped when
 * the call ends. `timed` tells the database's time. Throws sending_suspended, quota_exceeded.
 */
export function writeSecretCall(tx: Tx, timed: Ctx, { tenant, prepared }: { tenant: Tenant; prepared: PreparedCall }): Promise<CallRow> {
  const { tier, call } = newCall(timed, tenant, prepared);
  const sealed_said = seal(timed.masterKeys, saidPlace(call.id), JSON.stringify(call.said));
  return writeCall(tx, timed, { tier, call: { ...call, said: null, sealed_said } });
}

async function writeCall(tx: Tx, timed: Ctx, { tier, call }: { tier: SendingTier; call: CallRow }): Promise<CallRow> {
  const tenant = { project_id: call.project_id, livemode: call.livemode };
  const uses = [{ tenant, tier, units: 1 }];
  const first = { event: call.status };
  await pipeline(tx, (pipe) => [
    requireSending(pipe, uses),
    insertCall(pipe, call),
    emitAll(pipe, timed, [callEvent(call, first, { previous_status: null, sequence: 1, occurred_at: call.created_at })]),
  ]);
  await recordOfPerson(tx, { ctx: timed, tenant, action: "call.created", object_type: "call", object_id: call.id, detail: { status: call.status } });
  await takeQuota(tx, timed, { channel: callChannel, uses, now: call.created_at, patienceMs });
  hint(tx, "calls");
  return call;
}

function newCall(timed: Ctx, { project_id, livemode }: Tenant, { tier, call: input, checked }: PreparedCall): { tier: SendingTier; call: CallRow } {
  const now = timed.now();
  const { from, to, said, voice, language, speed, ring_s, limit_s, record, scheduled_at } = checked;
  const status = scheduled_at === null ? "queued" : "scheduled";
  const call: CallRow = {
    project_id,
    livemode,
    id: timed.id("call"),
    ...{ status, version: 1, sequence: 1, last_event: status },
    ...{ from_number: from, to_number: to.number, country: to.country },
    sealed_said: null,
    ...{ said, voice, language, speed, ring_s, limit_s, record },
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    status_callback: input.status_callback ?? null,
    batch_id: null,
    ...untouched,
    gathered: {},
    scheduled_at,
    expires_at: checked.expires_at,
    state: scheduled_at === null ? "due" : "waiting",
    due_at: scheduled_at ?? now,
    created_at: now,
    updated_at: now,
  };
  return { tier, call };
}

/** What every call begins with. */
const untouched = {
  provider: null,
  sip_code: null,
  hangup_by: null,
  answered_by: null,
  digits: "",
  error: null,
  duration: null,
  ring_duration: null,
  started_at: null,
  answered_at: null,
  ended_at: null,
  hangup_asked_at: null,
  lease: null,
  lease_until: null,
  attempts: 0,
  deaths: 0,
} as const;
