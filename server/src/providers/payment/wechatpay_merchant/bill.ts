import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  type GatewayCall,
  GatewayError,
  type ListedLine,
  malformedAnswer,
  type SettledLine,
  type UnreadableLine,
  unanswered,
} from "#gateways/index.ts";
import { idPattern } from "#platform/index.ts";
import { ask, type MerchantApi, signedHeaders } from "./exchange.ts";
import { beijingTime, text, yuanIn } from "./wire.ts";

const dayMs = 86_400_000;
/** Bills are available for three months. */
const maxDays = 92;
/** An unpacked bill with some 150,000 payments. It is packed to about a fifth, which a call of its kind accepts. */
const maxBillBytes = 64 * 1_048_576;
const rowsPerTurn = 1_000;
/** States of refunds that didn't reach the buyer, in the words of the bills and of the API. */
const unpaidStates: ReadonlySet<string> = new Set(["FAIL", "CHANGE", "REFUNDCLOSE", "ABNORMAL", "CLOSED"]);
/** Older bills may leave the state empty. */
const paidStates: ReadonlySet<string> = new Set(["SUCCESS", "PROCESSING", ""]);
const ownReference = new RegExp(idPattern("ps"));
const unpack = promisify(gunzip);

/**
 * Lists what WeChat Pay settled, from its bills: one for each day in Beijing, ready at ten on the next. A day without payments has none.
 */
export async function listSettled(api: MerchantApi, { from, to }: { from: Date; to: Date }): Promise<ListedLine[]> {
  const all: ListedLine[] = [];
  for (const day of daysOf(from, to)) all.push(...(await readBill(api, day)));
  const lines = all.filter((line) => line.kind !== "unreadable");
  return [
    ...lines
      .filter(({ occurredAt }) => occurredAt >= from && occurredAt < to)
      .toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()),
    ...all.filter((line) => line.kind === "unreadable"),
  ];
}

function daysOf(from: Date, to: Date): string[] {
  if (to.getTime() - from.getTime() > maxDays * dayMs) {
    throw new GatewayError("invalid", { code: "too_many_days", message: `WeChat Pay has bills of the last ${maxDays} days.` });
  }
  const days = new Set<string>();
  for (let at = from.getTime(); at < to.getTime(); at += dayMs) days.add(beijingTime(new Date(at)).slice(0, 10));
  if (to > from) days.add(beijingTime(new Date(to.getTime() - 1)).slice(0, 10));
  return [...days];
}

async function readBill(api: MerchantApi, day: string): Promise<ListedLine[]> {
  const answered = await ask(api, {
    method: "GET",
    path: `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`,
    changes: false,
  }).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "NO_STATEMENT_EXIST") return null;
    if (error.code !== "STATEMENT_CREATING") throw error;
    throw new GatewayError("unavailable", { code: error.code, message: `The bill for ${day} isn't ready.`, requestId: error.requestId });
  });
  if (answered === null) return [];
  const { wire, requestId } = answered;
  const [url, hash] = [text(wire ?? {}, "download_url"), text(wire ?? {}, "hash_value")];
  if (url === null || hash === null || !URL.canParse(url) || text(wire ?? {}, "hash_type") !== "SHA1")
    throw malformedAnswer(false, requestId);
  const bill = await download(api, pathOf(api.call, url));
  // The file itself isn't signed, but the signed response before it contains its hash.
  if (createHash("sha1").update(bill).digest("hex") !== hash.toLowerCase()) {
    throw new GatewayError("unavailable", {
      code: "hash",
      message: `The bill for ${day} doesn't match what WeChat Pay announced.`,
      requestId,
    });
  }
  const lines = await parseBill(bill, { day, appid: api.merchant.appid });
  if (lines === null) throw malformedAnswer(false, requestId);
  return lines;
}

/** Uses only the path and query of the address, so that every request stays on the API's own host. */
function pathOf({ baseUrl }: GatewayCall, url: string): string {
  if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

async function download(api: MerchantApi, path: string): Promise<Buffer> {
  const { call } = api;
  const headers = { ...signedHeaders(api, { method: "GET", path, body: "" }), accept: "*/*" };
  let status: number;
  let bytes: Buffer;
  try {
    const answer = await call.fetch(`${call.baseUrl}${path}`, { method: "GET", headers, redirect: "manual" });
    status = answer.status;
    bytes = Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw unanswered(error, false);
  }
  if (status !== 200) throw new GatewayError("unavailable", { code: `http_${status}`, message: "The bill couldn't be downloaded." });
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return isPacked ? await unpack(bytes, { maxOutputLength: maxBillBytes }) : bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw malformedAnswer(false);
    throw new GatewayError("unavailable", { code: "too_many_lines", message: "The bill has too many payments to be read." });
  }
}

