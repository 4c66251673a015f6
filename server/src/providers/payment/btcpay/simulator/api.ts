import { pathIn, type SimulatorWorld } from "#gateways/index.ts";
import {
  findInvoice,
  listInvoices,
  paidOn,
  readAmount,
  type SimulatedInvoice,
  type SimulatedPullPayment,
  type Store,
  saveInvoice,
  secondsNow,
  storeOfKey,
  writeAmount,
} from "./store.ts";
import { noteEvent, sendNewest } from "./webhooks.ts";

/** The price of one bitcoin, in any currency. */
const rate = 50_000;

const json = (status: number, value: unknown) => Response.json(value, { status });
const refusal = (status: number, code: string, message: string) => json(status, { code, message });
const invalid = (path: string, message: string) => json(422, [{ path, message }]);

interface ApiCall {
  world: SimulatorWorld;
  store: Store;
  url: URL;
  body: Record<string, unknown>;
}

/** Responds to a request of the Greenfield API, on paths with and without the store. */
export async function answerApi(world: SimulatorWorld, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const store = await storeOfKey(world, /^token ([A-Za-z0-9]{1,100})$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "");
  const [, named, rest = ""] = /^\/api\/v1(?:\/stores\/([A-Za-z0-9]+))?\/(.*)$/.exec(pathIn(world, request)) ?? [];
  const isPublic = request.method === "GET" && rest.startsWith("pull-payments/");
  if (store === null && !isPublic) return refusal(401, "unauthenticated", "Authentication is required for accessing this endpoint");
  if (store !== null && named !== undefined && named !== store.storeId) {
    return json(403, {
      code: "missing-permission",
      message: "Insufficient API Permissions.",
      missingPermission: "btcpay.store.canviewinvoices",
    });
  }
  const body = request.method === "POST" ? await bodyOf(request) : {};
  if (body === null) return refusal(400, "invalid-json", "The body is no JSON object");
  const anyone: Store = { storeId: "", apiKey: "", webhookSecret: "", webhookUrl: null };
  return route({ world, store: store ?? anyone, url, body }, `${request.method} ${rest}`);
}

async function bodyOf(request: Request): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = JSON.parse(await request.text());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

async function route(call: ApiCall, what: string): Promise<Response> {
  const [operation = "", id = "", part = ""] = what.split("/");
  if (what === "GET invoices") return findInvoices(call);
  if (what === "POST invoices") return createInvoice(call);
  if (what === "GET pull-payments") return listPullPayments(call);
  if (operation === "DELETE pull-payments") return archivePullPayment(call, id);
  if (operation === "GET pull-payments") return showPullPayment(call, { id, part });
  if (!operation.endsWith(" invoices")) return new Response("", { status: 404 });
  const invoice = await findInvoice(call.world, id);
  if (invoice === null || invoice.storeId !== call.store.storeId) return refusal(404, "invoice-not-found", "The invoice was not found");
  if (what === `GET invoices/${id}`) return json(200, shapeOf(call.world, invoice));
  if (what === `GET invoices/${id}/payment-methods`) return json(200, methodsOf(invoice));
  if (what === `POST invoices/${id}/status`) return markInvoice(call, invoice);
  if (what === `POST invoices/${id}/refund`) return refundInvoice(call, invoice);
  return new Response("", { status: 404 });
}

function shapeOf(world: SimulatorWorld, invoice: SimulatedInvoice): Record<string, unknown> {
  const { id, storeId, currency, price, metadata, status, exception } = invoice;
  return {
    id,
    storeId,
    amount: writeAmount(price, currency),
    paidAmount: writeAmount(paidOn(invoice), currency),
    currency,
    type: "Standard",
    checkoutLink: `${world.origin}/i/${id}`,
    createdTime: invoice.createdAt,
    expirationTime: invoice.expiresAt,
    monitoringExpiration: invoice.expiresAt + 86_400,
    status,
    additionalStatus: exception,
    availableStatusesForManualMarking: status === "Settled" ? [] : ["Settled", ...(status === "Invalid" ? [] : ["Invalid"])],
    archived: false,
    metadata,
  };
}

