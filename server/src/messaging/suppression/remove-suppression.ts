import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { emitSuppression } from "./emit-suppression.ts";
import { deleteSuppressionRow, lockSuppression, type SuppressionRow } from "./sql.ts";

/** Allows messages to an address of a channel again, as part of another operation. Returns whether it was suppressed. */
export async function removeSuppression(tx: Tx, ctx: Ctx, given: { tenant: Tenant; channel: Channel; address: string }): Promise<boolean> {
  const { tenant, channel } = given;
  const row = await lockSuppression(tx, tenant, { channel: channel.name, address: channel.addresses.canonical(given.address) });
  return row !== null && dropSuppression(tx, ctx, row);
}

/** Removes a suppression and publishes the event. Returns false if it was gone. */
export async function dropSuppression(tx: Tx, ctx: Ctx, row: SuppressionRow): Promise<boolean> {
  if (!(await deleteSuppressionRow(tx, row))) return false;
  await emitSuppression(tx, ctx, { event: "deleted", suppression: row });
  return true;
}
