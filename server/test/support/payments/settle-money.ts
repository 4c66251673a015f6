import type { OrderRow } from "#orders/index.ts";
import type { Settled } from "#orders/settle/arrival.ts";
import type { Money } from "#orders/settle/decide.ts";
import { settleTogether } from "#orders/settle/groups.ts";
import { settle } from "#orders/settle/settle.ts";
import { AppError, atNow, type Ctx, type Tenant } from "#platform/index.ts";
import { eventually } from "#test/support/time/eventually.ts";

/** The ways in which money is settled: in the caller's transaction, and in a group with whatever else waits. */
export const settleModes = ["alone", "together"] as const;

interface Paying {
  tenant: Tenant;
  money: Money;
  way: (typeof settleModes)[number];
}

/** Like `settleMoney`, repeated while it gets 503, as a provider repeats a callback that wasn't taken. */
export async function settleUntilTaken(ctx: Ctx, given: Paying): Promise<Settled> {
  let settled: Settled | undefined;
  await eventually("the money is taken", async () => {
    settled = await settleMoney(ctx, given).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "service_unavailable") return undefined;
      throw error;
    });
    return settled !== undefined;
  });
  return settled as Settled;
}

/** A payment of an order's amount, as a provider reports it, with what a test specifies. */
export function moneyFor(ctx: Ctx, order: OrderRow, change: Partial<Money> = {}): Money {
  return {
    order_id: order.id,
    session_id: null,
    gateway: "wechatpay",
    external_id: ctx.id("req"),
    amount_minor: order.amount_minor,
    currency: order.currency,
    source: "callback",
    occurred_at: ctx.now(),
    ...change,
  };
}

/** Settles a payment, as a provider's callback would. */
export function settleMoney(ctx: Ctx, given: Paying): Promise<Settled> {
  const { tenant, money } = given;
  const alone = () => ctx.transact(async (tx) => settle(tx, await atNow(ctx, tx), { tenant, money }));
  if (given.way === "alone") return alone();
  return settleTogether<Settled>({
    ctx,
    tenant,
    order_id: money.order_id,
    number: money,
    isShown: false,
    come: ({ sessions }) => ({ money, session: sessions.find(({ id }) => id === money.session_id) ?? null, isNewSession: false }),
    answer: (settled) => settled,
    alone,
  });
}
