import type { SimulatedOutcome, SimulatorWorld } from "#gateways/index.ts";
import {
  type BalanceTransaction,
  type Charge,
  type Dispute,
  type Intent,
  keep,
  listOf,
  must,
  newThing,
  type Session,
  secondsOf,
  shown,
} from "./documents.ts";
import { emit, record, send } from "./events.ts";
import { expire } from "./sessions.ts";

/** What can happen to a payment in its current state, in the order in which the page offers it. */
export function possibleOutcomes(session: Session, charge: Charge | null, dispute: Dispute | null): SimulatedOutcome[] {
  if (session.status === "open") return ["paid", "declined", "canceled", "expired", "processing", "silent", "duplicate", "out_of_order"];
  if (charge === null || session.status === "expired") return [];
  if (charge.status === "pending") return ["paid", "declined"];
  if (charge.status !== "succeeded") return [];
  if (dispute === null) return ["disputed"];
  return dispute.status === "needs_response" ? ["dispute_won", "dispute_lost"] : [];
}

/** The objects of a payment in addition to its session. */
export async function moneyOf(
  world: SimulatorWorld,
  session: Session,
): Promise<{ intent: Intent | null; charge: Charge | null; dispute: Dispute | null }> {
  if (session.payment_intent === null) return { intent: null, charge: null, dispute: null };
  const { owner } = session;
  const intent = await must(world, { kind: "payment_intent", owner, id: session.payment_intent });
  const charge = intent.latest_charge === null ? null : await must(world, { kind: "charge", owner, id: intent.latest_charge });
  const dispute = charge === null ? undefined : (await listOf(world, "dispute", owner)).find((one) => one.charge === charge.id);
  return { intent, charge, dispute: dispute ?? null };
}

/** Applies an outcome. Throws if it isn't possible. */
export async function simulateOn(world: SimulatorWorld, session: Session, outcome: SimulatedOutcome): Promise<void> {
  const { charge, dispute } = await moneyOf(world, session);
  if (!possibleOutcomes(session, charge, dispute).includes(outcome))
    throw new Error(`${outcome} cannot happen to a Checkout Session that is ${session.status}`);
  if (session.status === "open") return simulateOpen(world, session, outcome);
  if (charge?.status === "pending") return outcome === "paid" ? settleLate(world, session, charge) : failLate(world, session, charge);
  if (outcome === "disputed" && charge !== null) return openDispute(world, session, charge);
  if (dispute !== null) return closeDispute(world, { session, dispute, isWon: outcome === "dispute_won" });
}

async function simulateOpen(world: SimulatorWorld, session: Session, outcome: SimulatedOutcome): Promise<void> {
  if (outcome === "canceled") return;
  if (outcome === "expired") return void (await expire(world, session));
  if (outcome === "declined") return decline(world, session);
  const reference = session.client_reference_id;
  if (outcome === "processing" || outcome === "out_of_order") {
    const { complete, charge } = await approve(world, session, "sepa_debit");
    const approved = await record(world, { type: "checkout.session.completed", thing: complete, reference });
    if (outcome === "out_of_order") await settleLate(world, complete, charge);
    return send(world, approved);
  }
  const { complete, charge } = await approve(world, session, "card");
  const paid = await succeed(world, complete, charge);
  const event = await record(world, { type: "checkout.session.completed", thing: paid, reference });
  const times = outcome === "silent" ? 0 : outcome === "duplicate" ? 3 : 1;
  for (let time = 0; time < times; time += 1) await send(world, event);
}

async function newIntent(world: SimulatorWorld, session: Session): Promise<Intent> {
  const { intent } = await moneyOf(world, session);
  if (intent !== null) return intent;
  return {
    ...newThing(world, session.owner, { object: "payment_intent", prefix: "pi" }),
    status: "requires_payment_method",
    amount: session.amount_total,
    amount_received: 0,
    currency: session.currency,
    description: session.hidden.intentDescription,
    latest_charge: null,
    last_payment_error: null,
    metadata: session.hidden.intentMetadata,
  };
}

/** The card was declined: the buyer may try again on the same page. */
async function decline(world: SimulatorWorld, session: Session): Promise<void> {
  const error = {
    code: "card_declined",
    decline_code: "insufficient_funds",
    message: "Your card has insufficient funds.",
    type: "card_error",
  } as const;
  const intent = await keep(world, { ...(await newIntent(world, session)), last_payment_error: error });
  await keep(world, { ...session, payment_intent: intent.id });
}

