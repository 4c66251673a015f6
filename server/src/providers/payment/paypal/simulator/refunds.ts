import type { SimulatorWorld } from "#gateways/index.ts";
import { sendWebhook } from "./events.ts";
import { type Api, findOrder, readMoney, text, unitsLeft } from "./orders.ts";
import { type Account, makeId, moneyOf, type Order, putOrder, type Refund, Refused, stamp, unitsOf } from "./shapes.ts";
import { captureView, refundView } from "./views.ts";

const day = 86_400_000;
const requestIdDays = 45;
const refundDays = 180;

/** POST /v2/payments/captures/{id}/refund */
export async function createRefund(api: Api, captureId: string): Promise<Response> {
  const { world, account, request } = api;
  const order = await orderOf(world, account, { kind: "capture", id: captureId });
  const requestId = request.headers.get("paypal-request-id");
  const memory = `${account.name} refund ${requestId}`;
  const before = requestId === null ? null : await world.documents.get<{ id: string; at: number }>("request", memory);
  if (before !== null && world.now().getTime() - before.at < requestIdDays * day) {
    return answer(api, await orderOf(world, account, { kind: "refund", id: before.id }), { id: before.id, status: 200 });
  }
  const refund = readRefund(api, order);
  order.refunds.push(refund);
  settle(world, order);
  await putOrder(world, order);
  await world.documents.put("refund", refund.id, { order: order.id });
  await world.documents.put("request", memory, { id: refund.id, at: world.now().getTime() });
  if (refund.invoiceId !== null) await world.documents.put("refund reference", refund.invoiceId, { order: order.id, refund: refund.id });
  if (refund.status === "COMPLETED") await sendRefund(world, order, refund);
  return answer(api, order, { id: refund.id, status: 201 });
}

function readRefund({ world, body }: Api, order: Order): Refund {
  const { capture, amount: paid } = order;
  if (capture === null || capture.status === "PENDING") throw new Refused(422, "PENDING_CAPTURE");
  if (capture.status === "DECLINED") throw new Refused(422, "REFUND_NOT_ALLOWED");
  if (world.now().getTime() - Date.parse(capture.createTime) > refundDays * day) throw new Refused(422, "REFUND_TIME_LIMIT_EXCEEDED");
  const left = unitsLeft(order);
  const amount = body["amount"] === undefined ? moneyOf(left, paid.currency_code) : readMoney(body["amount"]);
  if (amount.currency_code !== paid.currency_code) throw new Refused(422, "REFUND_CAPTURE_CURRENCY_MISMATCH");
  if (left === 0) throw new Refused(422, "CAPTURE_FULLY_REFUNDED");
  if (unitsOf(amount) > left) throw new Refused(422, "REFUND_AMOUNT_EXCEEDED");
  const invoiceId = text(body["invoice_id"], 127);
  if (invoiceId !== null && order.refunds.some((one) => one.invoiceId === invoiceId)) throw new Refused(422, "DUPLICATE_INVOICE_ID");
  return {
    id: makeId(world),
    // A bank transfer is refunded by bank transfer, which is pending at first.
    status: order.instrument === "slow" ? "PENDING" : "COMPLETED",
    amount,
    invoiceId,
    customId: text(body["custom_id"], 127),
    note: text(body["note_to_payer"], 255),
    createTime: stamp(world),
  };
}

/** Updates the capture's state from what was refunded. */
function settle(world: SimulatorWorld, order: Order): void {
  if (order.capture === null) return;
  const left = unitsLeft(order);
  order.capture.status = left === 0 ? "REFUNDED" : left < unitsOf(order.amount) ? "PARTIALLY_REFUNDED" : "COMPLETED";
  order.capture.updateTime = stamp(world);
}

function sendRefund(world: SimulatorWorld, order: Order, refund: Refund): Promise<void> {
  return sendWebhook(world, order, {
    type: "PAYMENT.CAPTURE.REFUNDED",
    resourceType: "refund",
    summary: `A ${refund.amount.value} ${refund.amount.currency_code} capture payment was refunded`,
    resource: refundView(world, order, refund),
  });
}

/** Decides a pending refund, or reverses one that was paid out. */
export async function decideRefund(world: SimulatorWorld, refundReference: string, status: "COMPLETED" | "FAILED"): Promise<void> {
  const known = await world.documents.get<{ order: string; refund: string }>("refund reference", refundReference);
  const order = known === null ? null : await world.documents.get<Order>("order", known.order);
  const refund = order?.refunds.find(({ id }) => id === known?.refund);
  if (order === null || refund === undefined) throw new Error(`PayPal has no refund ${refundReference}`);
  const isNews = refund.status !== status && status === "COMPLETED";
  refund.status = status;
  settle(world, order);
  await putOrder(world, order);
  if (isNews) await sendRefund(world, order, refund);
}

/** GET /v2/payments/refunds/{id} */
export async function showRefund(api: Api, id: string): Promise<Response> {
  return answer(api, await orderOf(api.world, api.account, { kind: "refund", id }), { id, status: 200 });
}

/** GET /v2/payments/captures/{id} */
export async function showCapture({ world, account }: Api, id: string): Promise<Response> {
  return Response.json(captureView(world, await orderOf(world, account, { kind: "capture", id })));
}

function answer({ world }: Api, order: Order, { id, status }: { id: string; status: number }): Response {
  const refund = order.refunds.find((one) => one.id === id);
  if (refund === undefined) throw new Refused(404, "INVALID_RESOURCE_ID");
  return Response.json(refundView(world, order, refund), { status });
}

async function orderOf(world: SimulatorWorld, account: Account, { kind, id }: { kind: "capture" | "refund"; id: string }): Promise<Order> {
  const known = await world.documents.get<{ order: string }>(kind, id);
  if (known === null) throw new Refused(404, "INVALID_RESOURCE_ID");
  return findOrder(world, account, known.order);
}
