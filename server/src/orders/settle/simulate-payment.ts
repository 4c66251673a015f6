import { emit } from "#events/index.ts";
import { atNow, type Ctx, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { expireOrder } from "../order/expire-due.ts";
import { failureEvents, sessionEvent } from "../order-events.ts";
import { listBundles, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findReceivedOfOrder } from "../rows/received.sql.ts";
import { findLatestSession, insertSession, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { announceReview, awaitReview } from "../session/await-review.ts";
import { isOpen, type OrderBundle, type OrderRow, owesAgain, type SessionRow } from "../shapes.ts";
import { settleTogether } from "./groups.ts";
import { settle } from "./settle.ts";
import { type SimulatedOutcome, simulatedMethod, simulatedMoney, simulatedSession } from "./simulated-money.ts";

export interface SimulationInput {
  order_id: string;
  outcome?: SimulatedOutcome;
  amount_minor?: number;
}

interface Play {
  outcome: SimulatedOutcome;
  amountMinor: number | null;
  /** The unique number of its money. */
  externalId: string;
}

/**
 * Plays a payment in TEST through the real settle path. Throws environment_mismatch in LIVE, order_already_paid and order_state_conflict.
 */
export async function simulatePayment(ctx: Ctx, tenant: Tenant, input: SimulationInput): Promise<OrderBundle> {
  if (tenant.livemode) throw platformErrors.environment_mismatch();
  const play: Play = {
    outcome: input.outcome ?? "paid",
    amountMinor: input.amount_minor ?? null,
    externalId: `simulated:${ctx.id("req")}`,
  };
  const { order_id } = input;
  if (play.outcome !== "paid" && play.outcome !== "underpaid" && play.outcome !== "overpaid")
    return playAlone(ctx, tenant, { order_id, play, isUnsure: false });
  return settleTogether<OrderBundle>({
    ctx,
    tenant,
    order_id,
    number: null,
    isShown: true,
    come({ ctx: pinned, order, sessions }) {
      if (order === null) return platformErrors.resource_missing({ param: "id" });
      const refusal = refusalOf(order, play.outcome);
      if (refusal !== null) return refusal;
      const open = sessions.find(isOpen) ?? null;
      const isNewSession = order.status === "unpaid" && open === null;
      const session = isNewSession ? simulatedSession(pinned, { order, last: sessions[0] ?? null }) : (open ?? sessions[0] ?? null);
      return { money: simulatedMoney(pinned, { order, session, ...play }), session, isNewSession };
    },
    answer(_settled, shown) {
      if (shown === null) throw new Error("a locked order vanished");
      return shown;
    },
    alone: (isUnsure) => playAlone(ctx, tenant, { order_id, play, isUnsure }),
  });
}

function refusalOf(order: OrderRow, outcome: SimulatedOutcome): Error | null {
  const isPaying = outcome === "paid" || outcome === "underpaid" || outcome === "overpaid";
  if (order.status === "paid" && !(isPaying && owesAgain(order))) return orderErrors.order_already_paid();
  return order.status === "canceled" ? orderErrors.order_state_conflict({ fields: { status: order.status } }) : null;
}

/** In its own transaction. `isUnsure`: a group may have simulated it already, if the response to its COMMIT was lost. */
async function playAlone(ctx: Ctx, tenant: Tenant, given: { order_id: string; play: Play; isUnsure: boolean }): Promise<OrderBundle> {
  const { order_id, play } = given;
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    // That group's locks end with it: its writes are visible now, or never will be.
    const isPlayed = given.isUnsure && (await findReceivedOfOrder(tx, order, play.externalId));
    if (!isPlayed) await carryPlay(tx, await atNow(ctx, tx), { ...play, order });
    const [after] = await listBundles(tx, [order]);
    return after as OrderBundle;
  });
}

async function carryPlay(tx: Tx, pinned: Ctx, given: Play & { order: OrderRow }): Promise<void> {
  const { order, outcome } = given;
  const refusal = refusalOf(order, outcome);
  if (refusal !== null) throw refusal;
  if (outcome === "expire") return void (await expireNow(tx, pinned, order));
  if (outcome === "late") return paySimulated(tx, pinned, { ...given, order: await expireNow(tx, pinned, order) });
  if (outcome === "failed") return failSession(tx, pinned, order);
  if (outcome === "pending_verify") return reportSimulated(tx, pinned, order);
  return paySimulated(tx, pinned, given);
}

async function expireNow(tx: Tx, pinned: Ctx, order: OrderRow): Promise<OrderRow> {
  if (order.status === "expired") return order;
  if (order.status !== "unpaid") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const expired = await expireOrder(tx, order);
  await emit(tx, pinned, { tenant: order, events: failureEvents(expired) });
  return expired;
}

async function failSession(tx: Tx, pinned: Ctx, order: OrderRow): Promise<void> {
  if (order.status !== "unpaid") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const session = await openSession(tx, pinned, order);
  const failed = await updateSession(tx, session, { from: ["pending", "processing"], to: "failed", failureCode: "declined" });
  const changed = (await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" })) ?? order;
  if (failed !== null) await emit(tx, pinned, { tenant: order, events: [sessionEvent("payment.session.failed", changed, failed)] });
}

async function reportSimulated(tx: Tx, pinned: Ctx, order: OrderRow): Promise<void> {
  if (order.status === "unpaid") await openSession(tx, pinned, order);
  const gateway = order.status === "unpaid" ? null : simulatedMethod(pinned, null).name;
  const { session, moved } = await awaitReview(tx, pinned, { order, gateway });
  if (moved !== null) await announceReview(tx, pinned, { order: moved, session, voucher: null });
}

async function paySimulated(tx: Tx, pinned: Ctx, given: Play & { order: OrderRow }): Promise<void> {
  const { order, outcome } = given;
  const session =
    order.status === "unpaid"
      ? await openSession(tx, pinned, order)
      : ((await lockOpenSession(tx, order, order.id)) ?? (await findLatestSession(tx, order, order.id)));
  const money = simulatedMoney(pinned, { ...given, session });
  await settle(tx, pinned, { tenant: order, money });
  if (outcome === "duplicate_callback") await settle(tx, pinned, { tenant: order, money });
}

/** The order's open session, or one created for the simulation, without a receiving code. */
async function openSession(tx: Tx, pinned: Ctx, order: OrderRow): Promise<SessionRow> {
  const [open, last] = await pipeline(tx, (pipe) => [lockOpenSession(pipe, order, order.id), findLatestSession(pipe, order, order.id)]);
  if (open !== null) return open;
  const session = simulatedSession(pinned, { order, last });
  const created = { tenant: order, events: [sessionEvent("payment.session.created", order, session)] };
  const [made] = await pipeline(tx, (pipe) => [insertSession(pipe, session), emit(pipe, pinned, created)]);
  return made;
}
