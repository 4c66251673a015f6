import {
  atNow,
  type Ctx,
  createCollector,
  findNow,
  isUnavailable,
  perDatabase,
  sweepDue,
  sweepRows,
  type Tx,
  updatePlanning,
} from "#platform/index.ts";
import { accountOf } from "../account-of.ts";
import { changeSms } from "../change/change-sms.ts";
import { listParts, type SmsKey } from "../rows.sql.ts";
import type { SmsReceipt } from "../transport.ts";
import { applyReceipts } from "./apply-receipts.ts";
import { classifySettling } from "./classify-parts.ts";
import { foldId } from "./provider-ids.ts";
import { deleteHeldEarly, type EarlyReceipt, insertEarly, listSettling, lockEarly, updateHeldEarly } from "./sql.ts";

const retentionMs = 300_000;
const retriedAfterMs = 2_000;
const retriedForMs = 30_000;
const portion = 500;

interface Taken {
  ctx: Ctx;
  receipt: SmsReceipt;
}

/** A busy bind receives as many reports as it sends messages, so those that come at the same moment share a transaction. */
const taking = perDatabase(() =>
  createCollector<Taken, "stored" | "unmatched">({
    max: 64,
    concurrency: 2,
    supply: { usual: 4_096, reserved: 0 },
    waitMs: 10_000,
    tenantOf: ({ receipt }) => receipt.provider,
    // Two reports of the same part run one after the other: the first one counts.
    namesOf: ({ ctx, receipt: { provider, provider_message_id } }) => [`${accountOf(ctx, provider)[0]} ${foldId(provider_message_id)}`],
    isShared: isUnavailable,
    run: (taken) => storeReceipts(taken),
  }),
);

/**
 * Processes a carrier's report; resolves once it is stored. One that matches no message yet waits five minutes for the response to its
 * submission.
 */
export function takeReceipt(ctx: Ctx, receipt: SmsReceipt): Promise<"stored" | "unmatched"> {
  return taking(ctx.db).add({ ctx, receipt });
}

function storeReceipts(taken: readonly Taken[]): Promise<("stored" | "unmatched")[]> {
  const [{ ctx }] = taken as [Taken];
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const receipts = taken.map(({ receipt }) => receipt);
    const unmatched = new Set(await applyReceipts(tx, await atNow(ctx, tx), { receipts }));
    await insertEarly(tx, [...unmatched]);
    return receipts.map((receipt) => (unmatched.has(receipt) ? "unmatched" : "stored"));
  });
}

/**
 * Decides about sent messages that are due: an unknown outcome ends with the message's validity, and reported parts count for the others.
 * Returns how many.
 */
export function settleSent(ctx: Ctx): Promise<number> {
  return sweepDue<SmsKey>(ctx, {
    task: "settle_sms",
    kind: "sms",
    limit: portion,
    list: listSettling,
    async change(tx, pinned, keys) {
      const parts = Map.groupBy(await listParts(tx, keys), ({ sms_id }) => sms_id);
      await changeSms(tx, pinned, { keys, change: (row) => classifySettling(row, parts.get(row.id) ?? [], pinned.now()) });
    },
  });
}

/**
 * Matches early reports with what was stored since: the response to a submission may be stored at the same moment as its report, and a busy
 * database takes a while. After half a minute, one may match in any base. Drops what matches nothing after five minutes. Returns how many
 * needn't be checked again for now.
 */
export function retryEarlyReceipts(ctx: Ctx): Promise<number> {
  return sweepRows<EarlyReceipt>(ctx, {
    task: "match_early_sms_receipts",
    kind: "receipt",
    limit: portion,
    async take(tx, wanted) {
      await updatePlanning(tx);
      const now = (await findNow(tx)).getTime();
      return lockEarly(tx, { retriedBefore: new Date(now - retriedAfterMs), stale: new Date(now - retentionMs), ...wanted });
    },
    nameOf: ({ id }) => String(id),
    // A carrier's report that names no message is its own.
    ownerOf: ({ id, message }) => message?.project_id ?? String(id),
    work: (tx, early) => matchEarly(tx, ctx, early),
  });
}

async function matchEarly(tx: Tx, ctx: Ctx, early: readonly EarlyReceipt[]): Promise<number> {
  const pinned = await atNow(ctx, tx);
  const now = pinned.now().getTime();
  const stale = new Date(now - retentionMs);
  const late = early.filter(({ created_at, retried }) => !retried && created_at.getTime() < now - retriedForMs);
  const unmatched = new Set(await applyReceipts(tx, pinned, { receipts: early, late }));
  const over = early.filter((receipt) => !unmatched.has(receipt) || receipt.created_at < stale);
  const apart = late.filter((receipt) => !over.includes(receipt));
  await deleteHeldEarly(
    tx,
    over.map(({ id }) => id),
  );
  await updateHeldEarly(
    tx,
    apart.map(({ id }) => id),
  );
  return over.length + apart.length;
}
