import type { SimulatedOutcome, SimulatorWorld } from "#gateways/index.ts";
import { sendWebhook } from "./events.ts";
import { sendCapture } from "./orders.ts";
import { findAccount, makeId, type Order, putOrder, stamp } from "./shapes.ts";
import { disputeView, orderView } from "./views.ts";

/** Possible actions of a buyer, a bank or PayPal on an order. Only the order's amount can be paid. */
export const outcomes = [
  "paid",
  "declined",
  "canceled",
  "processing",
  "late",
  "silent",
  "duplicate",
  "out_of_order",
  "disputed",
  "dispute_won",
  "dispute_lost",
] as const satisfies readonly SimulatedOutcome[];

type Outcome = (typeof outcomes)[number];

/** Throws if it isn't one of `outcomes`. */
export function readOutcome(name: string): Outcome {
  const outcome = outcomes.find((one) => one === name);
  if (outcome === undefined) throw new Error(`PayPal lets nobody do that: ${name}`);
  return outcome;
}

const disputes: readonly Outcome[] = ["disputed", "dispute_won", "dispute_lost"];

/** What can happen to an order in its current state, for its page. */
export function possibleOutcomes({ status, capture, dispute }: Order): readonly Outcome[] {
  if (capture?.status === "PENDING") return ["paid", "declined"];
  if (capture !== null) return dispute === null ? ["disputed"] : dispute.status === "RESOLVED" ? [] : ["dispute_won", "dispute_lost"];
  return status === "PAYER_ACTION_REQUIRED" ? outcomes.filter((outcome) => !disputes.includes(outcome)) : [];
}

const actions: Readonly<Record<Outcome, (world: SimulatorWorld, order: Order) => Promise<void>>> = {
  paid: (world, order) => pay(world, order, {}),
  // An order doesn't expire while its page is open: a late buyer approves it like any other.
  late: (world, order) => pay(world, order, {}),
  silent: (world, order) => pay(world, order, { delivery: "silent" }),
  duplicate: (world, order) => pay(world, order, { delivery: "duplicate" }),
  out_of_order: (world, order) => pay(world, order, { delivery: "out_of_order" }),
  processing: (world, order) => pay(world, order, { instrument: "slow" }),
  declined: decline,
  // The buyer goes back to the shop, and may return to the order.
  canceled: async () => {},
  disputed: dispute,
  dispute_won: (world, order) => decideDispute(world, order, "RESOLVED_SELLER_FAVOUR"),
  dispute_lost: (world, order) => decideDispute(world, order, "RESOLVED_BUYER_FAVOUR"),
};

/** Applies an outcome to an order. */
export async function simulate(world: SimulatorWorld, order: Order, outcome: Outcome): Promise<void> {
  await actions[outcome](world, order);
}

/** The buyer approves the order, or the bank sends the money of a pending one. */
async function pay(world: SimulatorWorld, order: Order, changes: Partial<Pick<Order, "delivery" | "instrument">>): Promise<void> {
  if (order.capture?.status === "PENDING") {
    order.capture.status = "COMPLETED";
    order.capture.updateTime = stamp(world);
    return sendCapture(world, order);
  }
  if (order.status !== "PAYER_ACTION_REQUIRED") return;
  Object.assign(order, { status: "APPROVED", instrument: "good", updateTime: stamp(world), ...changes } satisfies Partial<Order>);
  await putOrder(world, order);
  await sendWebhook(world, order, {
    type: "CHECKOUT.ORDER.APPROVED",
    resourceType: "checkout-order",
    summary: "An order has been approved by buyer",
    resource: orderView(world, order, await findAccount(world, order.account)),
  });
}

async function decline(world: SimulatorWorld, order: Order): Promise<void> {
  if (order.capture?.status === "PENDING") {
    order.capture.status = "DECLINED";
    order.capture.updateTime = stamp(world);
    return sendCapture(world, order);
  }
  if (order.capture === null) await putOrder(world, { ...order, status: "PAYER_ACTION_REQUIRED", instrument: "declined" });
}

async function dispute(world: SimulatorWorld, order: Order): Promise<void> {
  if (order.capture === null) throw new Error("PayPal took no money that could be disputed");
  if (order.dispute !== null) return;
  order.dispute = {
    id: `PP-D-${makeId(world)}`,
    status: "WAITING_FOR_SELLER_RESPONSE",
    outcome: null,
    createTime: stamp(world),
    updateTime: stamp(world),
  };
  await world.documents.put("dispute", order.dispute.id, { order: order.id });
  await sendDispute(world, order, "CREATED");
}

async function decideDispute(
  world: SimulatorWorld,
  order: Order,
  outcome: "RESOLVED_SELLER_FAVOUR" | "RESOLVED_BUYER_FAVOUR",
): Promise<void> {
  await dispute(world, order);
  if (order.dispute === null) return;
  Object.assign(order.dispute, { status: "RESOLVED", outcome, updateTime: stamp(world) } satisfies Partial<Order["dispute"]>);
  await sendDispute(world, order, "RESOLVED");
}

async function sendDispute(world: SimulatorWorld, order: Order, what: "CREATED" | "RESOLVED"): Promise<void> {
  if (order.dispute === null) return;
  await putOrder(world, order);
  await sendWebhook(world, order, {
    type: `CUSTOMER.DISPUTE.${what}`,
    resourceType: "dispute",
    summary: what === "CREATED" ? "A new dispute opened" : "A dispute was resolved",
    resource: disputeView(order, order.dispute, await findAccount(world, order.account)),
  });
}
