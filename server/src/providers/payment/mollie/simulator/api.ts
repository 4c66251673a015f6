import type { SimulatorWorld } from "#gateways/index.ts";
import { createRefund, refundedOf } from "./actions.ts";
import {
  type Account,
  ApiError,
  amountOf,
  type Chargeback,
  chargebacksOf,
  notFound,
  type Payment,
  type Refund,
  refundsOf,
  unitsOf,
  unprocessable,
} from "./documents.ts";
import { cancelPayment, createPayment, findPayment, isCancelable, upToDate } from "./payments.ts";

export interface ApiRequest {
  method: string;
  /** Starts with `/v2`, without the query. */
  path: string;
  query: URLSearchParams;
  body: string;
}

export interface ApiAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Carries out one request of a profile. Throws `ApiError`. */
export async function carryOut(world: SimulatorWorld, account: Account, { method, path, query, body }: ApiRequest): Promise<ApiAnswer> {
  const [, , kind, id = "", under, innerId] = path.split("/");
  const place = [method, kind, id === "" ? null : id === "me" ? "me" : "*", under, innerId === undefined ? null : "*"]
    .filter((part) => part != null)
    .join(" ");
  switch (place) {
    case "GET profiles me":
      return ok(shownProfile(world, account));
    case "POST payments":
      return { status: 201, body: await shownPayment(world, await createPayment(world, account, readBody(body)), false) };
    case "GET payments":
      return ok(await listPayments(world, account, query));
    case "GET refunds":
      return ok(await listAllRefunds(world, account, query));
    case "GET payments *":
      return ok(
        await shownPayment(world, await findPayment(world, account, id), query.get("embed")?.split(",").includes("chargebacks") ?? false),
      );
    case "DELETE payments *":
      return ok(await shownPayment(world, await cancelPayment(world, await findPayment(world, account, id)), false));
    case "POST payments * refunds":
      return { status: 201, body: shownRefund(world, await createRefund(world, account, { id, body: readBody(body) })) };
    case "GET payments * refunds":
      return ok(await listRefunds(world, await findPayment(world, account, id), query));
    case "GET payments * refunds *":
      return ok(shownRefund(world, await findRefund(world, await findPayment(world, account, id), innerId ?? "")));
    default:
      throw new ApiError(404, "Not Found", { detail: `Nothing is served at ${method} ${path}.` });
  }
}

const ok = (body: Record<string, unknown>): ApiAnswer => ({ status: 200, body });

function readBody(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below, like any other body that isn't an object.
  }
  throw new ApiError(400, "Bad Request", { detail: "The request body is not a JSON object." });
}

async function findRefund(world: SimulatorWorld, payment: Payment, id: string): Promise<Refund> {
  const refund = (await refundsOf(world, payment.id)).find((one) => one.id === id);
  if (refund === undefined) throw notFound("refund", id);
  return refund;
}

const link = (href: string, type = "application/hal+json") => ({ href, type });
const documentation = link("https://docs.mollie.com", "text/html");
const isoOf = (time: number) => new Date(time).toISOString().replace(/\.\d{3}Z$/, "+00:00");
/** Mollie's name for the time at which a payment entered its state. */
const changedNames: Readonly<Record<string, string>> = { paid: "paidAt", canceled: "canceledAt", expired: "expiredAt", failed: "failedAt" };

function shownProfile(world: SimulatorWorld, { profileId, label }: Account): Record<string, unknown> {
  return {
    resource: "profile",
    id: profileId,
    mode: "test",
    name: label,
    website: "https://shop.example",
    email: "shop@shop.example",
    phone: "+31208202070",
    businessCategory: "OTHER_MERCHANDISE",
    status: "verified",
    createdAt: "2026-01-01T00:00:00+00:00",
    _links: { self: link(`${world.origin}/v2/profiles/${profileId}`), documentation },
  };
}

