import type { SimulatedRefundOutcome, SimulatorWorld } from "#gateways/index.ts";
import { balanceOf } from "./actions.ts";
import { ApiError, noSuch } from "./answers.ts";
import { type Account, type Charge, find, keep, listOf, must, newThing, type Refund } from "./documents.ts";
import { emit } from "./events.ts";
import { type Form, numberAt, textAt, textsAt } from "./form.ts";

/** A card refund is immediate; a bank refund stays pending until an act decides it. */
export async function createRefund(world: SimulatorWorld, account: Account, form: Form): Promise<Refund> {
  const charge = await refundedCharge(world, account.id, form);
  const rest = charge.amount - charge.amount_refunded;
  const amount = textAt(form, "amount") === null ? rest : numberAt(form, "amount");
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new ApiError(400, "Invalid positive integer", { param: "amount", code: "parameter_invalid_integer", isBefore: true });
  if (charge.disputed)
    throw new ApiError(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
  if (rest === 0) throw new ApiError(400, `Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount > rest)
    throw new ApiError(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${rest})`, { param: "amount" });
  const isCard = charge.payment_method_details.type === "card";
  const thing = newThing(world, account.id, { object: "refund", prefix: "re" });
  const type = isCard ? "refund" : "payment_refund";
  const transaction = await keep(world, balanceOf(world, charge, { type, amount: -amount, fee: 0, source: thing.id }));
  const refund: Refund = await keep(world, {
    ...thing,
    status: isCard ? "succeeded" : "pending",
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    balance_transaction: transaction.id,
    reason: textAt(form, "reason"),
    metadata: textsAt(form, "metadata"),
  });
  const left = await keep(world, refundedBy(charge, amount));
  const reference = await referenceOf(world, refund);
  await emit(world, { type: "refund.created", thing: refund, reference });
  await emit(world, { type: "charge.refunded", thing: left, reference });
  return refund;
}

async function refundedCharge(world: SimulatorWorld, owner: string, form: Form): Promise<Charge> {
  const intentId = textAt(form, "payment_intent");
  const chargeId = textAt(form, "charge");
  if (intentId === null && chargeId === null)
    throw new ApiError(400, "One of the following params should be provided: payment_intent or charge.", { isBefore: true });
  const intent = intentId === null ? null : await find(world, { kind: "payment_intent", owner, id: intentId });
  if (intentId !== null && intent === null) throw noSuch("payment_intent", intentId, "payment_intent");
  const id = intent === null ? chargeId : intent.latest_charge;
  const charge = id === null ? null : await find(world, { kind: "charge", owner, id });
  if (charge === null && intent === null) throw noSuch("charge", chargeId ?? "", "charge");
  if (charge?.status !== "succeeded") {
    throw new ApiError(400, "This PaymentIntent does not have a successful charge to refund.", {
      param: "payment_intent",
      code: "payment_intent_unexpected_state",
    });
  }
  return charge;
}

function refundedBy(charge: Charge, amount: number): Charge {
  const amount_refunded = charge.amount_refunded + amount;
  return { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
}

async function referenceOf(world: SimulatorWorld, { owner, payment_intent }: Refund): Promise<string | null> {
  const sessions = await listOf(world, "checkout.session", owner);
  return sessions.find((session) => session.payment_intent === payment_intent)?.client_reference_id ?? null;
}

/** Decides a refund, found by any value of its metadata. */
export async function decideRefund(world: SimulatorWorld, refundReference: string, outcome: SimulatedRefundOutcome): Promise<void> {
  const all = await listOf(world, "refund", null);
  const refund = all.findLast(({ metadata }) => Object.values(metadata).includes(refundReference));
  if (refund === undefined) throw new Error(`Stripe has no refund of ${refundReference}`);
  const reference = await referenceOf(world, refund);
  if (refund.status === "failed") throw new Error("the refund has failed already");
  if (refund.status === "pending" && outcome !== "failed") {
    await emit(world, { type: "refund.updated", thing: await keep(world, { ...refund, status: "succeeded" }), reference });
  }
  if (outcome === "succeeded") return;
  const charge = await must(world, { kind: "charge", owner: refund.owner, id: refund.charge });
  await keep(world, refundedBy(charge, -refund.amount));
  await keep(world, balanceOf(world, refund, { type: "refund_failure", amount: refund.amount, fee: 0, source: refund.id }));
  const failed = await keep(world, { ...refund, status: "failed", failure_reason: "lost_or_stolen_card" });
  await emit(world, { type: "refund.failed", thing: failed, reference });
}
