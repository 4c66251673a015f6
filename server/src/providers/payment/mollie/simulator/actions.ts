import type { SimulatedOutcome, SimulatedRefundOutcome, SimulatorWorld } from "#gateways/index.ts";
import {
  type Account,
  type Amount,
  ApiError,
  amountOf,
  type Chargeback,
  chargebacksOf,
  type Payment,
  type Refund,
  refundsOf,
  unitsOf,
} from "./documents.ts";
import { changeTo, findPayment, readAmount, readText, sendWebhook, valuesOf } from "./payments.ts";

/** What can happen to a payment in its current state, in the order in which the page offers it. */
export function possibleOutcomes(payment: Payment, chargebacks: readonly Chargeback[]): SimulatedOutcome[] {
  if (payment.status === "open") return ["paid", "declined", "canceled", "expired", "processing", "silent", "duplicate"];
  if (payment.status === "pending") return ["paid", "declined"];
  if (payment.status !== "paid") return [];
  if (chargebacks.length === 0) return ["disputed"];
  return chargebacks.some(({ reversedAt }) => reversedAt === null) ? ["dispute_won"] : [];
}

/** Applies an outcome. Throws if it isn't possible. */
export async function simulateOn(world: SimulatorWorld, payment: Payment, outcome: SimulatedOutcome): Promise<void> {
  const chargebacks = await chargebacksOf(world, payment.id);
  if (!possibleOutcomes(payment, chargebacks).includes(outcome))
    throw new Error(`${outcome} cannot happen to a payment that is ${payment.status}`);
  const method = payment.method ?? "ideal";
  if (outcome === "paid") await changeTo(world, payment, { status: "paid", method });
  if (outcome === "silent") await changeTo(world, payment, { status: "paid", method, times: 0 });
  if (outcome === "duplicate") await changeTo(world, payment, { status: "paid", method, times: 3 });
  if (outcome === "declined") await changeTo(world, payment, { status: "failed", method });
  if (outcome === "canceled") await changeTo(world, payment, { status: "canceled", method });
  if (outcome === "expired") await changeTo(world, payment, { status: "expired" });
  if (outcome === "processing") await changeTo(world, payment, { status: "pending", method: "directdebit" });
  if (outcome === "disputed") await chargeBack(world, payment);
  if (outcome === "dispute_won") await reverse(world, payment, chargebacks);
}

async function chargeBack(world: SimulatorWorld, payment: Payment): Promise<void> {
  const { profileId, amount } = payment;
  const chargeback: Chargeback = {
    id: `chb_${world.token(10)}`,
    paymentId: payment.id,
    profileId,
    createdAt: world.now().getTime(),
    reversedAt: null,
    amount,
  };
  await world.documents.put("chargeback", chargeback.id, chargeback);
  await sendWebhook(world, payment);
}

async function reverse(world: SimulatorWorld, payment: Payment, chargebacks: readonly Chargeback[]): Promise<void> {
  for (const chargeback of chargebacks) {
    await world.documents.put("chargeback", chargeback.id, { ...chargeback, reversedAt: chargeback.reversedAt ?? world.now().getTime() });
  }
  await sendWebhook(world, payment);
}

/** The amount of a payment that was refunded or is being refunded, in its currency. */
export function refundedOf(payment: Payment, refunds: readonly Refund[]): Amount {
  const units = refunds.filter(({ status }) => status !== "failed").reduce((sum, { amount }) => sum + unitsOf(amount), 0);
  return amountOf(units, payment.amount.currency);
}

/** For how long Mollie refuses another refund of the same amount of one payment. */
const duplicateMs = 3_600_000;

export async function createRefund(
  world: SimulatorWorld,
  account: Account,
  given: { id: string; body: Record<string, unknown> },
): Promise<Refund> {
  const payment = await findPayment(world, account, given.id);
  const amount = readAmount(given.body["amount"], "amount");
  if (payment.status !== "paid")
    throw new ApiError(422, "Unprocessable Entity", { detail: "The payment cannot be refunded because it was not paid." });
  if (amount.currency !== payment.amount.currency)
    throw new ApiError(422, "Unprocessable Entity", { detail: "The currency is not the payment's.", field: "amount" });
  const refunds = await refundsOf(world, payment.id);
  if (unitsOf(refundedOf(payment, refunds)) + unitsOf(amount) > unitsOf(payment.amount)) {
    throw new ApiError(422, "Unprocessable Entity", { detail: "The specified amount cannot be refunded.", field: "amount" });
  }
  const since = world.now().getTime() - duplicateMs;
  if (refunds.some((one) => one.status !== "failed" && one.amount.value === amount.value && one.createdAt > since))
    throw new ApiError(409, "Conflict", { detail: "A duplicate refund has been detected" });
  const refund: Refund = {
    id: `re_${world.token(12)}`,
    paymentId: payment.id,
    profileId: payment.profileId,
    createdAt: world.now().getTime(),
    amount,
    description: readText(given.body["description"], "description"),
    metadata: given.body["metadata"] ?? null,
    status: "pending",
  };
  await world.documents.put("refund", refund.id, refund);
  return refund;
}

/** Decides a refund, found by any value of its metadata. */
export async function decideRefund(world: SimulatorWorld, refundReference: string, outcome: SimulatedRefundOutcome): Promise<void> {
  const all = await world.documents.list<Refund>("refund");
  const refund = all.findLast(({ metadata }) => valuesOf(metadata).includes(refundReference));
  const payment = refund === undefined ? null : await world.documents.get<Payment>("payment", refund.paymentId);
  if (refund === undefined || payment === null) throw new Error(`Mollie has no refund of ${refundReference}`);
  const steps: Refund["status"][] = outcome === "succeeded" ? ["refunded"] : outcome === "failed" ? ["failed"] : ["refunded", "failed"];
  for (const status of steps) {
    await world.documents.put("refund", refund.id, { ...refund, status });
    await sendWebhook(world, payment);
  }
}
