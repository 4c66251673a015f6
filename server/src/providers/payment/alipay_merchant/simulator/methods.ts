import type { SimulatorWorld } from "#gateways/index.ts";
import { digitsOf, type SimulatedApp } from "./accounts.ts";
import { noteChange, sendNewest } from "./notices.ts";
import { fenOf, findTrade, fromWallClock, refundedFen, saveTrade, type Trade, wallClock, yuan } from "./trades.ts";

/** A method's response, without its `code` and `msg`; or why it's refused. */
export type Outcome = { done: Record<string, unknown> } | { refused: string; extra?: Record<string, unknown> };

/** A request whose signature was verified. */
export interface MethodRequest {
  world: SimulatorWorld;
  app: SimulatedApp;
  content: Record<string, unknown>;
  params: ReadonlyMap<string, string>;
}

/** The methods of the gateway, by name. */
export const methods: Readonly<Record<string, (request: MethodRequest) => Promise<Outcome>>> = {
  "alipay.trade.precreate": precreate,
  "alipay.trade.query": query,
  "alipay.trade.close": close,
  "alipay.trade.cancel": cancel,
  "alipay.trade.refund": refund,
  "alipay.trade.fastpay.refund.query": queryRefund,
};

/** Finds the order, or creates one that becomes a trade once it's opened; refuses what the documents forbid. */
export async function orderOf({ world, app, content, params }: MethodRequest): Promise<Trade | string> {
  const { out_trade_no: number, subject, total_amount: total, time_expire: end } = content;
  const fen = fenOf(total);
  const endsAt = end === undefined ? world.now().getTime() + 15 * 86_400_000 : fromWallClock(end);
  const isWritten =
    typeof number === "string" && /^\w{1,64}$/.test(number) && typeof subject === "string" && /^[^/=&]{1,256}$/u.test(subject);
  if (!isWritten || fen === null || endsAt === null || endsAt <= world.now().getTime()) return "ACQ.INVALID_PARAMETER";
  const known = await findTrade(world, number);
  if (known !== null) {
    if (known.appId !== app.appId || known.fen !== fen || known.subject !== subject) return "ACQ.CONTEXT_INCONSISTENT";
    if (known.paidAt !== null) return "ACQ.TRADE_HAS_SUCCESS";
    return known.status === "TRADE_CLOSED" || known.isDead ? "ACQ.TRADE_HAS_CLOSE" : known;
  }
  const made = world.now().getTime();
  return saveTrade(world, {
    appId: app.appId,
    outTradeNo: number,
    token: `bax${world.token(18).toLowerCase()}`,
    fen,
    subject,
    notifyUrl: params.get("notify_url") ?? null,
    returnUrl: params.get("return_url") ?? null,
    status: "UNOPENED",
    isDead: false,
    tradeNo: `${wallClock(made).slice(0, 10).replaceAll("-", "")}22001${digitsOf(world, 15)}`,
    createdAt: made,
    endsAt,
    paidAt: null,
    closedAt: null,
    refunds: [],
    notices: [],
  });
}

async function precreate(request: MethodRequest): Promise<Outcome> {
  const order = await orderOf(request);
  if (typeof order === "string") return { refused: order };
  return { done: { out_trade_no: order.outTradeNo, qr_code: `${request.world.origin}/pay/${order.token}` } };
}

/** The trade of a request; null until it's opened, because the gateway doesn't know it before. */
async function openedTrade({ world, app, content }: MethodRequest): Promise<Trade | null> {
  const trade = typeof content["out_trade_no"] === "string" ? await findTrade(world, content["out_trade_no"]) : null;
  return trade === null || trade.appId !== app.appId || trade.status === "UNOPENED" ? null : trade;
}

function notExist({ content }: MethodRequest): Outcome {
  return {
    refused: "ACQ.TRADE_NOT_EXIST",
    extra: { buyer_pay_amount: "0.00", out_trade_no: content["out_trade_no"], receipt_amount: "0.00" },
  };
}

async function query(request: MethodRequest): Promise<Outcome> {
  const trade = await openedTrade(request);
  if (trade === null) return notExist(request);
  const received = trade.paidAt === null ? 0 : trade.fen;
  const ended = trade.paidAt ?? trade.closedAt;
  return {
    done: {
      buyer_logon_id: "159****5620",
      buyer_pay_amount: yuan(received),
      invoice_amount: yuan(received),
      out_trade_no: trade.outTradeNo,
      point_amount: "0.00",
      receipt_amount: yuan(received),
      // Also for an unpaid trade: then it's the closing time.
      ...(ended === null ? {} : { send_pay_date: wallClock(ended) }),
      total_amount: yuan(trade.fen),
      trade_no: trade.tradeNo,
      trade_status: trade.status,
    },
  };
}

