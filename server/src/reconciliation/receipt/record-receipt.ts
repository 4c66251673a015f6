import { recordAudit } from "#audit/index.ts";
import {
  findAccount,
  insertReceipt,
  listUnmatched,
  lockAccount,
  lockReceipt,
  methodOfChannel,
  type NewReceipt,
  newReceipt,
  type ReceiptRow,
  refuseOddNumber,
} from "#collection/index.ts";
import { findPersonal, refuseCurrency, refuseOddTime } from "#orders/index.ts";
import { atNow, beginPass, type Ctx, findNow, type SweepPass, type Tenant, type Tx } from "#platform/index.ts";
import { closeAmount } from "./close-amount.ts";
import { isUndecided } from "./match/world.ts";
import { accountOf, type Matched, matchReceipt, type Outcome } from "./match-receipt.ts";
import { listSuggestions, type Suggestion } from "./suggest.ts";

export type ReceiptInput = Omit<NewReceipt, "currency"> & {
  currency?: string;
  /** The account that received it, if it isn't that of the project's code. */
  account_ref?: string | null;
};

export interface Recorded {
  receipt: ReceiptRow;
  /** False if this channel and external id was recorded before; the first one is returned. */
  created: boolean;
  outcome: Outcome;
  suggestions: Suggestion[];
}

/**
 * Records one receipt of a personal channel and settles, links or keeps its money, in one transaction. Income without our mark is a receipt
 * without a booking. If another project of the merchant recorded the number, returns that receipt with `created: false`.
 */
export async function recordReceipt(ctx: Ctx, tenant: Tenant, input: ReceiptInput): Promise<Recorded> {
  const currency = readReceiptCurrency(ctx, input);
  if (input.external_id != null) refuseOddNumber("external_id", input.external_id);
  // A statement can go further back; its own reader reports rows with implausible times.
  if (input.source !== "statement") refuseOddTime(await atNow(ctx, ctx.db), "occurred_at", input.occurred_at);
  return ctx.transact(async (tx) => {
    const account = await findAccount(tx, tenant, input);
    await lockAccount(tx, account);
    const row = newReceipt(ctx, { tenant, account, receipt: { ...input, currency } });
    const { receipt, created } = await insertReceipt(tx, row, { named: input.account_ref != null });
    const matched = created ? await settleNew(tx, ctx, receipt) : { receipt, outcome: "unmatched" as const };
    const suggestions = (await listSuggestions(tx, tenant, [matched.receipt])).get(receipt.id) ?? [];
    const suggested = matched.outcome === "unmatched" && suggestions.length > 0;
    return { ...matched, created, outcome: suggested ? "suggested" : matched.outcome, suggestions };
  });
}

/** The currency of a receipt; by default, the first that its channel supports. Throws unsupported_currency. */
export function readReceiptCurrency(ctx: Ctx, { channel, currency }: Pick<ReceiptInput, "channel" | "currency">): string {
  const chosen = currency?.toUpperCase() ?? methodOfChannel(channel).currencies[0];
  refuseCurrency(findPersonal(ctx, methodOfChannel(channel).name), { currency: chosen, param: "currency" });
  return chosen;
}

/** Decides about a receipt under its account's lock: first by its mark, then with the sets that it may complete. */
async function settleNew(tx: Tx, ctx: Ctx, receipt: ReceiptRow): Promise<Matched> {
  const matched = await matchReceipt(tx, ctx, receipt);
  const linked =
    matched.outcome === "unmatched"
      ? await closeAmount(tx, ctx, { account: accountOf(receipt), amount: receipt.amount_minor, at: receipt.occurred_at })
      : [];
  const own = linked.find((row) => row.id === receipt.id);
  const done: Matched = own === undefined ? matched : { receipt: own, outcome: "linked" };
  await recordAudit(tx, {
    ctx,
    tenant: receipt,
    action: "receipt.recorded",
    object_type: "receipt",
    object_id: receipt.id,
    detail: { source: receipt.source, status: done.receipt.status, payment_session_id: done.receipt.payment_session_id },
  });
  return done;
}

/**
 * Records a whole statement: every row is written first, then each is decided in order of time, then sets are closed, so that the order of
 * rows in the file doesn't matter. Each step is its own transaction; the same rows sent again change nothing.
 */
