import { type GatewayCall, GatewayError, type ListedLine, malformedAnswer } from "#gateways/index.ts";
import { callMollie } from "./client.ts";
import { metadataOf, paymentOf, readList, referenceKey, refundKey, refundOf, textOf, timeOf } from "./wire.ts";

type Fields = Record<string, unknown>;

const pageSize = 250;
/** 25,000 payments within the days that are looked back. */
const maxPages = 100;
const dayMs = 86_400_000;
/** A payment may be paid this long after its creation: a bank transfer within twelve days, and banks take a few more. */
const payableMs = 16 * dayMs;
/** A refund may be paid out this long after its creation: Mollie waits for a balance that covers it. */
const refundableMs = 14 * dayMs;

/**
 * Payments that were paid in a period, and refunds that were paid out by now. Mollie's lists are sorted by creation and have no dates to
 * filter by, so they are read from the newest entry back to those that can't belong to the period any more. Mollie doesn't say when it paid
 * out a refund, so it is listed every day for two weeks.
 */
export async function listSettled(call: GatewayCall, apiKey: string, { from, to }: { from: Date; to: Date }): Promise<ListedLine[]> {
  // Mollie's times have whole seconds.
  const start = Math.floor(from.getTime() / 1_000) * 1_000;
  const ask = (kind: "payment" | "refund", since: number) => readBackTo(call, apiKey, { kind, since });
  const payments = (await ask("payment", start - payableMs)).flatMap((payment) => paymentLine(payment, { start, end: to.getTime() }));
  const since = start - refundableMs;
  const refunds = (await ask("refund", since)).flatMap((refund) => refundLine(refund, { start: since, end: to.getTime() }));
  return [...payments, ...refunds].sort((left, right) => timeIn(left) - timeIn(right));
}

const timeIn = (line: ListedLine) => (line.kind === "unreadable" ? 0 : line.occurredAt.getTime());

/** Everything of a kind that was created since then. */
async function readBackTo(call: GatewayCall, apiKey: string, given: { kind: "payment" | "refund"; since: number }): Promise<Fields[]> {
  const under = `${given.kind}s`;
  const read: Fields[] = [];
  let from = "";
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await callMollie(call, apiKey, { method: "GET", path: `/v2/${under}?limit=${pageSize}${from}` });
    const list = readList(answer, { under, resource: given.kind });
    if (list === null) throw malformedAnswer(false);
    read.push(...list.items);
    const oldest = timeOf(list.items.at(-1)?.["createdAt"]);
    if (list.next === null || (oldest !== null && oldest.getTime() < given.since)) return read;
    from = `&from=${encodeURIComponent(list.next)}`;
  }
  throw new GatewayError("unavailable", { code: "too_many_lines", message: `Mollie has too many ${under} to compare them day by day.` });
}

interface Period {
  start: number;
  end: number;
}

/** True also if the time can't be read. */
function isIn(time: Date | null, { start, end }: Period): boolean {
  return time === null || (time.getTime() >= start && time.getTime() < end);
}

/** Empty if it wasn't paid in the period. */
function paymentLine(payment: Fields, period: Period): ListedLine[] {
  const paidAt = timeOf(payment["paidAt"]);
  if (payment["status"] !== "paid" || !isIn(paidAt, period)) return [];
  const amount = paymentOf(payment)?.paid ?? null;
  const ids = { reference: metadataOf(payment, referenceKey), providerId: textOf(payment["id"]), captureId: null };
  if (amount === null || paidAt === null) return [{ kind: "unreadable", name: nameOf(payment), ...ids }];
  return [{ kind: "payment", ...ids, amount, occurredAt: paidAt }];
}

/** Empty if it wasn't paid out, or wasn't created in the period. */
function refundLine(refund: Fields, period: Period): ListedLine[] {
  const createdAt = timeOf(refund["createdAt"]);
  if (refund["status"] !== "refunded" || !isIn(createdAt, period)) return [];
  const amount = refundOf(refund)?.amount ?? null;
  const ids = {
    reference: metadataOf(refund, refundKey),
    providerId: textOf(refund["id"]),
    captureId: textOf(refund["paymentId"]),
  };
  if (amount === null || createdAt === null) return [{ kind: "unreadable", name: nameOf(refund), ...ids }];
  return [{ kind: "refund", ...ids, amount, occurredAt: createdAt }];
}

const nameOf = (resource: Fields) => (textOf(resource["id"]) ?? "without an ID").slice(0, 100);
