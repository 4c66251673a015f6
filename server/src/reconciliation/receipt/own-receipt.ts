import { findReceipt, lockAccount, lockReceipt, type ReceiptRow } from "#collection/index.ts";
import { identityErrors, listPeopleOf } from "#identity/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { accountOf } from "./match-receipt.ts";

/**
 * A receipt of the project, with its account locked until commit: receipts, approvals and people's decisions about one account run one
 * after another.
 */
export async function lockAccountOfReceipt(tx: Tx, given: { tenant: Tenant; id: string }): Promise<ReceiptRow> {
  const seen = await findReceipt(tx, given.tenant, given.id);
  if (seen === null) throw platformErrors.resource_missing({ param: "id" });
  await lockAccount(tx, accountOf(seen));
  return seen;
}

export async function lockOwnReceipt(tx: Tx, tenant: Tenant, id: string): Promise<ReceiptRow> {
  const receipt = await lockReceipt(tx, tenant, id);
  if (receipt === null) throw platformErrors.resource_missing({ param: "id" });
  return receipt;
}

/**
 * A manually entered receipt relies on one person's word: another person links it, or the same with a recent confirmation if the merchant
 * has no other. A key can't.
 */
export async function refuseOwnWord(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; isConfirmed: boolean }): Promise<void> {
  const { receipt, isConfirmed } = given;
  if (receipt.source !== "manual") return;
  if (ctx.actor.kind !== "person")
    throw identityErrors.session_required({ message: "A person recorded this receipt. Another person must link it in the dashboard." });
  if (receipt.created_by !== ctx.actor.id) return;
  const others = (await listPeopleOf(tx, receipt.merchant_id, ["owner", "admin", "reviewer"])).filter(
    (person) => person.id !== ctx.actor.id,
  );
  if (others.length > 0)
    throw platformErrors.permission_denied({ message: "You recorded this receipt yourself. Another person must link it." });
  if (!isConfirmed) throw identityErrors.fresh_session_required();
}

/**
 * Refuses a key's decision about money that another project booked, if projects share an account. People see every project of their
 * merchant. Throws session_required.
 */
export function refuseElsewhere(ctx: Ctx, tenant: Tenant, places: readonly (string | null)[]): void {
  if (ctx.actor.kind === "person" || places.every((place) => place === null || place === tenant.project_id)) return;
  const message =
    "This receipt concerns an order of another project that shares the account. A signed-in person must decide in the dashboard.";
  throw identityErrors.session_required({ message });
}