/**
 * The lines of one app in a bill, and those with our references, because the account may have had another app before; null if the text
 * isn't a bill. The merchant's other apps may take payments in other ways. Each cell starts with a grave accent; the totals follow after
 * the lines, below their own heading, so that a bill without them is incomplete.
 */
async function parseBill(bill: Buffer, { day, appid }: { day: string; appid: string }): Promise<ListedLine[] | null> {
  const rows = rowsOf(bill);
  const names = cellsOf(rows.next().value?.replace(/^\uFEFF/, "") ?? "");
  if (!names.includes("交易时间") || !names.includes("商户订单号")) return null;
  const lines: ListedLine[] = [];
  let count = 0;
  for (const row of rows) {
    if (/^`?总交易单数/.test(row)) return lines;
    if ((count += 1) % rowsPerTurn === 0) await yieldToEventLoop();
    if (row.trim() === "") continue;
    const cells = cellsOf(row);
    const cell = (...wanted: string[]) => cells[wanted.map((name) => names.indexOf(name)).find((at) => at >= 0) ?? -1] ?? "";
    const isOurs = cell("公众账号ID") === appid || ownReference.test(cell("商户订单号"));
    const line = isOurs ? (lineOf(cell) ?? unreadable(cell, `${day} ${count}`)) : "unsettled";
    if (line !== "unsettled") lines.push(line);
  }
  return null;
}

/** One row at a time: as a text, a whole bill would take several times its bytes. */
function* rowsOf(bill: Buffer): Generator<string, undefined> {
  for (let from = 0; from < bill.length; ) {
    const end = bill.indexOf(0x0a, from);
    const to = end < 0 ? bill.length : end;
    yield bill.toString("utf8", from, to);
    from = to + 1;
  }
}

type Cell = (...names: string[]) => string;

function unreadable(cell: Cell, place: string): UnreadableLine {
  const isRefund = cell("交易状态") === "REFUND";
  const idIn = (name: string) => cell(name) || null;
  const providerId = idIn(isRefund ? "微信退款单号" : "微信订单号");
  const reference = idIn(isRefund ? "商户退款单号" : "商户订单号");
  const captureId = isRefund ? idIn("微信订单号") : null;
  return { kind: "unreadable", name: (providerId ?? place).slice(0, 100), reference, providerId, captureId };
}

function lineOf(cell: Cell): SettledLine | "unsettled" | null {
  const state = cell("交易状态");
  const time = cell("交易时间");
  const occurredAt = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time) ? `${time.replace(" ", "T")}+08:00` : Number.NaN);
  const isRefund = state === "REFUND";
  const refundState = isRefund ? cell("退款状态") : "";
  if (state === "REVOKED" || unpaidStates.has(refundState)) return "unsettled";
  const amount = yuanIn(isRefund ? cell("申请退款金额", "退款金额") : cell("订单金额", "应结订单金额", "总金额"));
  const [reference, providerId] = isRefund ? [cell("商户退款单号"), cell("微信退款单号")] : [cell("商户订单号"), cell("微信订单号")];
  const isSettled = (state === "SUCCESS" || isRefund) && paidStates.has(refundState);
  if (!isSettled || amount === null || providerId === "" || Number.isNaN(occurredAt.getTime())) return null;
  const captureId = isRefund ? cell("微信订单号") : null;
  const fee = isRefund ? null : yuanIn(cell("手续费"));
  return {
    kind: isRefund ? "refund" : "payment",
    reference: reference === "" ? null : reference,
    providerId,
    captureId,
    amount,
    ...(fee !== null && fee.amount_minor > 0 ? { fee } : {}),
    ...(refundState === "PROCESSING" ? { isProcessing: true as const } : {}),
    occurredAt,
  };
}

/** Cells that start with a grave accent may contain commas; those of older bills can't. */
function cellsOf(row: string): string[] {
  const line = row.trim();
  return line.startsWith("`") ? line.slice(1).split(",`") : line.split(",");
}
