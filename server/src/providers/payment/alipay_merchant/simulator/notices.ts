import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { digitsOf, findApp, type SimulatedApp, signAsAlipay } from "./accounts.ts";
import { type Notice, saveTrade, type Trade, wallClock, yuan } from "./trades.ts";

/** After 4, 10, 10 minutes, 1, 2, 6 and 15 hours. */
const retrySeconds = [240, 600, 600, 3_600, 7_200, 21_600, 54_000];

/** Records a change of a trade that the merchant is to be notified of. */
export function noteChange(
  world: SimulatorWorld,
  trade: Trade,
  change: Partial<Pick<Notice, "status" | "refundedFen" | "requestNo">> = {},
): Promise<Trade> {
  const at = world.now().getTime();
  const notice = {
    id: `${wallClock(at).replaceAll(/[- :]/g, "")}${digitsOf(world, 20)}`,
    status: trade.status,
    refundedFen: null,
    requestNo: null,
    at,
  };
  return saveTrade(world, { ...trade, notices: [...trade.notices, { ...notice, ...change }] });
}

/** Sends the newest notice of a trade, if the merchant gave an address. */
export async function sendNewest(world: SimulatorWorld, trade: Trade): Promise<void> {
  if (trade.notifyUrl !== null && trade.notices.length > 0) await world.send(await newestNotice(world, trade));
}

/** The newest notice of a trade, as it would be sent now. */
export async function newestNotice(world: SimulatorWorld, trade: Trade): Promise<SimulatedCallback> {
  const app = await findApp(world, trade.appId);
  const notice = trade.notices.at(-1);
  if (app === null || notice === undefined) throw new Error(`nothing to tell of ${trade.outTradeNo}`);
  const delivery = () => ({
    headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: formOf(paramsOf({ world, app, trade, notice }), app),
  });
  return {
    url: trade.notifyUrl ?? "",
    ...delivery(),
    accepts: ({ status, body }) => status === 200 && body === "success",
    again: async () => delivery(),
    retrySeconds,
  };
}

interface Telling {
  world: SimulatorWorld;
  app: SimulatedApp;
  trade: Trade;
  notice: Notice;
}

function paramsOf({ world, app, trade, notice }: Telling): Record<string, string> {
  const isPaid = trade.paidAt !== null && notice.status !== "WAIT_BUYER_PAY";
  return {
    gmt_create: wallClock(trade.createdAt),
    charset: "utf-8",
    ...(isPaid && trade.paidAt !== null ? { gmt_payment: wallClock(trade.paidAt) } : {}),
    ...(notice.status === "TRADE_CLOSED" && trade.closedAt !== null ? { gmt_close: wallClock(trade.closedAt) } : {}),
    ...(notice.refundedFen === null
      ? {}
      : { gmt_refund: `${wallClock(notice.at)}.000`, refund_fee: yuan(notice.refundedFen), out_biz_no: notice.requestNo ?? "" }),
    notify_time: wallClock(world.now().getTime()),
    subject: trade.subject,
    buyer_id: "2088102116773037",
    buyer_logon_id: "159****5620",
    // Empty, but signed all the same.
    body: "",
    version: "1.0",
    notify_id: notice.id,
    ...(isPaid
      ? {
          invoice_amount: yuan(trade.fen),
          receipt_amount: yuan(trade.fen),
          buyer_pay_amount: yuan(trade.fen),
          point_amount: "0.00",
          fund_bill_list: JSON.stringify([{ amount: yuan(trade.fen), fundChannel: "ALIPAYACCOUNT" }]),
        }
      : {}),
    passback_params: "a%26b%3D1%2B1+%E8%8C%B6",
    notify_type: "trade_status_sync",
    trade_status: notice.status,
    out_trade_no: trade.outTradeNo,
    total_amount: yuan(trade.fen),
    trade_no: trade.tradeNo,
    auth_app_id: trade.appId,
    app_id: trade.appId,
    seller_id: app.sellerId,
    ...(app.certificates === null ? {} : { alipay_cert_sn: app.certificates.alipayCertSn }),
  };
}

function formOf(params: Record<string, string>, app: SimulatedApp): string {
  const names = Object.keys(params).sort();
  const signature = signAsAlipay(names.map((name) => `${name}=${params[name] ?? ""}`).join("&"), app);
  return new URLSearchParams({ ...params, sign_type: "RSA2", sign: signature }).toString();
}
