import { auditIfPerson } from "#audit/index.ts";
import { emitAll } from "#events/index.ts";
import { notifyingCaps } from "#guards/index.ts";
import type { SendingTier } from "#messaging/index.ts";
import { atNow, type Ctx, pipeline, type Tenant, type Tx } from "#platform/index.ts";
import type { ReadyMessage } from "../carriers/carrier.ts";
import { prepareCode } from "../carriers/carriers.ts";
import { plainOf } from "../change/change-verifications.ts";
import { sendCode } from "../change/send-code.ts";
import { codeMac, codeOf } from "../derive-code.ts";
import { type HeldVerification, insertVerification } from "../rows/rows.sql.ts";
import type { CodeChannel, VerificationInput, VerificationRow } from "../shapes.ts";
import { verificationEvent } from "../verification-events.ts";
import { type CheckedStart, checkStart } from "./check-start.ts";

/** How often a code may be checked and sent. */
export const allowed = { checks: 5, sends: 3 };

interface NewVerification {
  tier: SendingTier;
  verification: VerificationInput;
}

/**
 * Starts a verification and sends its code by the first channel. What any of its channels would refuse is refused now, not when it is its
 * turn. Throws all faults of the request at once, what its channels refuse, and verification_limit.
 */
export async function startVerification(
  ctx: Ctx,
  tenant: Tenant,
  { tier, verification: input }: NewVerification,
): Promise<VerificationRow> {
  const { expires_in, ...checked } = await checkStart(ctx, tenant, input);
  const named = {
    ...checked,
    tier,
    id: ctx.id("ver"),
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    key_number: ctx.masterKeys.signing,
  };
  const [ready] = await Promise.all(checked.channels.map((channel) => prepareCode(ctx, named, { channel, seconds: expires_in })));
  if (ready === undefined) throw new Error("a verification has a channel");
  return notifyingCaps(ctx, tenant, () => ctx.transact((tx) => begin(tx, ctx, { named, expires_in, ready })));
}

async function begin(
  tx: Tx,
  ctx: Ctx,
  { named, expires_in, ready }: { named: Named; expires_in: number; ready: ReadyMessage },
): Promise<VerificationRow> {
  const pinned = await atNow(ctx, tx);
  const row = newRow(pinned, { named, expires_in });
  await insertVerification(tx, row);
  row.sequence = 1;
  row.last_event = "created";
  const place = { previous_status: null, sequence: 1, occurred_at: row.created_at };
  await pipeline(tx, (pipe) => [emitAll(pipe, pinned, [verificationEvent(row, "created", place)])]);
  const detail = { channels: row.channels };
  const tenant = { project_id: row.project_id, livemode: row.livemode };
  await auditIfPerson(tx, { ctx: pinned, tenant, action: "verification.created", object_type: "verification", object_id: row.id, detail });
  await sendCode(tx, pinned, { held: row, channel: row.channel, cause: "start", ready });
  return plainOf(row);
}

type Named = Omit<CheckedStart, "expires_in"> & Pick<VerificationRow, "tier" | "id" | "project_id" | "livemode" | "key_number">;

function newRow(pinned: Ctx, { named, expires_in }: { named: Named; expires_in: number }): HeldVerification {
  const now = pinned.now();
  const expires_at = new Date(now.getTime() + expires_in * 1_000);
  return {
    ...named,
    ...{ status: "pending", version: 1, sequence: 0, last_event: null, channel: named.channels[0] as CodeChannel },
    code_mac: codeMac(pinned.masterKeys, named, codeOf(pinned.masterKeys, named)),
    ...{ checks_left: allowed.checks, sends_left: allowed.sends, sends: [], fallback_at: null, error: null, looks: 0 },
    ...{ due_at: expires_at, expires_at, ended_at: null, created_at: now, updated_at: now },
  };
}
