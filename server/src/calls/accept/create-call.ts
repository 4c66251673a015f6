import { recordOfPerson } from "#audit/index.ts";
import { emitAll } from "#events/index.ts";
import { requireSending, type SendingTier, takeQuota } from "#messaging/index.ts";
import { atNow, type Ctx, hint, pipeline, type Tenant } from "#platform/index.ts";
import { callEvent } from "../call-events.ts";
import { callChannel } from "../channel/call-channel.ts";
import type { CallInput, CallRow } from "../shapes.ts";
import { type CheckedCall, checkCall, faultyCall } from "./check-call.ts";
import { insertCall } from "./sql.ts";

interface NewCall {
  tier: SendingTier;
  call: CallInput;
}

const patienceMs = 500;

/** Accepts a call: it is queued, or scheduled. Throws all faults of the request at once, sending_suspended, quota_exceeded. */
export async function createCall(ctx: Ctx, tenant: Tenant, { tier, call: input }: NewCall): Promise<CallRow> {
  const { checked, faults } = await checkCall(ctx, tenant, input);
  if (faults.length > 0) throw faultyCall(faults);
  return ctx.transact(async (tx) => {
    const timed = await atNow(ctx, tx);
    const call = newCall(timed, tenant, { input, checked });
    const uses = [{ tenant: { project_id: tenant.project_id, livemode: tenant.livemode }, tier, units: 1 }];
    const first = { event: call.status };
    await pipeline(tx, (pipe) => [
      requireSending(pipe, uses),
      insertCall(pipe, call),
      emitAll(pipe, timed, [callEvent(call, first, { previous_status: null, sequence: 1, occurred_at: call.created_at })]),
    ]);
    await recordOfPerson(tx, { ctx: timed, tenant, action: "call.created", object_type: "call", object_id: call.id, detail: { status: call.status } });
    await takeQuota(tx, ctx, { channel: callChannel, uses, now: call.created_at, patienceMs });
    hint(tx, "calls");
    return call;
  });
}

function newCall(timed: Ctx, { project_id, livemode }: Tenant, { input, checked }: { input: CallInput; checked: CheckedCall }): CallRow {
  const now = timed.now();
  const { from, to, said, voice, language, speed, ring_s, limit_s, record, scheduled_at } = checked;
  const status = scheduled_at === null ? "queued" : "scheduled";
  return {
    project_id,
    livemode,
    id: timed.id("call"),
    ...{ status, version: 1, sequence: 1, last_event: status },
    ...{ from_number: from, to_number: to.number, country: to.country },
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
