import { type GatewayCall, GatewayError, malformedAnswer, type SettledLine } from "#gateways/index.ts";
import { callStripe } from "./client.ts";
import type { StripeCredentials } from "./credentials.ts";
import { amountOf, idOf, metadataOf, readList, readObjectOf, referenceKey, refundKey, textOf, timeOf } from "./wire.ts";

const pageSize = 100;
const maxPages = 500;

/**
 * Lists payments into the Stripe balance and refunds out of it, oldest first. Amounts are those of the charge or refund, in its own
 * currency: the balance may have another. A refund's `reference` is that of the refund.
 */
export async function listSettled(
  call: GatewayCall,
  { secretKey }: StripeCredentials,
  span: { from: Date; to: Date },
): Promise<SettledLine[]> {
  const created = { gte: Math.floor(span.from.getTime() / 1_000), lt: Math.ceil(span.to.getTime() / 1_000) };
  const lines: SettledLine[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const from: { starting_after?: string } = after === null ? {} : { starting_after: after };
    const answer = await callStripe(call, secretKey, {
      changes: false,
      ask: (stripe) => stripe.balanceTransactions.list({ limit: pageSize, created, expand: ["data.source"], ...from }),
    });
    const list = readList(answer, "balance_transaction");
    if (list === null) throw malformedAnswer(false);
    lines.push(...list.data.map(lineOf).filter((line) => line !== null));
    after = list.after;
    if (after === null) return lines.reverse();
  }
  throw new GatewayError("unavailable", { code: "too_many_lines", message: "There are too many balance transactions in this period." });
}

/** null if it's neither: payouts, disputes, fees, transfers. */
function lineOf(transaction: Record<string, unknown>): SettledLine | null {
  const charge = readObjectOf(transaction["source"], "charge");
  const refund = readObjectOf(transaction["source"], "refund");
  const isPayment = charge !== null && (transaction["type"] === "charge" || transaction["type"] === "payment");
  const isRefund = refund !== null && (transaction["type"] === "refund" || transaction["type"] === "payment_refund");
  const source = isPayment ? charge : isRefund ? refund : null;
  const amount = amountOf(source?.["amount"], source?.["currency"]);
  const occurredAt = timeOf(transaction["created"]);
  if (source === null || amount === null || occurredAt === null) return null;
  return {
    kind: isPayment ? "payment" : "refund",
    reference: metadataOf(source, isPayment ? referenceKey : refundKey),
    // A charge doesn't contain its session's id.
    providerId: isPayment ? null : textOf(source["id"]),
    captureId: idOf(source["payment_intent"]),
    amount,
    ...(isPayment && typeof transaction["fee"] === "number" && transaction["fee"] > 0 ? { hasFee: true as const } : {}),
    occurredAt,
  };
}
