import { auditIfPerson } from "#audit/index.ts";
import { emitAll } from "#events/index.ts";
import { type Admission, type Admitted, admitMessages, notifyingCaps, startAfterQuiet } from "#guards/index.ts";
import { expiryFrom, requireSending, type SendingTier, takeQuota } from "#messaging/index.ts";
import { atNow, type Ctx, findNow, hint, pipeline, seal, type Tenant, type Tx } from "#platform/index.ts";
import { callEvent } from "../call-events.ts";
import { minutesOf } from "../change/change-calls.ts";
import { transactCall } from "../change/transact-call.ts";
import { callChannel } from "../channel/call-channel.ts";
import { contentPlace } from "../sealed.sql.ts";
import type { CallInput, CallRow } from "../shapes.ts";
import { type CheckedCall, checkCall, faultyCall } from "./check-call.ts";
import { insertCall } from "./sql.ts";

interface NewCall {
  tier: SendingTier;
  call: CallInput;
}

const timeoutMs = 500;

/** Accepts a call: it is queued, or scheduled. Throws all faults of the request at once, sending_suspended, quota_exceeded. */
export async function createCall(ctx: Ctx, tenant: Tenant, input: NewCall): Promise<CallRow> {
  const prepared = await afterQuietHours(ctx, await prepareCall(ctx, tenant, input));
  return notifyingCaps(ctx, tenant, () =>
    transactCall(ctx, tenant, async (tx) => {
      const pinned = await atNow(ctx, tx);
      return writeCall(tx, pinned, newCall(pinned, tenant, prepared));
    }),
  );
}

/** A call that passed the rules. */
export interface PreparedCall extends NewCall {
  checked: CheckedCall;
}

/** Checks a call. Writes nothing. Throws all faults of the request at once. */
export async function prepareCall(ctx: Ctx, tenant: Tenant, { tier, call }: NewCall): Promise<PreparedCall> {
  const { checked, faults } = await checkCall(ctx, tenant, call);
  if (faults.length > 0) throw faultyCall(faults);
  return { tier, call, checked };
}

/** A call that would ring in quiet hours is scheduled for their end, with the same lifetime after that. */
async function afterQuietHours(ctx: Ctx, prepared: PreparedCall): Promise<PreparedCall> {
  const { guard, to, scheduled_at, expires_at } = prepared.checked;
  if (guard === null) return prepared;
  const at = scheduled_at ?? (await findNow(ctx.db));
  const start = startAfterQuiet(guard, { kind: "calls", country: to.country, at });
  if (start === at) return prepared;
  return {
    ...prepared,
    checked: { ...prepared.checked, scheduled_at: start, expires_at: expiryFrom(start, { scheduled_at: at, created_at: at, expires_at }) },
  };
}

/**
 * Accepts a prepared call with a secret text as the last step of a larger transaction: the texts are sealed, shown to no one, and deleted
 * when the call ends. `pinned` has the database's time. Throws sending_suspended, quota_exceeded.
 */
export function writeSecretCall(tx: Tx, pinned: Ctx, { tenant, prepared }: { tenant: Tenant; prepared: PreparedCall }): Promise<CallRow> {
  const { tier, call, admitted } = newCall(pinned, tenant, prepared);
  const sealed_said = seal(pinned.masterKeys, contentPlace(call.id), JSON.stringify(call.said));
  return writeCall(tx, pinned, { tier, admitted, call: { ...call, said: null, sealed_said } });
}

/** A call's row, and what guards count it against. */
interface ReadyCall {
  tier: SendingTier;
  call: CallRow;
  admitted: Admitted | null;
}

async function writeCall(tx: Tx, pinned: Ctx, { tier, call, admitted }: ReadyCall): Promise<CallRow> {
  const tenant = { project_id: call.project_id, livemode: call.livemode };
  const uses = [{ tenant, tier, units: 1 }];
  const first = { event: call.status };
  await pipeline(tx, (pipe) => [
    requireSending(pipe, uses),
    insertCall(pipe, call),
    emitAll(pipe, pinned, [callEvent(call, first, { previous_status: null, sequence: 1, occurred_at: call.created_at })]),
  ]);
  await auditIfPerson(tx, {
    ctx: pinned,
    tenant,
    action: "call.created",
    object_type: "call",
    object_id: call.id,
    detail: { status: call.status },
  });
  await takeQuota(tx, pinned, { channel: callChannel, uses, now: call.created_at, timeoutMs });
  await admitMessages(tx, pinned, { messages: admitted === null ? [] : [admissionOf(call, admitted)], now: call.created_at });
  hint(tx, "calls");
  return call;
}

/** Reserves the maximum duration; what isn't used is returned when the call ends. */
function admissionOf({ project_id, livemode, id, to_number, limit_s, sealed_said }: CallRow, admitted: Admitted): Admission {
  const tenant = { project_id, livemode };
  return {
    tenant,
    message_id: id,
    channel: "call",
    recipient: to_number,
    units: minutesOf(limit_s),
    is_code: sealed_said !== null,
    admitted,
  };
}

function newCall(pinned: Ctx, { project_id, livemode }: Tenant, { tier, call: input, checked }: PreparedCall): ReadyCall {
  const now = pinned.now();
  const { from, to, said, voice, language, speed, ring_s, limit_s, record, scheduled_at } = checked;
  const status = scheduled_at === null ? "queued" : "scheduled";
  const call: CallRow = {
    project_id,
    livemode,
    id: pinned.id("call"),
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
  return { tier, call, admitted: checked.admitted };
}

/** The initial values of every call. */
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
