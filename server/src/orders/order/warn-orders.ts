import { listProfiles } from "#collection/index.ts";
import type { Ctx, Db, Tenant } from "#platform/index.ts";
import type { OrderBundle } from "../shapes.ts";

export interface OrderWarning {
  code: "no_payment_method";
  message: string;
}

/** How long an answer is remembered: every new order asks, and a code that is set up should not be missed for long. */
const rememberedMs = { taken: 10_000, not: 1_000 };
const rememberedMax = 10_000;
const remembered = new WeakMap<Db, Map<string, { takes: boolean; until: number }>>();

/** What is wrong with unpaid orders of a tenant that were taken all the same: so far, that buyers find no way to pay in the order's currency. */
export async function warnOrders(
  ctx: Pick<Ctx, "db" | "now">,
  tenant: Tenant,
  bundles: readonly OrderBundle[],
): Promise<(bundle: OrderBundle) => OrderWarning[]> {
  const open = bundles.filter(({ order }) => order.status === "unpaid");
  const isTaken = open.some(({ order }) => order.currency === "CNY") && (await takesCny(ctx, tenant));
  return ({ order }) => (order.status !== "unpaid" || (isTaken && order.currency === "CNY") ? [] : [warningOf(order.currency)]);
}

function warningOf(currency: string): OrderWarning {
  return { code: "no_payment_method", message: `No payment method of this project accepts ${currency}, so buyers cannot pay this order.` };
}

async function takesCny(ctx: Pick<Ctx, "db" | "now">, tenant: Tenant): Promise<boolean> {
  const answers = remembered.get(ctx.db) ?? new Map<string, { takes: boolean; until: number }>();
  remembered.set(ctx.db, answers);
  const key = `${tenant.project_id} ${tenant.livemode}`;
  const now = ctx.now().getTime();
  const last = answers.get(key);
  if (last !== undefined && last.until > now) return last.takes;
  const takes = (await listProfiles(ctx.db, tenant)).some(({ enabled }) => enabled);
  if (answers.size >= rememberedMax) answers.clear();
  answers.set(key, { takes, until: now + (takes ? rememberedMs.taken : rememberedMs.not) });
  return takes;
}