export async function recordReceipts(ctx: Ctx, tenant: Tenant, inputs: readonly ReceiptInput[]): Promise<Recorded[]> {
  const first: { receipt: ReceiptRow; created: boolean }[] = [];
  for (let at = 0; at < inputs.length; at += rowsAtOnce) first.push(...(await writeRows(ctx, tenant, inputs.slice(at, at + rowsAtOnce))));
  const open = first.filter((one) => one.receipt.status === "unmatched");
  open.sort((one, other) => one.receipt.occurred_at.getTime() - other.receipt.occurred_at.getTime());
  const outcomes = new Map<string, Matched>();
  for (const { receipt } of open) {
    const matched = await ctx.transact((tx) => decideAgain(tx, ctx, receipt));
    if (matched !== null) outcomes.set(receipt.id, matched);
  }
  const left = [...outcomes.values()].filter((one) => one.outcome === "unmatched").map((one) => one.receipt);
  for (const row of await closeAmounts(ctx, left)) if (outcomes.has(row.id)) outcomes.set(row.id, { receipt: row, outcome: "linked" });
  const suggestions = await listSuggestions(ctx.db, tenant, left);
  return first.map(({ receipt, created }) => {
    const matched = outcomes.get(receipt.id) ?? { receipt, outcome: "unmatched" as const };
    const own = matched.outcome === "unmatched" ? (suggestions.get(receipt.id) ?? []) : [];
    return { ...matched, created, outcome: own.length > 0 ? "suggested" : matched.outcome, suggestions: own };
  });
}

const rowsAtOnce = 200;

function writeRows(ctx: Ctx, tenant: Tenant, inputs: readonly ReceiptInput[]): Promise<{ receipt: ReceiptRow; created: boolean }[]> {
  return ctx.transact(async (tx) => {
    const rows: { receipt: ReceiptRow; created: boolean }[] = [];
    for (const input of inputs) {
      const account = await findAccount(tx, tenant, input);
      const receipt = newReceipt(ctx, { tenant, account, receipt: { ...input, currency: readReceiptCurrency(ctx, input) } });
      const written = await insertReceipt(tx, receipt, { named: input.account_ref != null });
      rows.push(written);
      if (!written.created) continue;
      const detail = { source: receipt.source, status: receipt.status, payment_session_id: null };
      await recordAudit(tx, { ctx, tenant, action: "receipt.recorded", object_type: "receipt", object_id: receipt.id, detail });
    }
    return rows;
  });
}

/** Null if it was decided in the meantime. */
async function decideAgain(tx: Tx, ctx: Ctx, seen: ReceiptRow): Promise<Matched | null> {
  await lockAccount(tx, accountOf(seen));
  const receipt = await lockReceipt(tx, seen, seen.id);
  return receipt === null || !isUndecided(receipt) ? null : matchReceipt(tx, ctx, receipt);
}

/** Closes the sets around each of these receipts, once per amount and day; returns the linked receipts. In a pass, each separately. */
async function closeAmounts(ctx: Ctx, receipts: readonly ReceiptRow[], pass?: SweepPass): Promise<ReceiptRow[]> {
  const wanted = new Map<string, ReceiptRow>();
  for (const receipt of receipts) wanted.set(amountOnDay(receipt), receipt);
  const linked: ReceiptRow[] = [];
  for (const receipt of wanted.values()) {
    const account = accountOf(receipt);
    const close = async (tx: Tx) => {
      await lockAccount(tx, account);
      return closeAmount(tx, ctx, { account, amount: receipt.amount_minor, at: receipt.occurred_at });
    };
    const closing = () => ctx.transact(close);
    linked.push(...(pass === undefined ? await closing() : ((await pass.attemptInTurn(receipt.id, closing, receipt.project_id)) ?? [])));
  }
  return linked;
}

/** Accounts of different merchants often have the same name. */
function amountOnDay({ merchant_id, livemode, channel, account_ref, amount_minor, occurred_at }: ReceiptRow): string {
  return [merchant_id, livemode, channel, account_ref, amount_minor, occurred_at.toISOString().slice(0, 10)].join(" ");
}

const lookBackMs = 9 * 86_400_000;

/**
 * Checks waiting receipts again, because something may have been approved or requested since, in another process or at another time. One
 * that can't be checked is put off.
 */
export async function matchWaitingReceipts(ctx: Ctx, atOnce = 100): Promise<number> {
  const now = (await findNow(ctx.db)).getTime();
  const task = "match_waiting_receipts";
  const [receipts, sets] = [beginPass(ctx, { task, kind: "receipt" }), beginPass(ctx, { task, kind: "receipt_set" })];
  let matched = 0;
  for (let after: ReceiptRow | null = null; ; ) {
    const page = { since: new Date(now - lookBackMs), before: new Date(now - 3_600_000), after, limit: atOnce };
    const waiting: ReceiptRow[] = await listUnmatched(ctx.db, page);
    for (const seen of waiting) {
      const again = await receipts.attemptInTurn(seen.id, () => ctx.transact((tx) => decideAgain(tx, ctx, seen)), seen.project_id);
      if (again !== null && again.receipt.status !== "unmatched") matched += 1;
    }
    matched += (await closeAmounts(ctx, waiting, sets)).length;
    after = waiting.at(-1) ?? null;
    if (waiting.length < atOnce) break;
  }
  for (const pass of [receipts, sets]) pass.end();
  return matched;
}
