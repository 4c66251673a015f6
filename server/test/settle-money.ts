import type { Settled } from "#orders/settle/arrival.ts";
import type { Money } from "#orders/settle/decide.ts";
import { settleTogether } from "#orders/settle/groups.ts";
import { settle } from "#orders/settle/settle.ts";
import { atNow, type Ctx, type Tenant } from "#platform/index.ts";

/** The ways in which money is settled: in a transaction of the caller's, and in a group with whatever else waits. */
export const waysToSettle = ["alone", "together"] as const;

/** Settles a piece of money, as a provider's callback would. */
export function settleMoney(ctx: Ctx, given: { tenant: Tenant; money: Money; way: (typeof waysToSettle)[number] }): Promise<Settled> {
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
