import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { ListedLine, SettledLine, UnreadableLine } from "#gateways/index.ts";
import { idPattern } from "#platform/index.ts";
import { yuanIn } from "./wire.ts";

const rowsPerTurn = 1_000;
/** States of refunds that didn't reach the buyer, in the words of the bills and of the API. */
const unpaidStates: ReadonlySet<string> = new Set(["FAIL", "CHANGE", "REFUNDCLOSE", "ABNORMAL", "CLOSED"]);
/** Older bills may leave the state empty. */
const paidStates: ReadonlySet<string> = new Set(["SUCCESS", "PROCESSING", ""]);
const ownReference = new RegExp(idPattern("ps"));

/**
 * The lines of one app in a bill, and those with our references, because the account may have had another app before; null if the text
 * isn't a bill. The merchant's other apps may take payments in other ways. Each cell starts with a grave accent; the totals follow after
 * the lines, below their own heading, so that a bill without them is incomplete.
 */
export async function parseBill(bill: Buffer, { day, appid }: { day: string; appid: string }): Promise<ListedLine[] | null> {
  const rows = rowsOf(bill);
  const names = cellsOf(rows.next().value?.replace(/^\uFEFF/, "") ?? "");
  if (!names.includes("交易时间") || !names.includes("商户订单号")) return null;
  // Once, and not for each cell. Of two columns with one name the first counts.
  const placeOf = new Map(names.map((name, at) => [name, at] as const).toReversed());
  const lines: ListedLine[] = [];
  let count = 0;
  for (const row of rows) {
    if (/^`?总交易单数/.test(row)) return lines;
    if ((count += 1) % rowsPerTurn === 0) await yieldToEventLoop();
    if (row.trim() === "") continue;
    const cells = cellsOf(row);
    const cell = (...wanted: string[]) => cells[wanted.map((name) => placeOf.get(name)).find((at) => at !== undefined) ?? -1] ?? "";
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
