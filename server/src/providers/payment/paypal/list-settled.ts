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
import { ask, type Credentials } from "./client.ts";
import { dateAt, moneyAt } from "./wire.ts";

const pageLines = 500;
/** PayPal returns ten thousand lines of a search, and refuses more. */
const maxPages = 20;
const leastMs = 60_000;

/** `S`: done. `V`: done, and refunded since. */
const settledStates: ReadonlySet<string> = new Set(["S", "V"]);
/** The merchant's refunds. Other codes of `T11` take money back automatically, such as disputes. */
const refundCode = "T1107";

/**
 * Lists incoming payments and refunds from PayPal's transaction search, oldest first, and then what can't be read. The merchant's app needs
 * permission to search.
 */
export async function listSettled(call: GatewayCall, credentials: Credentials, span: { from: Date; to: Date }): Promise<ListedLine[]> {
  const lines: ListedLine[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await search(call, credentials, { ...span, page }).catch(refusalOf);
    if (answer === "too_many") return inHalves(call, credentials, span);
    const [details, pages] = [at(answer, "transaction_details"), at(answer, "total_pages")];
    if (!Array.isArray(details) || typeof pages !== "number") throw malformedAnswer(false);
    const placeOf = (index: number) => `${secondOf(span.from)} ${page} ${index}`;
    lines.push(...details.flatMap((detail, index) => lineOf(at(detail, "transaction_info"), placeOf(index)) ?? []));
    if (page >= pages) return sorted(lines);
  }
  return inHalves(call, credentials, span);
}

/** The end is part of PayPal's span, which is in whole seconds. */
function search(call: GatewayCall, credentials: Credentials, { from, to, page }: { from: Date; to: Date; page: number }): Promise<unknown> {
  const query = new URLSearchParams({
    start_date: secondOf(from),
    end_date: secondOf(new Date(to.getTime() - 1_000)),
    fields: "transaction_info",
    page_size: String(pageLines),
    page: String(page),
  });
  return ask(call, credentials, { method: "GET", path: `/v1/reporting/transactions?${query}` });
}

function secondOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

function refusalOf(error: unknown): "too_many" {
  if (!(error instanceof GatewayError)) throw error;
  if (error.code === "RESULTSET_TOO_LARGE") return "too_many";
  if (error.kind !== "auth") throw error;
  // Not `auth`: the credentials are good, and the app's other requests work.
  throw new GatewayError("invalid", {
    code: "transaction_search_off",
    message:
      "This app isn't allowed to search transactions. Turn on Transaction Search in the app's features at PayPal; it can take nine hours to take effect.",
    requestId: error.requestId,
  });
}

async function inHalves(call: GatewayCall, credentials: Credentials, { from, to }: { from: Date; to: Date }): Promise<ListedLine[]> {
  const half = Math.floor((from.getTime() + to.getTime()) / 2_000) * 1_000;
  if (to.getTime() - from.getTime() < leastMs) {
    throw new GatewayError("unavailable", { code: "too_many_lines", message: "There are too many transactions in this period." });
  }
  const middle = new Date(half);
  return [...(await listSettled(call, credentials, { from, to: middle })), ...(await listSettled(call, credentials, { from: middle, to }))];
}

/** null if it's neither: payments that the merchant made, transfers, fees, and anything pending. `place`: names a line without an id. */
function lineOf(info: unknown, place: string): ListedLine | null {
  const code = textAt(info, "transaction_event_code") ?? "";
  const value = textAt(info, "transaction_amount", "value");
  const isOut = value?.startsWith("-") === true;
  const isPayment = code.startsWith("T00") && !isOut;
  const isRefund = code === refundCode && (isOut || value === null);
  if (!settledStates.has(textAt(info, "transaction_status") ?? "") || (!isPayment && !isRefund)) return null;
  const id = textAt(info, "transaction_id");
  const ids = isRefund ? refundIds(info, id) : { reference: textAt(info, "custom_field"), providerId: null, captureId: id };
  const amount = isRefund ? moneyAt(without(info), "transaction_amount") : moneyAt(info, "transaction_amount");
  const occurredAt = dateAt(info, "transaction_initiation_date");
  if (id === null || amount === null || occurredAt === null) return { kind: "unreadable", name: (id ?? place).slice(0, 100), ...ids };
  return { kind: isRefund ? "refund" : "payment", ...ids, amount, occurredAt };
}

function refundIds(info: unknown, id: string | null): Pick<UnreadableLine, "reference" | "providerId" | "captureId"> {
  const captureId = textAt(info, "paypal_reference_id_type") === "TXN" ? textAt(info, "paypal_reference_id") : null;
  return { reference: textAt(info, "invoice_id"), providerId: id, captureId };
}

/** The line with its amount unsigned, whichever direction the money went. */
function without(info: unknown): unknown {
  const value = textAt(info, "transaction_amount", "value")?.slice(1);
  return { transaction_amount: { value, currency_code: textAt(info, "transaction_amount", "currency_code") } };
}

function sorted(all: readonly ListedLine[]): ListedLine[] {
  const lines: SettledLine[] = all.filter((line) => line.kind !== "unreadable");
  const unreadable = all.filter((line) => line.kind === "unreadable");
  return [...lines.sort((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()), ...unreadable];
}
