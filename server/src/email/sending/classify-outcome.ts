import { type Ctx, storable } from "#platform/index.ts";
import type { Extra } from "../change/change-emails.ts";
import { type Answer, bounceOf, type CopyEnding, ended, timedOut } from "../change/end-recipient.ts";
import type { RecipientChange } from "../rows.sql.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import { followUpOf } from "../simulator/simulator.ts";
import type { BounceKind, SendOutcome } from "../transport.ts";
import { retryWait } from "./retry-policy.ts";

type Classifying = Pick<Ctx, "now"> & { random?: () => number };

/** The effect of an outcome on its recipient, and events in addition to the change of the message's status. */
export function classifyOutcome(
  pinned: Classifying,
  { email }: EmailBundle,
  given: { row: RecipientRow; outcome: SendOutcome },
): CopyEnding {
  const { row, outcome } = given;
  const now = pinned.now();
  const answer = {
    smtp_code: outcome.smtp_code ?? null,
    enhanced_code: outcome.enhanced_code ?? null,
    diagnostic: storable(outcome.diagnostic?.slice(0, 1000) ?? null),
  };
  switch (outcome.result) {
    case "accepted": {
      const followUp = row.livemode ? null : followUpOf(pinned, row.address);
      const delivered = outcome.final ? { status: "delivered" as const, delivered_at: now } : { status: "sent" as const };
      return {
        to: {
          ...answer,
          ...delivered,
          state: "done",
          sent_at: now,
          bounce: null,
          sequel: followUp?.sequel ?? null,
          sequel_at: followUp?.at ?? null,
        },
        extra: {},
      };
    }
    case "refused":
      return ended(row, { answer, bounce: outcome.bounce });
    case "held":
      return held(pinned, { email, row, outcome });
    case "unknown": {
      const diagnostic = answer.diagnostic ?? "The connection was lost after the message was sent. It's unknown whether it was accepted.";
      return deferred(pinned, { email, row, bounce: null, requestedMs: null, until: null, answer: { ...answer, diagnostic } });
    }
    case "deferred":
      return deferred(pinned, {
        email,
        row,
        bounce: outcome.bounce,
        requestedMs: outcome.retry_after_ms ?? null,
        until: outcome.until ?? null,
        answer,
      });
  }
}

/** The state before the claim: nothing was attempted. */
export function requeue(row: RecipientRow): Pick<RecipientRow, "status" | "state" | "attempts"> {
  const attempts = row.attempts - 1;
  return { status: attempts === 0 && row.bounce === null ? "queued" : "delivery_delayed", state: "waiting", attempts };
}

/** After this time without a turn a message is late, whatever it waits for. */
const lateMs = 300_000;
const siteDelay: BounceKind = { type: "transient", subtype: "general" };

/** Not attempted. If the site accepts nothing, or had no room for a long time, that still counts as a delay. */
function held(
  pinned: Classifying,
  { email, row, outcome }: { email: EmailBundle["email"]; row: RecipientRow; outcome: SendOutcome & { result: "held" } },
): CopyEnding {
  const diagnostic = storable(outcome.reason.slice(0, 1000));
  const back = { ...requeue(row), due_at: earlier(outcome.until, row.expires_at), diagnostic };
  const wait = pinned.now().getTime() - (email.scheduled_at ?? email.created_at).getTime();
  if (outcome.isDelay !== true && wait < lateMs) return { to: back, extra: {} };
  const reported = { ...row, ...back, smtp_code: null, enhanced_code: null };
  return { to: { ...back, status: "delivery_delayed", bounce: bounceWhileLate(row) }, extra: delayEvent(email, reported, siteDelay) };
}

/** An unknown outcome stays unknown while the recipient waits. */
function bounceWhileLate(row: RecipientRow): BounceKind | null {
  return row.bounce === null && row.attempts > 1 ? null : siteDelay;
}

/** A delay is reported once per message, with the first error. */
export function delayEvent(email: EmailBundle["email"], reported: RecipientRow, bounce: BounceKind | null): Extra {
  if (email.delay_told) return {};
  email.delay_told = true;
  return { event: { event: "delivery_delayed", recipient: reported, ...(bounce === null ? {} : { bounce: bounceOf(reported, bounce) }) } };
}

interface Deferral {
  email: EmailBundle["email"];
  row: RecipientRow;
  bounce: BounceKind | null;
  requestedMs: number | null;
  /** Until when the site accepts nothing. */
  until: Date | null;
  answer: Answer;
}

/** Tried again on schedule, or when the site accepts email again. If the next attempt would be after expiry, this was the last one. */
function deferred(pinned: Classifying, { email, row, bounce, requestedMs, until, answer }: Deferral): CopyEnding {
  const reported = { ...row, ...answer };
  if (until !== null) {
    const stored = bounceWhileLate(row) === null ? null : bounce;
    const to: Partial<RecipientChange> = {
      ...answer,
      bounce: stored,
      status: "delivery_delayed",
      state: "waiting",
      due_at: earlier(until, row.expires_at),
    };
    return { to, extra: delayEvent(email, reported, bounce) };
  }
  const step = row.step + 1;
  const wait = retryWait(step, { requestedMs, livemode: row.livemode, ...(pinned.random === undefined ? {} : { random: pinned.random }) });
  const due_at = new Date(pinned.now().getTime() + wait);
  if (due_at >= row.expires_at)
    return { ...timedOut({ ...reported, bounce }), to: { ...timedOut({ ...reported, bounce }).to, ...answer, step } };
  return {
    to: { ...answer, bounce, step, status: "delivery_delayed", state: "waiting", due_at },
    extra: delayEvent(email, reported, bounce),
  };
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