const coins = (value: number) => (value / 10_000 / rate).toFixed(8);
const destination = "bcrt1qsimulated";

function methodsOf({ payments, price }: SimulatedInvoice): unknown[] {
  const total = coins(payments.reduce((sum, { value }) => sum + value, 0));
  return [
    {
      activated: true,
      paymentMethodId: "BTC-CHAIN",
      currency: "BTC",
      destination,
      rate: String(rate),
      amount: coins(price),
      totalPaid: total,
      paymentMethodPaid: total,
      payments: payments.map(({ id, value, at, status }) => ({
        id,
        receivedDate: at,
        value: coins(value),
        fee: "0.0",
        status,
        destination,
      })),
    },
    {
      activated: true,
      paymentMethodId: "BTC-LN",
      currency: "BTC",
      rate: String(rate),
      amount: coins(price),
      totalPaid: total,
      paymentMethodPaid: "0",
      payments: [],
    },
  ];
}

/** By order and by the time of creation, the newest first. */
async function findInvoices({ world, store, url }: ApiCall): Promise<Response> {
  const wanted = url.searchParams.getAll("orderId");
  const numberOf = (name: string) => (url.searchParams.has(name) ? Number(url.searchParams.get(name)) : null);
  const [start, end, skip, take] = ["startDate", "endDate", "skip", "take"].map(numberOf);
  const found = (await listInvoices(world)).filter(
    (one) =>
      one.storeId === store.storeId &&
      (wanted.length === 0 || wanted.includes(String(one.metadata["orderId"]))) &&
      one.createdAt >= (start ?? 0) &&
      one.createdAt <= (end ?? Number.POSITIVE_INFINITY),
  );
  const page = found.toReversed().slice(skip ?? 0, (skip ?? 0) + (take ?? found.length));
  return json(
    200,
    page.map((one) => shapeOf(world, one)),
  );
}

async function createInvoice({ world, store, body }: ApiCall): Promise<Response> {
  const currency = String(body["currency"] ?? "");
  const price = readAmount(body["amount"], currency);
  const metadata = body["metadata"];
  const checkout = body["checkout"];
  if (!/^[A-Z]{3}$/.test(currency)) return invalid("currency", "Invalid currency");
  if (price === null || price === 0) return invalid("amount", "The amount should be 0 or more.");
  const given = typeof checkout === "object" && checkout !== null ? { ...(checkout as Record<string, unknown>) } : {};
  const minutes = given["expirationMinutes"] ?? 15;
  if (typeof minutes !== "number" || !Number.isInteger(minutes) || minutes < 1)
    return invalid("checkout.expirationMinutes", "Expiration time must be at least 30 seconds");
  if (given["paymentTolerance"] !== undefined && typeof given["paymentTolerance"] !== "number")
    return invalid("checkout.paymentTolerance", "PaymentTolerance can only be between 0 and 100 percent");
  const now = secondsNow(world);
  const invoice = await saveInvoice(world, {
    id: world.token(22),
    storeId: store.storeId,
    currency,
    price,
    metadata: typeof metadata === "object" && metadata !== null ? { ...metadata } : {},
    redirectUrl: typeof given["redirectURL"] === "string" ? given["redirectURL"] : null,
    createdAt: now,
    expiresAt: now + minutes * 60,
    status: "New",
    exception: "None",
    payments: [],
    events: [],
  });
  await sendNewest(world, await noteEvent(world, invoice, { type: "InvoiceCreated" }));
  return json(200, shapeOf(world, invoice));
}

async function markInvoice({ world, body }: ApiCall, invoice: SimulatedInvoice): Promise<Response> {
  const { status } = body;
  const isAllowed =
    status === "Settled"
      ? invoice.status !== "Settled"
      : status === "Invalid" && invoice.status !== "Settled" && invoice.status !== "Invalid";
  if (!isAllowed || (status !== "Settled" && status !== "Invalid"))
    return invalid("status", "Status can only be marked to invalid or settled within certain conditions.");
  const marked = await saveInvoice(world, { ...invoice, status, exception: "Marked" });
  const noted = await noteEvent(world, marked, { type: `Invoice${status}`, more: { manuallyMarked: true } });
  await sendNewest(world, noted);
  return json(200, shapeOf(world, noted));
}

