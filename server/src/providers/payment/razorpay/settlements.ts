import {
  at,
  type GatewayCall,
  GatewayError,
  type ListedLine,
  malformedAnswer,
  type SettledLine,
  textAt,
  type UnreadableLine,
} from "#gateways/index.ts";
import { ask, askForItems, type Credentials } from "./client.ts";
import { amountOf, notes, timeOf } from "./wire.ts";

/** Razorpay's days start at midnight in India. */
const indiaMs = 19_800_000;
const dayMs = 86_400_000;
const pageLines = 1_000;
const maxPages = 100;

/** Lists payments and refunds that Razorpay settled in a time span, oldest first; at the end what can't be read of the days in it. */
export async function listSettled(
  call: GatewayCall,
  credentials: Credentials,
  { from, to }: { from: Date; to: Date },
): Promise<ListedLine[]> {
  const lines: SettledLine[] = [];
  const unreadable: UnreadableLine[] = [];
  for (let day = Math.floor((from.getTime() + indiaMs) / dayMs); day * dayMs - indiaMs < to.getTime(); day += 1) {
    const date = new Date(day * dayMs);
    for (const [place, item] of (await itemsOf(call, credentials, date)).entries()) {
      const line = lineOf(item, `${date.toISOString().slice(0, 10)} ${place + 1}`);
      if (line === null) continue;
      if (line.kind === "unreadable") unreadable.push(line);
      else if (line.occurredAt >= from && line.occurredAt < to) lines.push(line);
    }
  }
  return [...lines.sort((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()), ...unreadable];
}

async function itemsOf(call: GatewayCall, credentials: Credentials, day: Date): Promise<unknown[]> {
  const [year, month, date] = day.toISOString().slice(0, 10).split("-");
  const items: unknown[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const query = `year=${year}&month=${month}&day=${date}&count=${pageLines}&skip=${page * pageLines}`;
    const found = await askForItems(call, credentials, `/settlements/recon/combined?${query}`);
    items.push(...found);
    if (found.length < pageLines) return items;
  }
  throw malformedAnswer(false);
}

/** null if it's neither a payment nor a refund. */
function lineOf(item: unknown, place: string): ListedLine | null {
  const [kind, id, paymentId] = [textAt(item, "type"), textAt(item, "entity_id"), textAt(item, "payment_id")];
  if (kind !== "payment" && kind !== "refund") return null;
  const amount = amountOf(at(item, "amount"), textAt(item, "currency"));
  const occurredAt = timeOf(at(item, "settled_at"));
  const isRefund = kind === "refund";
  const reference = textAt(notesOf(item), isRefund ? notes.refundReference : notes.reference);
  const ids = { reference, providerId: isRefund ? id : null, captureId: isRefund ? paymentId : id };
  if (amount === null || occurredAt === null || id === null) return { kind: "unreadable", name: (id ?? place).slice(0, 100), ...ids };
  const includedFee = isRefund ? null : amountOf(at(item, "fee"), textAt(item, "currency"));
  return {
    kind,
    ...ids,
    amount,
    ...(includedFee === null ? {} : { includedFee }),
    occurredAt,
  };
}

/** The notes of a payment or refund. This list has them as a text: that of a JSON object, or any other, which has no reference of ours. */
function notesOf(item: unknown): unknown {
  const found = at(item, "notes");
  if (typeof found !== "string") return found;
  try {
    return JSON.parse(found);
  } catch {
    return null;
  }
}

/** Razorpay's list may not have a payment's notes, with our reference; the payment itself does. */
export async function findReference(call: GatewayCall, credentials: Credentials, paymentId: string): Promise<string | null> {
  try {
    const payment = await ask(call, credentials, { method: "GET", path: `/payments/${encodeURIComponent(paymentId)}` });
    return textAt(notesOf(payment), notes.reference);
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return null;
    throw error;
  }
}
