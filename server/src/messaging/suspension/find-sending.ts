import { findSuspension } from "#identity/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { countWaiting } from "./sql.ts";

/** The count stops here, because the exact number doesn't matter beyond it. */
const countedMax = 10_000;

export interface Sending {
  /** Since when this environment's messages have been suspended. */
  suspended_at: Date | null;
  reason: string | null;
  /** Messages that are sent once the suspension is lifted; 0 without one, and counted up to 10 000. */
  waiting: number;
}

/** Whether an operator has suspended this environment's messages, and how many are waiting. TEST is never suspended. */
export async function findSending(ctx: Pick<Ctx, "db" | "channels">, tenant: Tenant, merchantId: string): Promise<Sending> {
  const held = tenant.livemode ? await findSuspension(ctx.db, merchantId) : null;
  const suspended_at = held?.sending_suspended_at ?? null;
  const waiting =
    suspended_at === null
      ? []
      : await Promise.all(ctx.channels.sending.map((channel) => countWaiting(ctx.db, tenant, { channel, limit: countedMax })));
  const total = waiting.reduce((sum, count) => sum + count, 0);
  return { suspended_at, reason: held?.sending_suspended_reason ?? null, waiting: Math.min(total, countedMax) };
}
