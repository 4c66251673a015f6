import { followUpAt } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { SmsChange } from "../change/change-sms.ts";
import { takeReceipt } from "../receipts/take-receipt.ts";
import type { SmsRow } from "../shapes.ts";
import type { OutgoingSms, SmsOutcome, SmsReceipt } from "../transport.ts";
import { type SimulatedOutcome, simulatedOutcome } from "./magic-numbers.ts";

const provider = "simulator";

/** Handles a TEST message as a carrier would, with the outcome of its number. Nothing is sent. */
export async function simulate(ctx: Ctx, { sms_id, to, parts, firstPart }: OutgoingSms): Promise<SmsOutcome> {
  const simulated = simulatedOutcome(to);
  if (simulated === "failed")
    return {
      provider,
      sent: [],
      result: "refused",
      code: "carrier_rejected",
      message: "The carrier rejected the message (simulated).",
      provider_code: "11",
    };
  const sent = parts.slice(firstPart).map((_part, at) => ({ index: firstPart + at, provider_message_id: `${sms_id}-${firstPart + at}` }));
  if (simulated === "early_receipt")
    for (const { provider_message_id } of sent) await takeReceipt(ctx, receiptOf(provider_message_id, { outcome: "delivered", ctx }));
  return { provider, sent, result: "accepted" };
}

/** What a simulated recipient does with an accepted message, and when. */
export function followUpOf(pinned: Pick<Ctx, "now">, { livemode, recipient }: SmsRow, outcome: SmsOutcome): SmsChange {
  const simulated = simulatedOutcome(recipient);
  if (livemode || outcome.result !== "accepted" || simulated === "no_receipt" || simulated === "early_receipt") return {};
  return { sequel: simulated, sequel_at: followUpAt(pinned) };
}

/** A simulated carrier's report of one part. */
export function receiptOf(provider_message_id: string, { outcome, ctx }: { outcome: SimulatedOutcome; ctx: Pick<Ctx, "now"> }): SmsReceipt {
  const same = { provider, provider_message_id, occurred_at: ctx.now() };
  if (outcome === "expired") return { ...same, state: "undelivered", code: "expired", provider_code: "EXPIRED" };
  if (outcome === "undelivered") return { ...same, state: "undelivered", code: "handset_unreachable", provider_code: "UNDELIV" };
  return { ...same, state: "delivered", code: null, provider_code: "DELIVRD" };
}
