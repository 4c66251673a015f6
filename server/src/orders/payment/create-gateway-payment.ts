import { type GatewayMethod, gatewayErrors, provideDemo } from "#gateways/index.ts";
import { requireVerified } from "#identity/index.ts";
import { AppError, type Ctx, type ErrorDetail, inSteps, platformErrors, readCurrency, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import type { GatewayBuyer } from "../gateway/buyer/buyer.ts";
import type { StartedGateway } from "../gateway/create-payment.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import type { OrderInput } from "../order/check-new-order.ts";
import { createOrder } from "../order/create-order.ts";
import { findPaymentOfReference } from "../rows/find-gateway-payments.sql.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findLink } from "../rows/links.sql.ts";
import { findOrderRow, findReferenceHolder } from "../rows/orders.sql.ts";
import { findLatestSessionOf, findSession } from "../rows/sessions.sql.ts";
import type { GatewayPaymentBundle, OrderRow, SessionRow } from "../shapes.ts";

/** Either an existing order, or the data for a new one. */
export interface GatewayPaymentInput
  extends Partial<Pick<OrderInput, "reference" | "amount_minor" | "currency" | "description" | "metadata" | "return_url" | "customer">> {
  gateway: string;
  order_id?: string;
  buyer?: GatewayBuyer;
}

/**
 * Starts a payment through a gateway, for an existing order or a new one. The same reference and amount again return the existing payment.
 * Throws gateway_not_found, reference_exists for another amount, and the errors of `startPayment`.
 */
export async function createGatewayPayment(ctx: Ctx, tenant: Tenant, input: GatewayPaymentInput): Promise<StartedGateway> {
  const method = requireGateway(ctx, input.gateway);
  checkInput(input);
  return inSteps(ctx, (steps) => createOnce({ ...steps, claim: null }, tenant, { ...input, method }));
}

/** Nothing is looked up first: nearly every payment can be started, and any obstacle is reported under the order's lock. */
async function createOnce(ctx: Ctx, tenant: Tenant, input: GatewayPaymentInput & { method: GatewayMethod }): Promise<StartedGateway> {
  const { method, buyer = null } = input;
  const order_id = input.order_id ?? (await orderOf(ctx, tenant, input)).id;
  const start = async () => {
    await requireVerified(ctx, tenant);
    return startGateway(ctx, { tenant, order_id, method, buyer });
  };
  try {
    return await start().catch(async (error: unknown) => {
      if (!ctx.gateways.offersDemo || !(error instanceof AppError) || error.code !== "gateway_not_configured") throw error;
      // A gateway without an account in TEST is simulated, so that it can be tried right away.
      await provideDemo(ctx, tenant, method.gateway);
      return start();
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const paid = await findPaid(ctx, tenant, { order_id, gateway: method.gateway });
    if (paid === null) throw error;
    return { ...paid, created: false };
  }
}

/** The payment through this gateway that paid an order, if any. Throws resource_missing if there is no such order. */
async function findPaid(
  ctx: Ctx,
  tenant: Tenant,
  { order_id, gateway }: { order_id: string; gateway: string },
): Promise<GatewayPaymentBundle | null> {
  const order = await findOrderRow(ctx.db, tenant, order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "order_id" });
  const latest = order.status === "paid" ? await findLatestSessionOf(ctx.db, tenant, { orderId: order.id, gateway }) : null;
  return latest?.status === "succeeded" ? bundleOf(ctx, order, latest) : null;
}

/** The live order of this reference, or a new one. */
async function orderOf(ctx: Ctx, tenant: Tenant, input: GatewayPaymentInput): Promise<OrderRow> {
  const { reference = "", amount_minor = 0, currency = "" } = input;
  const held = await findReferenceHolder(ctx.db, tenant, reference);
  if (held !== null) return sameOrder(await findOrderRow(ctx.db, tenant, held), input);
  const { description, metadata, return_url, customer } = input;
  const given = { description, metadata, return_url, customer };
  const wanted = {
    reference,
    amount_minor,
    currency,
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given),
  };
  try {
    return (await createOrder(ctx, tenant, wanted as OrderInput)).order;
  } catch (error) {
    // A concurrent request created it.
    const made =
      error instanceof AppError && error.code === "reference_exists" ? await findReferenceHolder(ctx.db, tenant, reference) : null;
    if (made === null) throw error;
    return sameOrder(await findOrderRow(ctx.db, tenant, made), input);
  }
}

function sameOrder(order: OrderRow | null, { amount_minor, currency = "" }: GatewayPaymentInput): OrderRow {
  if (order === null) throw platformErrors.resource_missing({ param: "order_id" });
  if (order.amount_minor === amount_minor && order.currency === readCurrency(currency)) return order;
  throw orderErrors.reference_exists({
    param: "reference",
    message: "An open or paid order of this project has this reference with a different amount.",
    fields: { existing_order_id: order.id },
  });
}

/** An order's own fields can't be given together with its id, and are required without one. */
function checkInput({ order_id, gateway: _gateway, buyer: _buyer, ...facts }: GatewayPaymentInput): void {
  const names = ["reference", "amount_minor", "currency"] as const;
  if (order_id === undefined) {
    const missing = names.filter((name) => facts[name] === undefined);
    const details: ErrorDetail[] = missing.map((param) => ({
      param,
      code: "parameter_missing",
      reason: "required",
      message: `${param} is required without order_id.`,
    }));
    if (details.length > 0) throw platformErrors.parameter_missing({ param: missing[0] ?? "", details });
    return;
  }
  const [given] = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given === undefined) return;
  throw platformErrors.parameter_conflict({
    param: given,
    reason: "of_the_order",
    message: `With order_id, ${given} comes from the order. Leave it out.`,
  });
}

function requireGateway(ctx: Ctx, gateway: string): GatewayMethod {
  const method = ctx.methods.find(gateway);
  if (method?.kind !== "gateway") throw gatewayErrors.gateway_not_found({ param: "slug" });
  return method;
}

/**
 * The newest payment through a gateway for an order of this reference. Throws parameter_missing, resource_missing and gateway_not_found.
 */
export async function findGatewayPaymentOf(
  ctx: Ctx,
  tenant: Tenant,
  given: { gateway: string; reference: string | null },
): Promise<GatewayPaymentBundle> {
  const { gateway, reference } = given;
  requireGateway(ctx, gateway);
  if (reference === null)
    throw platformErrors.parameter_missing({ param: "reference", reason: "required", message: "Send the order's reference." });
  const payment = await findPaymentOfReference(ctx.db, tenant, { gateway, reference });
  const order = payment === null ? null : await findOrderRow(ctx.db, tenant, payment.order_id);
  const session = payment === null ? null : await findSession(ctx.db, tenant, payment.payment_session_id);
  if (payment === null || order === null || session === null) throw platformErrors.resource_missing({ param: "reference" });
  return { payment, order, session, link: await findLink(ctx.db, tenant, order.id) };
}

async function bundleOf(ctx: Ctx, order: OrderRow, session: SessionRow): Promise<GatewayPaymentBundle> {
  const [payment, link] = await Promise.all([findGatewayPayment(ctx.db, order, session.id), findLink(ctx.db, order, order.id)]);
  if (payment === null) throw new Error("a gateway's session has no payment");
  return { payment, session, order, link };
}
