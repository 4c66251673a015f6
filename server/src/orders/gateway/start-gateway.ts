import { type Credential, chooseAccounts, type GatewayAmount, type GatewayError, type GatewayMethod } from "#gateways/index.ts";
import { type Ctx, inSteps, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { firstAskMs } from "../asking/calendar.ts";
import { orderErrors } from "../errors.ts";
import { listMethodStates } from "../method/open-methods.ts";
import { findGatewayPayment, insertGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { insertSession } from "../rows/sessions.sql.ts";
import { newGatewaySession } from "../session/new-session.ts";
import { prepareStart, type Wish } from "../session/prepare-start.ts";
import { OpenAtProvider, type StartedPayment } from "../session/starting.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";
import type { GatewayBuyer } from "./buyer/buyer.ts";
import { fitPayment } from "./buyer/fit-payment.ts";
import { closingOpen } from "./close-open.ts";
import { type Begun, createPayment } from "./create-payment.ts";

export interface GatewayWish {
  tenant: Tenant;
  order_id: string;
  method: GatewayMethod;
  /** Null where the merchant's own program asks. */
  buyer: GatewayBuyer | null;
}

/** So many accounts are asked for one payment: each may take its time. */
const mostAccounts = 3;

/**
 * Opens a payment through a gateway: written down, asked for at the provider under our reference, and finished, in steps that can each be done again. What certainly
 * didn't happen fails its session, and the next account is asked. A payment that is open in another way than this buyer's is closed first.
 * Throws gateway_not_configured, gateway_error, gateway_timeout and service_unavailable.
 */
export function startGateway(ctx: Ctx, wish: GatewayWish): Promise<StartedPayment> {
  return inSteps(ctx, (steps) => closingOpen(steps, (closed) => startOnce(steps, { ...wish, closed })));
}

async function startOnce(ctx: Ctx, wish: GatewayWish & Pick<Wish, "closed">): Promise<StartedPayment> {
  const refused = new Set<string>();
  let last: GatewayError | null = null;
  for (let tries = 0; tries < mostAccounts; tries += 1) {
    const begun = await begin(ctx, wish, refused);
    if (begun === null) break;
    const session = begun.isFirst ? begun.session : await fitPayment(ctx, begun.session, wish.buyer);
    if (session === null) throw new OpenAtProvider(begun.session);
    if (begun.isReady) return { order: begun.order, session, created: false };
    const started = await createPayment(ctx, begun, wish.buyer);
    if (!(started instanceof Error)) return started;
    last = started;
    if (begun.isFirst) refused.add(begun.payment.credential_id);
  }
  throw last === null ? await noAccount(ctx, wish) : refusalOf(last);
}

/** Finds the payment that is open by this gateway, or writes down a new one on the first account that takes it; null where no account is left. */
async function begin(ctx: Ctx, wish: GatewayWish & Pick<Wish, "closed">, refused: ReadonlySet<string>): Promise<(Begun & { isReady: boolean }) | null> {
  const amount = await owedOf(ctx, wish);
  const accounts = await chooseAccounts(ctx, wish.tenant, { gateway: wish.method.gateway, amount, key: wish.order_id });
  const credential = accounts.find(({ id }) => !refused.has(id));
  return ctx.transactUnclaimed(async (tx) => {
    const { timed, order, amount_minor, same, closeOther } = await prepareStart(tx, ctx, wish);
    const known = same === null ? null : await findGatewayPayment(tx, order, same.id);
    if (same !== null && known !== null) return { order, session: same, payment: known, isFirst: false, isReady: isReady(same, known, timed.now()) };
    if (credential === undefined) return null;
    // A part payment came in between: what the accounts were chosen for is owed no more.
    if (amount_minor !== amount.amount_minor) throw orderErrors.session_active();
    await closeOther();
    return { ...(await write(tx, timed, { order, method: wish.method, credential, amount_minor })), order, isFirst: true, isReady: false };
  });
}

async function owedOf(ctx: Ctx, { tenant, order_id }: GatewayWish): Promise<GatewayAmount> {
  const order = await findOrderRow(ctx.db, tenant, order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  return { amount_minor: order.amount_minor - order.amount_held_minor, currency: order.currency };
}

/** What the buyer was given still leads to the payment. One that is under way needs nothing more of them. */
function isReady(session: SessionRow, payment: GatewayPaymentRow, now: Date): boolean {
  if (session.status !== "pending") return true;
  const { method_data } = session;
  if (payment.status !== "open" || method_data.type !== "gateway" || method_data.next_action === null) return false;
  return payment.action_expires_at === null || payment.action_expires_at > now;
}

async function write(
  tx: Tx,
  timed: Ctx,
  given: { order: Begun["order"]; method: GatewayMethod; credential: Credential; amount_minor: number },
): Promise<Pick<Begun, "session" | "payment">> {
  const { order, method, credential } = given;
  const lifetime = timed.gateways.find(method.gateway)?.manifest.lifetime.maxSeconds ?? 0;
  const expires_at = new Date(Math.min(order.expires_at.getTime(), timed.now().getTime() + lifetime * 1000));
  const opening = newGatewaySession(timed, { ...given, expires_at });
  const { project_id, livemode } = order;
  const row = { project_id, livemode, id: timed.id("gp"), payment_session_id: opening.id, order_id: order.id, gateway: method.gateway };
  const [session, payment] = await pipeline(tx, (pipe) => [
    insertSession(pipe, opening),
    insertGatewayPayment(pipe, { ...row, credential_id: credential.id }, firstAskMs),
  ]);
  return { session, payment };
}

/** Why no account took the payment before anybody was asked. */
async function noAccount(ctx: Ctx, wish: GatewayWish): Promise<Error> {
  const { tenant, method } = wish;
  const state = (await listMethodStates(ctx, tenant)).find((one) => one.method.name === method.name);
  if (state?.enabled !== true) return orderErrors.gateway_not_configured({ param: "gateway" });
  const { amount_minor, currency } = await owedOf(ctx, wish);
  const limits = ctx.gateways.find(method.gateway)?.manifest.limits;
  const isOutside = limits !== undefined && (amount_minor < limits.minMinor(currency) || amount_minor > limits.maxMinor(currency));
  if (isOutside) return platformErrors.amount_out_of_range({ param: "gateway", message: "This gateway does not take this amount." });
  return platformErrors.service_unavailable({ headers: { "retry-after": "10" } });
}

function refusalOf(error: GatewayError): Error {
  const isPassing = error.kind === "unavailable" || error.kind === "rate_limited";
  if (isPassing) return platformErrors.service_unavailable({ headers: { "retry-after": String(error.retryAfter ?? 5) }, cause: error });
  return orderErrors.gateway_error({ fields: { gateway_code: error.code }, cause: error });
}