async function shownPayment(world: SimulatorWorld, payment: Payment, withChargebacks: boolean): Promise<Record<string, unknown>> {
  const { id, changedAt, createdAt, expiresAt, ...rest } = payment;
  const refunds = await refundsOf(world, id);
  const chargebacks = await chargebacksOf(world, id);
  const refunded = refundedOf(payment, refunds);
  const chargedBack = chargebacks.filter(({ reversedAt }) => reversedAt === null).reduce((sum, { amount }) => sum + unitsOf(amount), 0);
  const isPaid = payment.status === "paid";
  const { currency } = payment.amount;
  const changedName = changedNames[payment.status];
  return {
    resource: "payment",
    id,
    mode: "test",
    createdAt: isoOf(createdAt),
    ...rest,
    ...(isPaid ? { amountRefunded: refunded, amountRemaining: amountOf(unitsOf(payment.amount) - unitsOf(refunded), currency) } : {}),
    ...(chargebacks.length > 0 ? { amountChargedBack: amountOf(chargedBack, currency) } : {}),
    ...(payment.status === "open" ? { expiresAt: isoOf(expiresAt), isCancelable: isCancelable(payment) } : {}),
    ...(changedName === undefined || changedAt === null ? {} : { [changedName]: isoOf(changedAt) }),
    ...(payment.status === "failed"
      ? { details: { failureReason: "insufficient_funds", failureMessage: "The account has insufficient funds." } }
      : {}),
    sequenceType: "oneoff",
    _links: {
      self: link(`${world.origin}/v2/payments/${id}`),
      dashboard: link(`${world.origin}/dashboard/payments/${id}`, "text/html"),
      ...(payment.status === "open" ? { checkout: link(`${world.origin}/checkout/select-method/${id.slice(3)}`, "text/html") } : {}),
    },
    ...(withChargebacks ? { _embedded: { chargebacks: chargebacks.map((one) => shownChargeback(world, one)) } } : {}),
  };
}

function shownChargeback(world: SimulatorWorld, chargeback: Chargeback): Record<string, unknown> {
  const { id, paymentId, createdAt, reversedAt, amount } = chargeback;
  const reason = { code: "AC06", description: "Account blocked" };
  const payment = `${world.origin}/v2/payments/${paymentId}`;
  return {
    resource: "chargeback",
    id,
    paymentId,
    amount,
    reason,
    createdAt: isoOf(createdAt),
    reversedAt: reversedAt === null ? null : isoOf(reversedAt),
    _links: { self: link(`${payment}/chargebacks/${id}`), payment: link(payment), documentation },
  };
}

/** Refunds in a list have no link to the documentation. */
function shownRefund(
  world: SimulatorWorld,
  { profileId: _profileId, createdAt, ...refund }: Refund,
  isListed = false,
): Record<string, unknown> {
  const payment = `${world.origin}/v2/payments/${refund.paymentId}`;
  const _links = { self: link(`${payment}/refunds/${refund.id}`), payment: link(payment), ...(isListed ? {} : { documentation }) };
  return { resource: "refund", mode: "test", createdAt: isoOf(createdAt), ...refund, _links };
}

async function listPayments(world: SimulatorWorld, account: Account, query: URLSearchParams): Promise<Record<string, unknown>> {
  const all = (await world.documents.list<Payment>("payment")).filter(({ profileId }) => profileId === account.profileId);
  const { items, next } = pageOf(await Promise.all(all.map((payment) => upToDate(world, payment))), query);
  const payments = await Promise.all(items.map((payment) => shownPayment(world, payment, false)));
  return listed(world, { path: "/v2/payments", next, embedded: { payments } });
}

async function listRefunds(world: SimulatorWorld, payment: Payment, query: URLSearchParams): Promise<Record<string, unknown>> {
  const { items, next } = pageOf(await refundsOf(world, payment.id), query);
  return listed(world, {
    path: `/v2/payments/${payment.id}/refunds`,
    next,
    embedded: { refunds: items.map((refund) => shownRefund(world, refund, true)) },
  });
}

/** Of all payments of a profile. */
async function listAllRefunds(world: SimulatorWorld, account: Account, query: URLSearchParams): Promise<Record<string, unknown>> {
  const all = (await world.documents.list<Refund>("refund")).filter(({ profileId }) => profileId === account.profileId);
  const { items, next } = pageOf(all, query);
  return listed(world, { path: "/v2/refunds", next, embedded: { refunds: items.map((refund) => shownRefund(world, refund, true)) } });
}

/** A page, newest first, and the address of the next one. */
function pageOf<T extends { id: string }>(all: T[], query: URLSearchParams): { items: T[]; next: string | null } {
  const limit = Number(query.get("limit") ?? "50");
  if (!Number.isInteger(limit) || limit < 1 || limit > 250) throw unprocessable("The limit must be between 1 and 250.", "limit");
  const newest = all.toReversed();
  const from = query.get("from");
  const start = from === null ? 0 : newest.findIndex(({ id }) => id === from);
  if (start < 0) throw notFound("resource", from ?? "");
  const following = newest[start + limit]?.id;
  return { items: newest.slice(start, start + limit), next: following === undefined ? null : `from=${following}&limit=${limit}` };
}

function listed(
  world: SimulatorWorld,
  given: { path: string; next: string | null; embedded: Record<string, unknown[]> },
): Record<string, unknown> {
  const { path, next, embedded } = given;
  const count = Object.values(embedded)[0]?.length ?? 0;
  const _links = {
    self: link(`${world.origin}${path}`),
    previous: null,
    next: next === null ? null : link(`${world.origin}${path}?${next}`),
    documentation,
  };
  return { count, _embedded: embedded, _links };
}
