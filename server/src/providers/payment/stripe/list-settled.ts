import { type GatewayCall, GatewayError, type ListedLine, malformedAnswer } from "#gateways/index.ts";
import { callStripe } from "./client.ts";
import type { StripeCredentials } from "./credentials.ts";
import { amountOf, idOf, metadataOf, readItems, readObjectOf, referenceKey, refundKey, textOf, timeOf } from "./wire.ts";

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
): Promise<ListedLine[]> {
  const created = { gte: Math.floor(span.from.getTime() / 1_000), lt: Math.ceil(span.to.getTime() / 1_000) };
  const lines: ListedLine[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const from: { starting_after?: string } = after === null ? {} : { starting_after: after };
    const answer = await callStripe(call, secretKey, {
      changes: false,
      ask: (stripe) => stripe.balanceTransactions.list({ limit: pageSize, created, expand: ["data.source"], ...from }),
    });
    const list = readItems(answer);
    if (list === null) throw malformedAnswer(false);
    const { items } = list;
    lines.push(...items.map((item, index) => lineOf(item, `${created.gte} ${page} ${index}`)).filter((line) => line !== null));
    after = list.after;
    if (after === null) return lines.reverse();
  }
  throw new GatewayError("unavailable", { code: "too_many_lines", message: "There are too many balance transactions in this period." });
}

/** null if it's neither: payouts, disputes, fees, transfers. `place`: names a line without an id. */
function lineOf(item: unknown, place: string): ListedLine | null {
  const transaction = readObjectOf(item, "balance_transaction");
  if (transaction === null) return { kind: "unreadable", name: place, reference: null, providerId: null, captureId: null };
  const charge = readObjectOf(transaction["source"], "charge");
  const refund = readObjectOf(transaction["source"], "refund");
  const isPayment = charge !== null && (transaction["type"] === "charge" || transaction["type"] === "payment");
  const isRefund = refund !== null && (transaction["type"] === "refund" || transaction["type"] === "payment_refund");
  const source = isPayment ? charge : isRefund ? refund : null;
  if (source === null) return null;
  const ids = {
    reference: metadataOf(source, isPayment ? referenceKey : refundKey),
    // A charge doesn't contain its session's id.
    providerId: isPayment ? null : textOf(source["id"]),
    captureId: idOf(source["payment_intent"]),
  };
  const amount = amountOf(source["amount"], source["currency"]);
  const occurredAt = timeOf(transaction["created"]);
  if (amount === null || occurredAt === null)
    return { kind: "unreadable", name: (textOf(transaction["id"]) ?? place).slice(0, 100), ...ids };
  return {
    kind: isPayment ? "payment" : "refund",
    ...ids,
    amount,
    ...(isPayment && typeof transaction["fee"] === "number" && transaction["fee"] > 0 ? { hasFee: true as const } : {}),
    occurredAt,
  };
}
