import type { SimulatorWorld } from "#gateways/index.ts";
import { sendWebhook } from "./events.ts";
import { type Account, isWhole, type Money, makeId, type Order, putOrder, Refused, stamp, unitsOf } from "./shapes.ts";
import { captureView, orderLinks, orderView } from "./views.ts";

const hour = 3_600_000;
const unapprovedHours = 3;
const requestIdHours = 6;
const currencies = new Set("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD".split(" "));

export interface Api {
  world: SimulatorWorld;
  account: Account;
  request: Request;
  /** The JSON body. */
  body: Record<string, unknown>;
}

/** POST /v2/checkout/orders */
export async function createOrder(api: Api): Promise<Response> {
  const { world, account, request } = api;
  const requestId = request.headers.get("paypal-request-id");
  if (requestId === null) throw new Refused(400, "PAYPAL_REQUEST_ID_REQUIRED");
  const memory = `${account.name} order ${requestId}`;
  const before = await world.documents.get<{ id: string; at: number }>("request", memory);
  if (before !== null && world.now().getTime() - before.at < requestIdHours * hour)
    return answer(api, await findOrder(world, account, before.id), 200);
  const order = readOrder(api);
  await putOrder(world, order);
  await world.documents.put("request", memory, { id: order.id, at: world.now().getTime() });
  if (order.invoiceId !== null) await world.documents.put("reference", order.invoiceId, { order: order.id });
  return answer(api, order, 201);
}

function answer({ world, account, request }: Api, order: Order, status: number): Response {
  const isWholeView = request.headers.get("prefer") === "return=representation";
  return Response.json(
    isWholeView ? orderView(world, order, account) : { id: order.id, status: order.status, links: orderLinks(world, order) },
    { status },
  );
}

function readOrder({ world, account, body }: Api): Order {
  const unit = record(list(body["purchase_units"])[0]);
  const context = record(record(record(body["payment_source"])["paypal"])["experience_context"]);
  if (body["intent"] !== "CAPTURE" || list(body["purchase_units"]).length !== 1) throw new Refused(422, "UNSUPPORTED_INTENT");
  const locale = text(context["locale"], 10);
  if (locale !== null && !/^[a-z]{2}-[A-Z]{2}$/.test(locale)) throw new Refused(400, "INVALID_PARAMETER_SYNTAX");
  const [returnUrl, cancelUrl] = [text(context["return_url"], 4_000), text(context["cancel_url"], 4_000)];
  if (returnUrl === null || cancelUrl === null) throw new Refused(400, "MISSING_REQUIRED_PARAMETER");
  return {
    id: makeId(world),
    account: account.name,
    status: "PAYER_ACTION_REQUIRED",
    customId: text(unit["custom_id"], 127),
    invoiceId: text(unit["invoice_id"], 127),
    description: text(unit["description"], 127) ?? "",
    amount: readMoney(unit["amount"]),
    returnUrl,
    cancelUrl,
    createTime: stamp(world),
    updateTime: stamp(world),
    instrument: "good",
    delivery: "usual",
    capture: null,
    refunds: [],
    dispute: null,
    events: [],
  };
}

/** An amount of a request, checked against PayPal's rules. */
export function readMoney(value: unknown): Money {
  const { currency_code, value: number } = record(value);
  if (typeof currency_code !== "string" || !currencies.has(currency_code)) throw new Refused(422, "INVALID_CURRENCY_CODE");
  if (typeof number !== "string" || !/^\d{1,15}(\.\d{1,10})?$/.test(number)) throw new Refused(400, "INVALID_PARAMETER_SYNTAX");
  const decimals = number.split(".")[1] ?? "";
  if (isWhole(currency_code) && decimals !== "") throw new Refused(422, "DECIMALS_NOT_SUPPORTED");
  if (decimals.length > 2) throw new Refused(422, "DECIMAL_PRECISION");
  if (Number(number) <= 0) throw new Refused(422, "CANNOT_BE_ZERO_OR_NEGATIVE");
  return { currency_code, value: number };
}

export const record = (value: unknown) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function text(value: unknown, most: number): string | null {
  if (value === undefined) return null;
  if (typeof value !== "string" || value.length === 0 || value.length > most) throw new Refused(400, "INVALID_STRING_LENGTH");
  return value;
}

/** Returns an order of an account. An unapproved one is removed after three hours. */
export async function findOrder(world: SimulatorWorld, account: Account, id: string): Promise<Order> {
  const order = await world.documents.get<Order>("order", id);
  const isExpired =
    order?.status === "PAYER_ACTION_REQUIRED" && world.now().getTime() - Date.parse(order.createTime) > unapprovedHours * hour;
  if (order === null || order.account !== account.name || isExpired) throw new Refused(404, "INVALID_RESOURCE_ID");
  return order;
}

/** GET /v2/checkout/orders/{id} */
export async function showOrder({ world, account }: Api, id: string): Promise<Response> {
  return Response.json(orderView(world, await findOrder(world, account, id), account));
}

/** POST /v2/checkout/orders/{id}/capture */
export async function captureOrder(api: Api, id: string): Promise<Response> {
  const { world, account } = api;
  const order = await findOrder(world, account, id);
  if (order.capture !== null) throw new Refused(422, "ORDER_ALREADY_CAPTURED");
  if (order.instrument === "declined") throw new Refused(422, "INSTRUMENT_DECLINED");
  if (order.status !== "APPROVED") throw new Refused(422, "ORDER_NOT_APPROVED");
  const others = await world.documents.list<Order>("order");
  const isPaidTwice = others.some(
    (one) => one.account === account.name && one.capture !== null && one.invoiceId !== null && one.invoiceId === order.invoiceId,
  );
  if (isPaidTwice) throw new Refused(422, "DUPLICATE_INVOICE_ID");
  const isSlow = order.instrument === "slow";
  order.status = "COMPLETED";
  order.updateTime = stamp(world);
  order.capture = { id: makeId(world), status: isSlow ? "PENDING" : "COMPLETED", createTime: stamp(world), updateTime: stamp(world) };
  await putOrder(world, order);
  await world.documents.put("capture", order.capture.id, { order: order.id });
  await sendCapture(world, order);
  return answer(api, order, 201);
}

/** Notifies the merchant of an order's capture state. */
export async function sendCapture(world: SimulatorWorld, order: Order): Promise<void> {
  const { currency_code, value } = order.amount;
  const words = { COMPLETED: "Payment completed", PENDING: "Payment pending", DECLINED: "Payment declined" } as const;
  const status = order.capture?.status === "PENDING" || order.capture?.status === "DECLINED" ? order.capture.status : "COMPLETED";
  await sendWebhook(world, order, {
    type: `PAYMENT.CAPTURE.${status === "DECLINED" ? "DENIED" : status}`,
    resourceType: "capture",
    summary: `${words[status]} for ${value} ${currency_code}`,
    resource: captureView(world, order),
  });
}

/** The units that were captured and not refunded. */
export const unitsLeft = ({ amount, refunds }: Order) =>
  unitsOf(amount) - refunds.filter(({ status }) => status !== "FAILED").reduce((sum, refund) => sum + unitsOf(refund.amount), 0);
