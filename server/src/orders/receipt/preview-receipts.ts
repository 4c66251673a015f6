import { type Account, findAccount, findProfile, listKnownKeys, newReceipt, type ReceiptRow } from "#collection/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { loadWorld } from "./match/load-world.ts";
import { type Played, playReceipts } from "./match/play-receipts.ts";
import type { World } from "./match/world.ts";
import type { Outcome } from "./match-receipt.ts";
import { type ReceiptInput, refuseCurrency } from "./record-receipt.ts";
import { suggestIn } from "./suggest.ts";

/** What a receipt would come to. `skipped`: its number is known already. */
export interface Previewed {
  outcome: Outcome | "skipped";
  /** The order that it would pay, be linked to or be held for; null where it is another project's, or none. */
  order_id: string | null;
  /** It concerns an order of another project of the merchant. */
  elsewhere: boolean;
}

/**
 * What `recordReceipts` would do with these, decided by the same rules on the same facts, without writing anything. What it does later may differ,
 * because it decides anew.
 */
export async function previewReceipts(ctx: Ctx, tenant: Tenant, inputs: readonly ReceiptInput[]): Promise<Previewed[]> {
  const answers = new Map<number, Previewed>();
  const byAccount = new Map<string, { account: Account; rows: { index: number; row: ReceiptRow }[] }>();
  for (const [index, input] of inputs.entries()) {
    const account = await findAccount(ctx.db, tenant, input);
    const row = newReceipt(ctx, { tenant, account, receipt: { ...input, currency: refuseCurrency(input.currency) } });
    const name = `${account.channel} ${account.account_ref}`;
    const group = byAccount.get(name) ?? { account, rows: [] };
    group.rows.push({ index, row });
    byAccount.set(name, group);
  }
  for (const { account, rows } of byAccount.values())
    for (const [index, previewed] of await previewAccount(ctx, { tenant, account, rows })) answers.set(index, previewed);
  return inputs.map((_input, index) => answers.get(index) ?? { outcome: "unmatched", order_id: null, elsewhere: false });
}

async function previewAccount(
  ctx: Ctx,
  given: { tenant: Tenant; account: Account; rows: { index: number; row: ReceiptRow }[] },
): Promise<Map<number, Previewed>> {
  const { tenant, account, rows } = given;
  const answers = new Map<number, Previewed>();
  const known = new Set(
    await listKnownKeys(
      ctx.db,
      account,
      rows.flatMap(({ row }) => row.external_key ?? []),
    ),
  );
  const fresh: { index: number; row: ReceiptRow }[] = [];
  for (const one of rows) {
    const key = one.row.external_key;
    if (key !== null && known.has(key)) answers.set(one.index, { outcome: "skipped", order_id: null, elsewhere: false });
    else fresh.push(one);
    if (key !== null) known.add(key);
  }
  const world = await loadWorld(ctx.db, account, { receipts: fresh.map(({ row }) => row), around: ["unmatched", "linked", "matched"] });
  const model: World = { ...world, receipts: [...world.receipts, ...fresh.map(({ row }) => row)] };
  const rules = (await findProfile(ctx.db, tenant, account.channel))?.ignore_rules ?? [];
  const played = playReceipts(
    model,
    fresh.map(({ row }) => row),
    rules,
  );
  for (const { index, row } of fresh) answers.set(index, shown(tenant, played.get(row.id)));
  for (const { index, row } of fresh) {
    if (answers.get(index)?.outcome !== "unmatched") continue;
    const [first] = suggestIn({ world: model, receipt: row, sessions: new Map(), tenant });
    if (first !== undefined) answers.set(index, { outcome: "suggested", order_id: first.order_id, elsewhere: first.elsewhere });
  }
  return answers;
}

function shown(tenant: Tenant, played: Played | undefined): Previewed {
  if (played === undefined) return { outcome: "unmatched", order_id: null, elsewhere: false };
  const { outcome, verdict } = played;
  const place = verdict.kind === "book" || verdict.kind === "mismatch" ? verdict.asking : verdict.kind === "link" ? verdict.piece : null;
  if (place === null) return { outcome, order_id: null, elsewhere: false };
  const elsewhere = place.project_id !== tenant.project_id;
  return { outcome, order_id: elsewhere ? null : place.order_id, elsewhere };
}
