import { atNow, type Ctx, updatePlanning } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { listParts } from "../rows.sql.ts";
import type { SmsReceipt } from "../transport.ts";
import { applyReceipts } from "./apply-receipts.ts";
import { judgeSettling } from "./judge-parts.ts";
import { foldId } from "./provider-ids.ts";
import { deleteKeptEarly, insertEarly, listSettling } from "./sql.ts";

const keptMs = 300_000;
const retriedAfterMs = 2_000;
const portion = 500;

/** Takes in a carrier's report; resolves once it is stored. One that fits no message yet waits five minutes for the answer to its submission. */
export function takeReceipt(ctx: Ctx, receipt: SmsReceipt): Promise<"stored" | "unmatched"> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const unmatched = await applyReceipts(tx, await atNow(ctx, tx), [receipt]);
    if (unmatched.length === 0) return "stored";
    await insertEarly(tx, receipt, { folded: foldId(receipt.provider_message_id), since: null });
    return "unmatched";
  });
}

/** Decides about sent messages whose time has come: doubts end with their validity, and parts that were reported on speak for the others. Answers how many. */
export function settleSent(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const timed = await atNow(ctx, tx);
    const keys = await listSettling(tx, portion);
    const parts = Map.groupBy(await listParts(tx, keys), ({ sms_id }) => sms_id);
    await changeSms(tx, timed, { keys, change: (row) => judgeSettling(row, parts.get(row.id) ?? [], timed.now()) });
    return keys.length;
  });
}

/**
 * Holds reports that came early against what was stored since: the answer to a submission may be stored at the very moment that its report is. What fits nothing after five
 * minutes is dropped. Answers how many were looked at.
 */
export function retryEarlyReceipts(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const timed = await atNow(ctx, tx);
    const now = timed.now().getTime();
    const stale = new Date(now - keptMs);
    const kept = await deleteKeptEarly(tx, { fresh: new Date(now - retriedAfterMs), stale, limit: portion });
    const since = new Map<SmsReceipt, Date>(kept.map((receipt) => [receipt, receipt.created_at]));
    for (const receipt of await applyReceipts(tx, timed, kept)) {
      const came = since.get(receipt) ?? stale;
      if (came >= stale) await insertEarly(tx, receipt, { folded: foldId(receipt.provider_message_id), since: came });
    }
    return kept.length;
  });
}