async function close(request: MethodRequest): Promise<Outcome> {
  const trade = await openedTrade(request);
  if (trade === null) return notExist(request);
  if (trade.status !== "WAIT_BUYER_PAY") return { refused: "ACQ.TRADE_STATUS_ERROR" };
  await closeTrade(request.world, trade);
  return { done: { out_trade_no: trade.outTradeNo, trade_no: trade.tradeNo } };
}

/** Closes a trade that waits for its buyer, and notifies the merchant. */
export async function closeTrade(world: SimulatorWorld, trade: Trade): Promise<void> {
  const closed = await saveTrade(world, { ...trade, status: "TRADE_CLOSED", closedAt: world.now().getTime() });
  await sendNewest(world, await noteChange(world, closed));
}

async function cancel(request: MethodRequest): Promise<Outcome> {
  const { world, app, content } = request;
  const number = String(content["out_trade_no"] ?? "");
  const trade = await openedTrade(request);
  if (trade === null) {
    const unopened = await findTrade(world, number);
    if (unopened !== null && unopened.appId === app.appId) await saveTrade(world, { ...unopened, isDead: true });
    return { done: { out_trade_no: number, retry_flag: "N" } };
  }
  const known = { out_trade_no: number, trade_no: trade.tradeNo, retry_flag: "N" };
  if (trade.status === "WAIT_BUYER_PAY") await closeTrade(world, trade);
  if (trade.status !== "TRADE_SUCCESS") return { done: { ...known, action: "close" } };
  if (trade.refunds.length > 0) return { refused: "ACQ.REASON_TRADE_REFUND_FEE_ERR" };
  await payBack({ world, trade, requestNo: number, fen: trade.fen });
  return { done: { ...known, action: "refund" } };
}

async function refund(request: MethodRequest): Promise<Outcome> {
  const trade = await openedTrade(request);
  if (trade === null) return notExist(request);
  const { out_request_no: given, refund_amount: amount } = request.content;
  const fen = fenOf(amount);
  if (fen === null || (given !== undefined && (typeof given !== "string" || !/^\w{1,64}$/.test(given))))
    return { refused: "ACQ.INVALID_PARAMETER" };
  if (given === undefined && fen !== trade.fen) return { refused: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL" };
  const requestNo = typeof given === "string" ? given : trade.outTradeNo;
  const known = trade.refunds.find((one) => one.requestNo === requestNo);
  if (known !== undefined && known.fen !== fen) return { refused: "ACQ.DISCORDANT_REPEAT_REQUEST" };
  if (known === undefined && trade.status !== "TRADE_SUCCESS") return { refused: "ACQ.TRADE_STATUS_ERROR" };
  if (known === undefined && refundedFen(trade) + fen > trade.fen) return { refused: "ACQ.REASON_TRADE_REFUND_FEE_ERR" };
  const now = known === undefined ? await payBack({ world: request.world, trade, requestNo, fen }) : trade;
  return {
    done: {
      buyer_logon_id: "159****5620",
      fund_change: known === undefined ? "Y" : "N",
      out_trade_no: trade.outTradeNo,
      refund_fee: yuan(refundedFen(now)),
      trade_no: trade.tradeNo,
    },
  };
}

interface PayingBack {
  world: SimulatorWorld;
  trade: Trade;
  requestNo: string;
  fen: number;
}

async function payBack({ world, trade, requestNo, fen }: PayingBack): Promise<Trade> {
  const at = world.now().getTime();
  const refunds = [...trade.refunds, { requestNo, fen, at }];
  const isWhole = refundedFen({ ...trade, refunds }) === trade.fen;
  const paidBack = await saveTrade(world, { ...trade, refunds, ...(isWhole ? { status: "TRADE_CLOSED", closedAt: at } : {}) });
  const noted = await noteChange(world, paidBack, { refundedFen: refundedFen(paidBack), requestNo });
  await sendNewest(world, noted);
  return noted;
}

async function queryRefund(request: MethodRequest): Promise<Outcome> {
  const trade = await openedTrade(request);
  if (trade === null) return notExist(request);
  const found = trade.refunds.find(({ requestNo }) => requestNo === request.content["out_request_no"]);
  if (found === undefined) return { done: {} };
  return {
    done: {
      out_request_no: found.requestNo,
      out_trade_no: trade.outTradeNo,
      refund_amount: yuan(found.fen),
      refund_status: "REFUND_SUCCESS",
      total_amount: yuan(trade.fen),
      trade_no: trade.tradeNo,
    },
  };
}
