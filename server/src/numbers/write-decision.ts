import { emit } from "#events/index.ts";
import { atNow, type Ctx, type Tenant, type Tx } from "#platform/index.ts";
import { type NumberChannel, type NumberRow, updateNumber } from "./sql.ts";
import { numberStates } from "./states.ts";

/** The decision about a request for a number. */
export type Decision =
  | { status: "approved"; channels: NumberChannel[]; countries: string[] | null }
  | { status: "rejected"; reason: string };

/** Stores a decision about a locked row and emits its event. */
export async function writeDecision(tx: Tx, ctx: Ctx, { before, decision }: { before: NumberRow; decision: Decision }): Promise<NumberRow> {
  numberStates.check([before.status], decision.status);
  const { channels, countries } = decision.status === "approved" ? decision : before;
  const rejection_reason = decision.status === "rejected" ? decision.reason : null;
  const decided_at = (await atNow(ctx, tx)).now();
  const row = await updateNumber(tx, { ...before, channels, countries, status: decision.status, rejection_reason, decided_at });
  const { id, value, kind, status, created_at } = row;
  const number = { id, object: "number", value, kind, channels, countries, status, rejection_reason, created_at };
  await emit(tx, ctx, { tenant: tenantOf(row), events: [{ event: `number.${status}`, object_id: id, data: { number } }] });
  return row;
}

/** The tenant of a row. */
export function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}
