import type { Api } from "./links.ts";
import { chargedOf, feeOf, type Link, Refused } from "./shapes.ts";

const day = 86_400;
const india = 19_800;

/** GET /v1/settlements/recon/combined: payments and refunds are settled two days later, at noon in India. */
export async function listSettlements({ world, account, request }: Api): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [year, month, date] = ["year", "month", "day"].map((name) => query.get(name) ?? "");
  if (!/^\d{4}$/.test(year ?? "")) throw new Refused(400, "The year must be 4 digits.");
  if (!/^(0?[1-9]|1[0-2])$/.test(month ?? "")) throw new Refused(400, "The month is not a valid month.");
  if (!/^\d{1,2}$/.test(date ?? "")) throw new Refused(400, "The day must be between 1 and 2 digits.");
  const from = Date.parse(`${year}-${month?.padStart(2, "0")}-${date?.padStart(2, "0")}T00:00:00Z`) / 1_000 - india;
  const links = (await world.documents.list<Link>("link")).filter((link) => link.account === account.name);
  const items = links.flatMap(itemsOf).filter(({ settled_at }) => settled_at >= from && settled_at < from + day);
  const [skip, count] = [Number(query.get("skip") ?? 0), Number(query.get("count") ?? 10)];
  const page = items.slice(skip, skip + count);
  return Response.json({ entity: "collection", count: page.length, items: page });
}

function itemsOf(link: Link) {
  return link.payments
    .filter(({ status }) => status === "captured")
    .flatMap((payment) => [
      {
        ...lineOf(link, { createdAt: payment.createdAt, amount: chargedOf(link) }),
        ...feeOf(link),
        credit: chargedOf(link) - feeOf(link).fee,
        entity_id: payment.id,
        type: "payment",
        payment_id: null,
        // A text, unlike everywhere else.
        notes: JSON.stringify(link.notes),
      },
      ...payment.refunds
        .filter(({ status }) => status === "processed")
        .map((refund) => ({
          ...lineOf(link, refund),
          debit: refund.amount,
          entity_id: refund.id,
          type: "refund",
          payment_id: payment.id,
          notes: JSON.stringify(refund.notes),
        })),
    ]);
}

function lineOf({ currency }: Link, { createdAt, amount }: { createdAt: number; amount: number }) {
  const settledAt = (Math.floor((createdAt + india) / day) + 2) * day + day / 2 - india;
  return { debit: 0, credit: 0, amount, currency, fee: 0, tax: 0, created_at: createdAt, settled_at: settledAt, settled: true };
}