function shapeOfPullPayment(
  world: SimulatorWorld,
  { id, name, description, currency, amount, isArchived, startsAt }: SimulatedPullPayment,
): Record<string, unknown> {
  const shape = { id, name, description, currency, amount: writeAmount(amount, currency), archived: isArchived, startsAt, expiresAt: null };
  return { ...shape, BOLT11Expiration: 30, autoApproveClaims: false, viewLink: `${world.origin}/pull-payments/${id}` };
}

async function refundInvoice({ world, store, body }: ApiCall, invoice: SimulatedInvoice): Promise<Response> {
  const isPaid =
    invoice.status === "Settled" || invoice.status === "Invalid" || (invoice.status === "Expired" && invoice.exception.startsWith("Paid"));
  if (!isPaid) return refusal(400, "non-refundable", "Cannot refund this invoice");
  const { name, description, refundVariant, customAmount, customCurrency } = body;
  const currency = String(customCurrency ?? "");
  const amount = readAmount(customAmount, currency);
  if (refundVariant !== "Custom") return invalid("refundVariant", "`refundVariant` is mandatory");
  if (amount === null || amount === 0) return invalid("customAmount", "Amount must be greater than 0");
  const made: SimulatedPullPayment = {
    id: world.token(27),
    storeId: store.storeId,
    name: typeof name === "string" ? name : `Refund ${invoice.id}`,
    description: typeof description === "string" ? description : "",
    currency,
    amount,
    isArchived: false,
    startsAt: secondsNow(world),
    payouts: [],
  };
  await world.documents.put("pullPayment", made.id, made);
  return json(200, shapeOfPullPayment(world, made));
}

async function listPullPayments({ world, store, url }: ApiCall): Promise<Response> {
  const all = await world.documents.list<SimulatedPullPayment>("pullPayment");
  const shown = all.filter(
    (one) => one.storeId === store.storeId && (!one.isArchived || url.searchParams.get("includeArchived") === "true"),
  );
  return json(
    200,
    shown.reverse().map((one) => shapeOfPullPayment(world, one)),
  );
}

/** Responds with an empty body, as the server does. */
async function archivePullPayment({ world, store }: ApiCall, id: string): Promise<Response> {
  const found = await world.documents.get<SimulatedPullPayment>("pullPayment", id);
  if (found === null || found.storeId !== store.storeId) return refusal(404, "pullpayment-not-found", "The pull payment was not found");
  const payouts = found.payouts.map((one) => (one.state === "AwaitingApproval" ? { ...one, state: "Cancelled" as const } : one));
  await world.documents.put("pullPayment", id, { ...found, isArchived: true, payouts });
  return new Response(null, { status: 200 });
}

async function showPullPayment({ world, url }: ApiCall, { id, part }: { id: string; part: string }): Promise<Response> {
  const found = await world.documents.get<SimulatedPullPayment>("pullPayment", id);
  if (found === null) return refusal(404, "pullpayment-not-found", "The pull payment was not found");
  if (part === "") return json(200, shapeOfPullPayment(world, found));
  if (part !== "payouts") return new Response("", { status: 404 });
  const shown = found.payouts.filter(({ state }) => state !== "Cancelled" || url.searchParams.get("includeCancelled") === "true");
  return json(
    200,
    shown.map((one) => shapeOfPayout(found, one)),
  );
}

/** Has no `amount`, which earlier versions have instead of `originalAmount`. */
function shapeOfPayout(
  { id: pullPaymentId, currency: originalCurrency }: SimulatedPullPayment,
  { id, amount, state, at }: SimulatedPullPayment["payouts"][number],
): Record<string, unknown> {
  const payout = { payoutMethodId: "BTC-CHAIN", payoutCurrency: "BTC", payoutAmount: state === "AwaitingApproval" ? null : coins(amount) };
  const originalAmount = writeAmount(amount, originalCurrency);
  return { id, revision: 0, pullPaymentId, date: at, destination, originalCurrency, originalAmount, ...payout, state, metadata: {} };
}
