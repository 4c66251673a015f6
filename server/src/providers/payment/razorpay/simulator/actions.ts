import type { SimulatedOutcome, SimulatorWorld } from "#gateways/index.ts";
import { sendPayment, sendWebhook } from "./events.ts";
import { endLink } from "./links.ts";
import { refundUncaptured } from "./refunds.ts";
import { type Link, type Payment, putLink, seconds, takenOf } from "./shapes.ts";
import { disputeView, paymentView } from "./views.ts";

/** What a buyer, a bank or Razorpay can do with a link. It can only be paid in full, and not with more. */
export const outcomes = [
  "paid",
  "declined",
  "canceled",
  "expired",
  "processing",
  "auto_refunded",
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
  if (outcome === undefined) throw new Error(`Razorpay lets nobody do that: ${name}`);
  return outcome;
}

const disputes: readonly Outcome[] = ["disputed", "dispute_won", "dispute_lost"];

/** What can happen to a link in its current state, for its page. */
export function possibleOutcomes(link: Link): readonly Outcome[] {
  if (takenOf(link) !== undefined)
    return link.dispute === null ? ["disputed"] : link.dispute.status === "open" ? ["dispute_won", "dispute_lost"] : [];
  if (link.payments.some(({ status }) => status === "authorized")) return ["paid", "declined", "auto_refunded"];
  return link.status === "created" ? outcomes.filter((outcome) => !disputes.includes(outcome)) : ["late"];
}

const actions: Readonly<Record<Outcome, (world: SimulatorWorld, link: Link) => Promise<void>>> = {
  paid: (world, link) => pay(world, link, "captured"),
  silent: (world, link) => pay(world, { ...link, delivery: "silent" }, "captured"),
  duplicate: (world, link) => pay(world, { ...link, delivery: "duplicate" }, "captured"),
  out_of_order: (world, link) => pay(world, { ...link, delivery: "out_of_order" }, "captured"),
  processing: (world, link) => pay(world, link, "authorized"),
  declined: (world, link) => pay(world, link, "failed"),
  async auto_refunded(world, link) {
    await pay(world, link, "authorized");
    await refundUncaptured(world, link);
  },
  async late(world, link) {
    // The buyer paid in time, but the bank confirms after the link has ended: it stays ended.
    if (link.status === "created") await endLink(world, link, "expired");
    await pay(world, link, "captured");
  },
  canceled: (world, link) => end(world, link, "cancelled"),
  expired: (world, link) => end(world, link, "expired"),
  disputed: (world, link) => dispute(world, link),
  dispute_won: (world, link) => decideDispute(world, link, "won"),
  dispute_lost: (world, link) => decideDispute(world, link, "lost"),
};

/** Applies an outcome to a link. Throws if the link has ended unpaid: its page no longer takes payments, but a bank may confirm late. */
export async function simulate(world: SimulatorWorld, link: Link, outcome: Outcome): Promise<void> {
  const hasEnded = link.status !== "created" && link.payments.every(({ status }) => status === "failed");
  if (hasEnded && outcome !== "late") throw new Error(`${outcome} cannot happen to a payment link that is ${link.status}`);
  await actions[outcome](world, link);
}

async function pay(world: SimulatorWorld, link: Link, status: Payment["status"]): Promise<void> {
  if (takenOf(link) !== undefined) return;
  const waiting = link.payments.find((one) => one.status === "authorized");
  const payment = waiting ?? { id: `pay_${world.token(14)}`, status, createdAt: seconds(world), refunds: [] };
  if (waiting === undefined) link.payments.push(payment);
  payment.status = status;
  if (status === "captured" && link.status === "created")
    Object.assign(link, { status: "paid", endedAt: seconds(world) } satisfies Partial<Link>);
  await putLink(world, link);
  await world.documents.put("payment", payment.id, { link: link.id });
  await sendPayment(world, link, payment);
}

async function end(world: SimulatorWorld, link: Link, status: "cancelled" | "expired"): Promise<void> {
  if (link.status === "created") await endLink(world, link, status);
}

async function dispute(world: SimulatorWorld, link: Link): Promise<void> {
  if (takenOf(link) === undefined) throw new Error("Razorpay took no money that could be disputed");
  if (link.dispute !== null) return;
  link.dispute = { id: `disp_${world.token(14)}`, status: "open", createdAt: seconds(world) };
  await sendDispute(world, link, "created");
}

async function decideDispute(world: SimulatorWorld, link: Link, status: "won" | "lost"): Promise<void> {
  await dispute(world, link);
  if (link.dispute === null) return;
  link.dispute.status = status;
  await sendDispute(world, link, status);
}

async function sendDispute(world: SimulatorWorld, link: Link, what: string): Promise<void> {
  const payment = takenOf(link);
  if (payment === undefined || link.dispute === null) return;
  await putLink(world, link);
  await sendWebhook(world, link, {
    type: `payment.dispute.${what}`,
    entities: { payment: paymentView(link, payment), dispute: disputeView(link, link.dispute) },
  });
}
