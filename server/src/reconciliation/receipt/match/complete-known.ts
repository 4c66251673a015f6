import { recordAudit } from "#audit/index.ts";
import {
  type Account,
  externalKey,
  listReceiptsOfNumbers,
  lockAccount,
  type ReceiptRow,
  type Statement,
  updateReceiptFacts,
} from "#collection/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { isUndecided } from "./world.ts";

type Reported = Pick<ReceiptRow, "account_ref" | "amount_minor" | "occurred_at" | "remark" | "payer_hint" | "kind">;

/**
 * A waiting receipt with what the statement's row of the same number says: the wallet's own record counts more than a notification or a
 * person's word, and has the note. Null if it adds nothing, or a key reports it for another project.
 */
export function completed(ctx: Pick<Ctx, "actor">, tenant: Tenant, given: { known: ReceiptRow; reported: Reported }): ReceiptRow | null {
  const { known, reported } = given;
  const isOwn = ctx.actor.kind === "person" || known.project_id === tenant.project_id;
  const isSame = known.account_ref === reported.account_ref && known.amount_minor === reported.amount_minor;
  if (!isUndecided(known) || known.source === "statement" || !isOwn || !isSame) return null;
  return {
    ...known,
    source: "statement",
    occurred_at: reported.occurred_at,
    remark: reported.remark ?? known.remark,
    payer_hint: reported.payer_hint ?? known.payer_hint,
    kind: reported.kind ?? known.kind,
  };
}

/** Adds what a statement says to waiting receipts that others reported first, so that they are then decided like its own rows. */
export async function completeKnown(ctx: Ctx, tenant: Tenant, given: { account: Account; statement: Statement }): Promise<void> {
  const { account, statement } = given;
  const rows = new Map(statement.rows.flatMap((row) => [[externalKey(row.external_id) ?? "", row] as const]));
  if (rows.size === 0) return;
  await ctx.transact(async (tx) => {
    await lockAccount(tx, account);
    const better = (await listReceiptsOfNumbers(tx, account, [...rows.keys()])).flatMap((known) => {
      const row = rows.get(known.external_key ?? "");
      const reported = row === undefined ? null : { ...row, account_ref: account.account_ref };
      const receipt = reported === null ? null : completed(ctx, tenant, { known, reported });
      return receipt === null ? [] : [{ receipt, was: known.source }];
    });
    await updateReceiptFacts(
      tx,
      better.map(({ receipt }) => receipt),
    );
    for (const { receipt, was } of better) {
      const detail = { source: receipt.source, was };
      const place = { project_id: receipt.project_id, livemode: receipt.livemode };
      await recordAudit(tx, { ctx, tenant: place, action: "receipt.updated", object_type: "receipt", object_id: receipt.id, detail });
    }
  });
}
