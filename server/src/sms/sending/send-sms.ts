import type { Attempt } from "#messaging/index.ts";
import { type Ctx, open } from "#platform/index.ts";
import { bodyPlace } from "../sealed.sql.ts";
import { partsOf } from "../text/encode-parts.ts";
import type { OutgoingSms, SmsOutcome } from "../transport.ts";
import type { ClaimedSms } from "./claim-due.ts";
import { markStarted } from "./mark-started.ts";

/** One transport, as it is chosen for a message. */
export interface SmsRoute {
  name: string;
  send(ctx: Ctx, sms: OutgoingSms, signal: AbortSignal): Promise<SmsOutcome>;
  /** Runs sends, up to its limit of concurrent ones. */
  limited<T>(work: () => Promise<T>): Promise<T>;
}

/** Chooses a message's transport, and counts how often every transport was tried before; null if none serves it. */
export type ChooseRoute = (claimed: ClaimedSms) => { route: SmsRoute; turn: number } | null;

/** After a fault of ours. */
const faultWaitMs = 10_000;
const noRouteWaitMs = 60_000;

/** Creates the function that sends one claimed message, once its start is recorded. */
export function createSend(choose: ChooseRoute): (ctx: Ctx, claimed: ClaimedSms, attempt: Attempt) => Promise<SmsOutcome | null> {
  return async (ctx, claimed, attempt) => {
    const choice = choose(claimed);
    if (choice === null)
      return { provider: "none", sent: [], result: "held", until: later(ctx, noRouteWaitMs), reason: "No route can take it right now." };
    return choice.route.limited(() => sendOne(ctx, choice, { claimed, attempt }));
  };
}

/** Never throws. null: its lease was lost, or it was released, before anything was sent. */
async function sendOne(
  ctx: Ctx,
  { route, turn }: NonNullable<ReturnType<ChooseRoute>>,
  { claimed, attempt }: { claimed: ClaimedSms; attempt: Attempt },
): Promise<SmsOutcome | null> {
  const { sms, lease } = claimed;
  const { signal } = attempt;
  const provider = route.name;
  if (claimed.body === null && claimed.sealed_body === null)
    return {
      provider,
      sent: [],
      result: "refused",
      code: "body_missing",
      message: "The text of this message has been deleted.",
      provider_code: null,
    };
  let isOut = false;
  try {
    if (signal.aborted) return null;
    const body = bodyOf(ctx, claimed);
    const { project_id, livemode, id } = sms;
    if (!(await markStarted(ctx.db, { project_id, livemode, id, lease })) || signal.aborted) return null;
    attempt.onAccepted();
    isOut = true;
    const outcome = await route.send(ctx, outgoingOf(claimed, { body, turn }), signal);
    // We stopped it before any of it was sent, so there is no attempt to report.
    return signal.aborted && outcome.sent.length === 0 && (outcome.result === "deferred" || outcome.result === "held") ? null : outcome;
  } catch (error) {
    ctx.log.error({ err: error, sms: sms.id }, "an SMS couldn't be sent to the carrier");
    if (isOut) return { provider, sent: [], result: "unknown", message: "Handing the message to the carrier failed." };
    return { provider, sent: [], result: "held", until: later(ctx, faultWaitMs), reason: "The message couldn't be prepared for sending." };
  }
}

function bodyOf(ctx: Ctx, { sms, body, sealed_body }: ClaimedSms): string {
  return sealed_body === null ? (body ?? "") : open(ctx.masterKeys, bodyPlace(sms.id), sealed_body).toString("utf8");
}

function outgoingOf({ sms }: ClaimedSms, { body, turn }: { body: string; turn: number }): OutgoingSms {
  const { project_id, livemode, id, sender, sender_kind, recipient, country, segments_sent, provider, reference, attempts, expires_at } =
    sms;
  return {
    ...{ project_id, livemode, sms_id: id, to: recipient, country, body, expires_at },
    from: { value: sender, kind: sender_kind },
    parts: partsOf(body, reference ?? 0),
    firstPart: segments_sent,
    firstPartsBy: segments_sent === 0 ? null : provider,
    attempt: attempts,
    turn,
  };
}

function later(ctx: Ctx, ms: number): Date {
  return new Date(ctx.now().getTime() + ms);
}
