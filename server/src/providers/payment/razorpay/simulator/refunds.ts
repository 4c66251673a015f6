import type { SimulatorWorld } from "#gateways/index.ts";
import { sendWebhook } from "./events.ts";
import { type Api, readNotes, textOf } from "./links.ts";
import { type Account, chargedOf, type Link, type Payment, putLink, type Refund, Refused, refundedOf, seconds } from "./shapes.ts";
import { paymentView, refundView } from "./views.ts";

const halfYear = 15_811_200;

interface Paid {
  link: Link;
  payment: Payment;
}

/** GET /v1/payments/{id} */
export async function showPayment({ world, account }: Api, id: string): Promise<Response> {
  const { link, payment } = await findPayment(world, account, id);
  return Response.json(paymentView(link, payment));
}

/** POST /v1/payments/{id}/refund */
export async function createRefund(api: Api, paymentId: string): Promise<Response> {
  const { world, account, request, text } = api;
  const paid = await findPayment(world, account, paymentId);
  const key = request.headers.get("x-refund-idempotency");
  if (key !== null && !/^[A-Za-z0-9_-]{10,}$/.test(key)) throw new Refused(400, "The idempotency key is invalid.");
  const before =
    key === null ? null : await world.documents.get<{ refund: string; text: string }>("refund request", `${account.name} ${key}`);
  if (before !== null) {
    if (before.text !== `${paymentId} ${text}`)
      throw new Refused(400, "Different request with the same idempotency key has already been processed.");
    return answer(paid, before.refund);
  }
  const refund = readRefund(api, paid);
  paid.payment.refunds.push(refund);
  await putLink(world, paid.link);
  await world.documents.put("refund", refund.id, { payment: paymentId });
  if (refund.receipt !== null) await world.documents.put("receipt", refund.receipt, { link: paid.link.id, refund: refund.id });
  if (key !== null)
    await world.documents.put("refund request", `${account.name} ${key}`, { refund: refund.id, text: `${paymentId} ${text}` });
  await sendRefund(world, paid, { refund, what: "created" });
  return answer(paid, refund.id);
}

/** Reads a refund from a request. A refund takes Razorpay a second, in which it makes no other one of the payment. */
function readRefund({ world, body }: Api, { link, payment }: Paid): Refund {
  if (payment.status !== "captured") throw new Refused(400, "The payment status should be captured for action to be taken");
  if (seconds(world) - payment.createdAt > halfYear)
    throw new Refused(400, "Refund is not supported for payments that are more than 6 months old");
  if (payment.refunds.some(({ createdAt }) => createdAt === seconds(world)))
    throw new Refused(400, "Request failed because another payment operation is in progress.");
  const receipt = textOf(body["receipt"], 40);
  if (receipt !== null && payment.refunds.some((one) => one.receipt === receipt))
    throw new Refused(400, "Duplicate receipt found for this refund request.");
  const left = chargedOf(link) - refundedOf(payment);
  const amount = body["amount"] ?? left;
  if (typeof amount !== "number" || !Number.isSafeInteger(amount)) throw new Refused(400, "The amount must be an integer.");
  if (left === 0) throw new Refused(400, "The payment has been fully refunded already");
  if (amount < 100) throw new Refused(400, "The amount must be atleast INR 1.00");
  if (amount > left) throw new Refused(400, "The refund amount provided is greater than amount captured");
  return {
    id: `rfnd_${world.token(14)}`,
    amount,
    receipt,
    notes: readNotes(body["notes"]),
    status: "pending",
    createdAt: seconds(world),
  };
}

/** Razorpay refunds the payment of a link that was authorized and not captured in time. */
export async function refundUncaptured(world: SimulatorWorld, link: Link): Promise<void> {
  const payment = link.payments.find(({ status }) => status === "authorized");
  if (payment === undefined) return;
  const refund: Refund = {
    id: `rfnd_${world.token(14)}`,
    amount: chargedOf(link),
    receipt: null,
    notes: {},
    status: "processed",
    createdAt: seconds(world),
  };
  payment.status = "refunded";
  payment.refunds.push(refund);
  await putLink(world, link);
  await world.documents.put("refund", refund.id, { payment: payment.id });
  await sendRefund(world, { link, payment }, { refund, what: "created" });
  await sendRefund(world, { link, payment }, { refund, what: "processed" });
}

/** GET /v1/payments/{id}/refunds: the newest ten by default; the request can set how many, and how many to skip. */
export async function listRefunds({ world, account, request }: Api, paymentId: string): Promise<Response> {
  const { link, payment } = await findPayment(world, account, paymentId);
  const { searchParams } = new URL(request.url);
  const [count, skip] = [Math.min(100, Number(searchParams.get("count") ?? 10)), Number(searchParams.get("skip") ?? 0)];
  const items = payment.refunds
    .toReversed()
    .slice(skip, skip + count)
    .map((refund) => refundView(link, payment, refund));
  return Response.json({ entity: "collection", count: items.length, items });
}

/** GET /v1/refunds/{id} */
export async function showRefund({ world, account }: Api, id: string): Promise<Response> {
  const known = await world.documents.get<{ payment: string }>("refund", id);
  if (known === null) throw new Refused(400, "The id provided does not exist");
  return answer(await findPayment(world, account, known.payment), id);
}

/** Decides a pending refund, or reverses one that was paid out. */
export async function decideRefund(world: SimulatorWorld, receipt: string, status: "processed" | "failed"): Promise<void> {
  const known = await world.documents.get<{ link: string; refund: string }>("receipt", receipt);
  const link = known === null ? null : await world.documents.get<Link>("link", known.link);
  const payment = link?.payments.find(({ refunds }) => refunds.some(({ id }) => id === known?.refund));
  const refund = payment?.refunds.find(({ id }) => id === known?.refund);
  if (link === null || payment === undefined || refund === undefined) throw new Error(`Razorpay has no refund ${receipt}`);
  if (refund.status === status) return;
  refund.status = status;
  await putLink(world, link);
  await sendRefund(world, { link, payment }, { refund, what: status });
}

function sendRefund(world: SimulatorWorld, { link, payment }: Paid, { refund, what }: { refund: Refund; what: string }): Promise<void> {
  return sendWebhook(world, link, {
    type: `refund.${what}`,
    entities: { refund: refundView(link, payment, refund), payment: paymentView(link, payment) },
  });
}

function answer({ link, payment }: Paid, refundId: string): Response {
  const refund = payment.refunds.find(({ id }) => id === refundId);
  if (refund === undefined) throw new Refused(400, "The id provided does not exist");
  return Response.json(refundView(link, payment, refund));
}

async function findPayment(world: SimulatorWorld, account: Account, id: string): Promise<Paid> {
  const known = await world.documents.get<{ link: string }>("payment", id);
  const link = known === null ? null : await world.documents.get<Link>("link", known.link);
  const payment = link?.payments.find((one) => one.id === id);
  if (link === null || payment === undefined || link.account !== account.name) throw new Refused(400, `${id} is not a valid id`);
  return { link, payment };
}
