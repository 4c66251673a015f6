import type { SimulatorWorld } from "#gateways/index.ts";

/** A trade, or what becomes one once its buyer scans the code or opens the page. Amounts are in fen, times in milliseconds. */
export interface Trade {
  appId: string;
  outTradeNo: string;
  /** Part of the addresses of its code and its page. */
  token: string;
  fen: number;
  subject: string;
  notifyUrl: string | null;
  returnUrl: string | null;
  status: "UNOPENED" | "WAIT_BUYER_PAY" | "TRADE_SUCCESS" | "TRADE_CLOSED";
  /** Canceled before it was opened: it can no longer be opened. */
  isDead: boolean;
  tradeNo: string;
  createdAt: number;
  endsAt: number;
  paidAt: number | null;
  closedAt: number | null;
  refunds: { requestNo: string; fen: number; at: number }[];
  notices: Notice[];
}

/** A change of a trade that is reported to the merchant. */
export interface Notice {
  id: string;
  status: string;
  /** The total refunded so far; null if the notice isn't about a refund. */
  refundedFen: number | null;
  requestNo: string | null;
  at: number;
}

/** Returns the trade of a merchant's number, closed if it has expired; null if none was requested. */
export async function findTrade(world: SimulatorWorld, outTradeNo: string): Promise<Trade | null> {
  const trade = await world.documents.get<Trade>("trade", outTradeNo);
  if (trade === null || trade.status !== "WAIT_BUYER_PAY" || world.now().getTime() < trade.endsAt) return trade;
  return saveTrade(world, { ...trade, status: "TRADE_CLOSED", closedAt: trade.endsAt });
}

/** Stores a trade. */
export async function saveTrade(world: SimulatorWorld, trade: Trade): Promise<Trade> {
  await world.documents.put("trade", trade.outTradeNo, trade);
  await world.documents.put("token", trade.token, trade.outTradeNo);
  return trade;
}

/** Applies what the buyer does by scanning the code or signing in on the page. */
export async function openTrade(world: SimulatorWorld, trade: Trade): Promise<Trade> {
  if (trade.status !== "UNOPENED") return trade;
  if (trade.isDead || world.now().getTime() >= trade.endsAt) throw new Error("this code is no longer valid");
  return saveTrade(world, { ...trade, status: "WAIT_BUYER_PAY" });
}

/** The amount refunded so far. */
export function refundedFen(trade: Trade): number {
  return trade.refunds.reduce((sum, { fen }) => sum + fen, 0);
}

/** `12.34`. */
export function yuan(fen: number): string {
  const digits = String(fen).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Fen of `12.34`, `12.3` or `12`; null for anything else, and outside of 0.01 to 100000000.00. */
export function fenOf(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{1,9}(\.\d{1,2})?$/.test(text)) return null;
  const [whole = "", part = ""] = text.split(".");
  const fen = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  return fen >= 1 && fen <= 10_000_000_000 ? fen : null;
}

/** Beijing's local time. */
export function wallClock(at: number): string {
  const wall = new Date(at + 8 * 3_600_000);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${wall.getUTCFullYear()}-${two(wall.getUTCMonth() + 1)}-${two(wall.getUTCDate())}`;
  return `${day} ${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
}

/** Milliseconds of a Beijing local time; null if it isn't one. */
export function fromWallClock(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null;
  const numbers = text.split(/[- :]/).map(Number);
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = numbers;
  const at = Date.UTC(year, month - 1, day, hours - 8, minutes, seconds);
  return wallClock(at) === text ? at : null;
}
