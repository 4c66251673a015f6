import type { Api } from "./orders.ts";
import { type Money, type Order, Refused } from "./shapes.ts";

const maxDays = 31;
const maxLines = 10_000;

/** GET /v1/reporting/transactions */
export async function searchTransactions({ world, account, request }: Api): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [from, to] = [instantOf(query.get("start_date")), instantOf(query.get("end_date"))];
  const [size, page] = [Number(query.get("page_size") ?? 100), Number(query.get("page") ?? 1)];
  if (from === null || to === null || to < from || to - from > maxDays * 86_400_000 || !(size >= 1 && size <= 500) || !(page >= 1))
    throw new Refused(400, "INVALID_REQUEST");
  const orders = (await world.documents.list<Order>("order")).filter((order) => order.account === account.name);
  const found = orders.flatMap(linesOf).filter(({ at }) => at >= from && at <= to);
  if (found.length > maxLines) throw new Refused(400, "RESULTSET_TOO_LARGE");
  const shown = found.sort((one, other) => one.at - other.at).slice((page - 1) * size, page * size);
  return Response.json({
    transaction_details: shown.map(({ info }) => ({ transaction_info: info })),
    account_number: account.merchantId,
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / size),
    links: [{ href: request.url, rel: "self", method: "GET" }],
  });
}

/** Seconds are required. */
function instantOf(text: string | null): number | null {
  return text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) ? new Date(text).getTime() : null;
}

function linesOf(order: Order): { at: number; info: Record<string, unknown> }[] {
  const { capture, amount, customId, invoiceId, refunds } = order;
  if (capture === null || capture.status === "DECLINED") return [];
  const line = (info: { code: string; id: string; time: string; amount: Money; status: string }, more: Record<string, unknown>) => ({
    at: new Date(info.time).getTime(),
    info: {
      transaction_id: info.id,
      transaction_event_code: info.code,
      transaction_initiation_date: info.time.replace("Z", "+0000"),
      transaction_updated_date: info.time.replace("Z", "+0000"),
      transaction_amount: info.amount,
      transaction_status: info.status,
      custom_field: customId ?? undefined,
      ...more,
    },
  });
  const isPending = capture.status === "PENDING";
  const paid = line(
    { code: "T0006", id: capture.id, time: capture.createTime, amount, status: isPending ? "P" : "S" },
    { invoice_id: invoiceId ?? undefined },
  );
  const back = refunds
    .filter(({ status }) => status === "COMPLETED")
    .map((refund) =>
      line(
        {
          code: "T1107",
          id: refund.id,
          time: refund.createTime,
          amount: { ...refund.amount, value: `-${refund.amount.value}` },
          status: "S",
        },
        { paypal_reference_id: capture.id, paypal_reference_id_type: "TXN", invoice_id: refund.invoiceId ?? undefined },
      ),
    );
  return [paid, ...back];
}
