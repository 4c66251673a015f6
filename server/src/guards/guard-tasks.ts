import type { ChannelTask } from "#messaging/index.ts";
import { type Ctx, findNow } from "#platform/index.ts";
import { deleteEndedWindows, deleteOldCharges } from "./admit/sql.ts";
import { assessRanges } from "./traffic/assess-ranges.ts";
import { deleteOldTraffic } from "./traffic/traffic.sql.ts";

const portion = 1_000;
const dayMs = 86_400_000;
/** Charges are needed until their month ends, and calls may be scheduled a month ahead; sums are shown for as long as usage is. */
const retention = { chargesMs: 70 * dayMs, sumsMs: 400 * dayMs, trafficDays: 9 };

/** Guards' periodic tasks. */
export function guardTasks(): ChannelTask[] {
  return [
    { name: "judge_traffic", everyMs: 10_000, run: (ctx) => assessRanges(ctx).then(() => 0) },
    { name: "forget_recipient_windows", everyMs: 60_000, run: (ctx) => ctx.transact((tx) => deleteEndedWindows(tx, portion)) },
    { name: "forget_traffic", everyMs: 60_000, run: (ctx) => ctx.transact((tx) => deleteOldTraffic(tx, retention.trafficDays, portion)) },
    { name: "forget_message_charges", everyMs: 60_000, run: deleteCharges },
  ];
}

function deleteCharges(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    const now = (await findNow(tx)).getTime();
    const periods = new Date(now - retention.sumsMs).toISOString().slice(0, 10);
    return deleteOldCharges(tx, { charges: new Date(now - retention.chargesMs), periods, limit: portion });
  });
}
