import { type PaymentMethod, takesCurrency } from "#gateways/index.ts";
import type { Ctx, Db, Tenant } from "#platform/index.ts";
import { findOpenMethods } from "../method/open-methods.ts";
import type { OrderBundle } from "../shapes.ts";

type Known = Pick<Ctx, "db" | "now" | "methods">;

export interface OrderWarning {
  code: "no_payment_method";
  message: string;
}

/** How long a result is cached: every new order checks, and a new code should not be missed for long. */
const rememberedMs = { taken: 10_000, not: 1_000 };
const rememberedMax = 10_000;
const remembered = new WeakMap<Db, Map<string, { open: readonly PaymentMethod[]; until: number }>>();

/** Warnings about accepted unpaid orders of a tenant: currently, that buyers have no payment method for the order's currency. */
export async function warnOrders(
  ctx: Known,
  tenant: Tenant,
  bundles: readonly OrderBundle[],
): Promise<(bundle: OrderBundle) => OrderWarning[]> {
  const open = bundles.filter(({ order }) => order.status === "unpaid");
  const isPossible = open.some(({ order }) => ctx.methods.all.some((method) => takesCurrency(method, order.currency)));
  const methods = isPossible ? await listOpenMethods(ctx, tenant) : [];
  return ({ order }) =>
    order.status !== "unpaid" || methods.some((method) => takesCurrency(method, order.currency)) ? [] : [warningOf(order.currency)];
}

function warningOf(currency: string): OrderWarning {
  return { code: "no_payment_method", message: `No payment method of this project accepts ${currency}, so buyers can't pay this order.` };
}

async function listOpenMethods(ctx: Known, tenant: Tenant): Promise<readonly PaymentMethod[]> {
  const answers = remembered.get(ctx.db) ?? new Map<string, { open: readonly PaymentMethod[]; until: number }>();
  remembered.set(ctx.db, answers);
  const key = `${tenant.project_id} ${tenant.livemode}`;
  const now = ctx.now().getTime();
  const last = answers.get(key);
  if (last !== undefined && last.until > now) return last.open;
  const open = await findOpenMethods(ctx, tenant);
  if (answers.size >= rememberedMax) answers.clear();
  answers.set(key, { open, until: now + (open.length > 0 ? rememberedMs.taken : rememberedMs.not) });
  return open;
}
