import { addSuppression } from "#messaging/index.ts";
import { atNow, type Ctx, storable, type Tx } from "#platform/index.ts";
import { changeEmails, type Extra } from "../change/change-emails.ts";
import { emailChannel } from "../channel/email-channel.ts";
import type { EmailKey } from "../rows.sql.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import type { SendOutcome } from "../transport.ts";
import { type AttemptEnding, updateAttempts } from "./attempts.sql.ts";
import { classifyOutcome, requeue } from "./classify-outcome.ts";

/** The result of one claimed recipient. `outcome` null: it wasn't started, and another worker may have it right away. */
export interface Ended {
  key: EmailKey;
  recipient: Pick<RecipientRow, "id" | "position" | "attempts" | "address">;
  lease: string;
  outcome: SendOutcome | null;
}

/**
 * Stores the results of many sends in one transaction. A worker whose lease has expired changes nothing, because another worker has the
 * recipient by then.
 */
export async function endSends(tx: Tx, ctx: Ctx, endings: Ended[]): Promise<void> {
  if (endings.length === 0) return;
  const byEmail = Map.groupBy(endings, ({ key }) => `${key.project_id} ${key.livemode} ${key.id}`);
  const applied: Ended[] = [];
  const keys = [...byEmail.values()].map(([first]) => (first as Ended).key);
  const pinned = await atNow(ctx, tx);
  const aheadMs = pinned.now().getTime() - ctx.now().getTime();
  await changeEmails(tx, pinned, {
    keys,
    change: (bundle, changed) => {
      const { email } = bundle;
      const mine = (byEmail.get(`${email.project_id} ${email.livemode} ${email.id}`) ?? []).filter((ending) => isHeld(bundle, ending));
      if (mine.length === 0) return null;
      applied.push(...mine);
      return mine
        .map((ending) => apply(pinned, { bundle, ending: { ...ending, outcome: moved(ending.outcome, aheadMs) }, changed }))
        .reduce(merge, {});
    },
  });
  await updateAttempts(tx, applied.map(attemptOf));
  for (const { key, recipient, outcome } of applied) {
    if (outcome?.result !== "refused" || !outcome.suppress) continue;
    const tenant = { project_id: key.project_id, livemode: key.livemode };
    await addSuppression(tx, ctx, { tenant, channel: emailChannel, address: recipient.address, reason: "bounce", source_id: key.id });
  }
}

/** The time until which a site is paused, converted from this process's clock to the database's. */
function moved(outcome: SendOutcome | null, aheadMs: number): SendOutcome | null {
  if (outcome === null || !("until" in outcome) || outcome.until === undefined) return outcome;
  return { ...outcome, until: new Date(outcome.until.getTime() + aheadMs) };
}

function isHeld({ recipients }: EmailBundle, { recipient, lease }: Ended): boolean {
  return recipients.some((row) => row.position === recipient.position && row.state === "leased" && row.lease === lease);
}

interface Applying {
  bundle: EmailBundle;
  ending: Ended;
  changed: (row: RecipientRow, to: Partial<RecipientRow>) => void;
}

function apply(ctx: Ctx, { bundle, ending, changed }: Applying): Extra {
  const row = bundle.recipients.find((one) => one.position === ending.recipient.position) as RecipientRow;
  if (ending.outcome === null) {
    changed(row, { ...requeue(row), state: "due" });
    return {};
  }
  const { to, extra } = classifyOutcome(ctx, bundle, { row, outcome: ending.outcome });
  // What was attempted properly has a clean record again; what was held wasn't attempted.
  changed(row, ending.outcome.result === "held" ? to : { ...to, deaths: 0 });
  bundle.email.provider = ending.outcome.provider;
  return extra;
}

function merge(left: Extra, right: Extra): Extra {
  return { ...left, ...right };
}

/** An ended send as its attempt records it. */
export function attemptOf({ key, recipient, outcome }: Ended): AttemptEnding {
  return {
    project_id: key.project_id,
    livemode: key.livemode,
    email_id: key.id,
    recipient_id: recipient.id,
    attempt: recipient.attempts,
    result: outcome?.result ?? "held",
    provider: outcome?.provider ?? null,
    remote: outcome?.remote ?? null,
    smtp_code: outcome?.smtp_code ?? null,
    enhanced_code: outcome?.enhanced_code ?? null,
    diagnostic: storable(outcome?.diagnostic?.slice(0, 1000) ?? null),
    final: outcome?.result === "accepted" ? outcome.final : null,
  };
}
