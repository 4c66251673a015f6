import type { Ended } from "#messaging/index.ts";
import { atNow, type Ctx, storable, type Tx } from "#platform/index.ts";
import { changeSms, type SmsChange } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import { applyNamed } from "../receipts/apply-receipts.ts";
import { storeParts } from "../receipts/store-parts.ts";
import type { SmsKey } from "../rows.sql.ts";
import type { SmsRow } from "../shapes.ts";
import { followUpOf } from "../simulator/simulate.ts";
import type { SmsOutcome } from "../transport.ts";
import { type AttemptEnding, updateAttempts } from "./attempts.sql.ts";
import type { ClaimedSms } from "./claim-due.ts";
import { classifyOutcome, requeue } from "./classify-outcome.ts";

/**
 * Stores the results of many sends in one transaction. A worker whose lease has expired changes nothing, because another process has
 * decided about the message by then.
 */
export async function endSends(tx: Tx, ctx: Ctx, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return;
  const byId = new Map(endings.map((ending) => [ending.job.sms.id, ending]));
  const pinned = await atNow(ctx, tx);
  const aheadMs = pinned.now().getTime() - ctx.now().getTime();
  const applied: Ending[] = [];
  await changeSms(tx, pinned, {
    keys: endings.map(({ job }) => keyOf(job.sms)),
    change(row) {
      const ending = byId.get(row.id);
      if (ending === undefined) return null;
      if (row.state !== "leased" || row.lease !== ending.job.lease) return isLate(row, ending) ? lateChange(row, ending, applied) : null;
      applied.push(ending);
      if (ending.outcome === null) return { ...requeue(row), state: "due" };
      const outcome = moved(ending.outcome, aheadMs);
      return { ...classifyOutcome({ row, outcome, now: pinned.now() }), ...followUpOf(pinned, row, outcome) };
    },
  });
  await updateAttempts(tx, applied.map(attemptOf));
  await storeParts(
    tx,
    pinned,
    applied.flatMap(({ job, outcome }) =>
      outcome === null ? [] : [{ key: keyOf(job.sms), provider: outcome.provider, sent: outcome.sent }],
    ),
  );
  await applyNamed(
    tx,
    pinned,
    applied.filter(({ outcome }) => outcome?.result === "unknown").map(({ job }) => keyOf(job.sms)),
  );
}

type Ending = Ended<ClaimedSms, SmsOutcome>;

/**
 * True if the lease expired before the carrier's response arrived, for example while the database was unavailable: the message counts as
 * sent with an unknown outcome, which is now known.
 */
function isLate(row: SmsRow, { job }: Ending): boolean {
  return row.status === "sent" && row.error?.code === "outcome_unknown" && row.attempts === job.sms.attempts;
}

function lateChange(row: SmsRow, ending: Ending, applied: Ending[]): SmsChange | null {
  const { outcome } = ending;
  if (outcome?.result === "accepted") {
    applied.push(ending);
    return { error: null, provider: outcome.provider, segments_sent: row.segments };
  }
  if (outcome?.result !== "refused") return null;
  const { code, message, provider_code, provider } = outcome;
  return { status: "undelivered", provider, error: errorOf(code, { message, provider_code }) };
}

/** The time until which a carrier is paused, converted from this process's clock to the database's. */
function moved(outcome: SmsOutcome, aheadMs: number): SmsOutcome {
  return outcome.result === "held" ? { ...outcome, until: new Date(outcome.until.getTime() + aheadMs) } : outcome;
}

function keyOf({ project_id, livemode, id }: SmsRow): SmsKey {
  return { project_id, livemode, id };
}

/** An ended send as its attempt records it. */
function attemptOf({ job: { sms }, outcome }: Ending): AttemptEnding {
  const detail = outcome !== null && "message" in outcome ? storable(outcome.message.slice(0, 1_000)) : null;
  return {
    project_id: sms.project_id,
    livemode: sms.livemode,
    sms_id: sms.id,
    attempt: sms.attempts,
    result: outcome?.result ?? "held",
    provider: outcome?.provider ?? null,
    code: outcome !== null && "code" in outcome ? outcome.code : null,
    message: detail,
    provider_code: outcome !== null && "provider_code" in outcome ? outcome.provider_code : null,
    segments_sent: outcome?.sent.length ?? 0,
  };
}