/** The buyer is done. A card's money arrives at once; a bank's direct debit is decided later. */
async function approve(
  world: SimulatorWorld,
  session: Session,
  type: "card" | "sepa_debit",
): Promise<{ complete: Session; charge: Charge }> {
  const intent = await newIntent(world, session);
  const charge: Charge = await keep(world, {
    ...newThing(world, session.owner, { object: "charge", prefix: type === "card" ? "ch" : "py" }),
    status: "pending",
    amount: session.amount_total,
    amount_captured: session.amount_total,
    amount_refunded: 0,
    currency: session.currency,
    paid: false,
    refunded: false,
    disputed: false,
    payment_intent: intent.id,
    balance_transaction: null,
    payment_method_details: { type },
    metadata: intent.metadata,
  });
  await keep(world, { ...intent, status: "processing", last_payment_error: null, latest_charge: charge.id });
  const complete = await keep(world, { ...session, status: "complete", url: null, payment_intent: intent.id });
  return { complete, charge };
}

async function succeed(world: SimulatorWorld, session: Session, charge: Charge): Promise<Session> {
  const type = charge.payment_method_details.type === "card" ? "charge" : "payment";
  const fee = Math.round(charge.amount * 0.029) + 30;
  const transaction = await keep(world, balanceOf(world, charge, { type, amount: charge.amount, fee, source: charge.id }));
  await keep(world, { ...charge, status: "succeeded", paid: true, balance_transaction: transaction.id });
  const intent = await must(world, { kind: "payment_intent", owner: session.owner, id: session.payment_intent });
  await keep(world, { ...intent, status: "succeeded", amount_received: intent.amount });
  return keep(world, { ...session, payment_status: "paid" });
}

async function settleLate(world: SimulatorWorld, session: Session, charge: Charge): Promise<void> {
  const paid = await succeed(world, session, charge);
  await emit(world, { type: "checkout.session.async_payment_succeeded", thing: paid, reference: paid.client_reference_id });
}

async function failLate(world: SimulatorWorld, session: Session, charge: Charge): Promise<void> {
  await keep(world, { ...charge, status: "failed" });
  const intent = await must(world, { kind: "payment_intent", owner: session.owner, id: session.payment_intent });
  const error = {
    code: "payment_intent_payment_attempt_failed",
    message: "The bank returned the debit.",
    type: "card_error",
  } as const;
  await keep(world, { ...intent, status: "requires_payment_method", last_payment_error: error });
  await emit(world, { type: "checkout.session.async_payment_failed", thing: session, reference: session.client_reference_id });
}

/** A transaction of the account's balance. */
export function balanceOf(
  world: SimulatorWorld,
  about: { owner: string; currency: string },
  given: { type: string; amount: number; fee: number; source: string },
): BalanceTransaction {
  return {
    ...newThing(world, about.owner, { object: "balance_transaction", prefix: "txn" }),
    ...given,
    fee_details:
      given.fee === 0 ? [] : [{ amount: given.fee, application: null, currency: about.currency, description: null, type: "stripe_fee" }],
    net: given.amount - given.fee,
    currency: about.currency,
    reporting_category: given.type === "payment" ? "charge" : given.type,
    status: "pending",
    available_on: secondsOf(world) + 7 * 86_400,
  };
}

/** The bank takes the money back, plus a fee, until it has decided. */
async function openDispute(world: SimulatorWorld, session: Session, charge: Charge): Promise<void> {
  const thing = newThing(world, session.owner, { object: "dispute", prefix: "du" });
  const withdrawn = await keep(
    world,
    balanceOf(world, charge, { type: "adjustment", amount: -charge.amount, fee: 1_500, source: thing.id }),
  );
  const dispute: Dispute = await keep(world, {
    ...thing,
    status: "needs_response",
    amount: charge.amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: "product_not_received",
    balance_transactions: [shown(withdrawn)],
    metadata: {},
  });
  await keep(world, { ...charge, disputed: true });
  const reference = session.client_reference_id;
  await emit(world, { type: "charge.dispute.created", thing: dispute, reference });
  await emit(world, { type: "charge.dispute.funds_withdrawn", thing: dispute, reference });
}

async function closeDispute(world: SimulatorWorld, given: { session: Session; dispute: Dispute; isWon: boolean }): Promise<void> {
  const { session, dispute, isWon } = given;
  const reference = session.client_reference_id;
  const closed = await keep(world, { ...dispute, status: isWon ? "won" : "lost" });
  await emit(world, { type: "charge.dispute.closed", thing: closed, reference });
  if (!isWon) return;
  const returned = await keep(world, balanceOf(world, dispute, { type: "adjustment", amount: dispute.amount, fee: 0, source: dispute.id }));
  const balance_transactions = [...dispute.balance_transactions, shown(returned)];
  const reinstated = await keep(world, { ...closed, balance_transactions });
  await emit(world, { type: "charge.dispute.funds_reinstated", thing: reinstated, reference });
}
