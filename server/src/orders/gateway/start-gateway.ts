import {
  type CredentialRow,
  chooseAmong,
  type GatewayAmount,
  type GatewayError,
  type GatewayMethod,
  listCredentialRows,
  takesAmount,
} from "#gateways/index.ts";
import { type Ctx, commitWith, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { listMethodStates } from "../method/open-methods.ts";
import { firstPollMs } from "../polling/calendar.ts";
import { findGatewayPayment, insertGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findLink } from "../rows/links.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { insertSession } from "../rows/sessions.sql.ts";
import { newGatewaySession } from "../session/new-session.ts";
import { checkStart, lockStart, type StartRequest } from "../session/prepare-start.ts";
import { OpenAtProvider } from "../session/starting.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";
import type { GatewayBuyer } from "./buyer/buyer.ts";
import { type FirstRequest, firstRequestOf } from "./buyer/first-request.ts";
import { fitPayment } from "./buyer/fit-payment.ts";
import { closingOpen } from "./close-open.ts";
import { createPayment, type StartedGateway, type StartedPayment } from "./create-payment.ts";

export interface GatewayStartRequest {
  tenant: Tenant;
  order_id: string;
  method: GatewayMethod;
  /** Null if the merchant's own program makes the request. */
  buyer: GatewayBuyer | null;
}

/** How many accounts are tried for one payment, because each may take its full time. */
const maxAccounts = 3;

/**
 * Opens a payment through a gateway, in repeatable steps: `begin` stores it and commits, `createPayment` requests it from the provider
 * under our reference and stores the result. Nothing is requested that isn't stored. A payment that certainly wasn't created fails its
 * session, and the next account is tried. A payment that is open in another way than this buyer's is closed first. Throws
 * gateway_not_configured, gateway_error, gateway_timeout and service_unavailable.
 */
export function startGateway(ctx: Ctx, request: GatewayStartRequest): Promise<StartedGateway> {
  return closingOpen(ctx, (closed) => startOnce(ctx, { ...request, closed }));
}

async function startOnce(ctx: Ctx, request: GatewayStartRequest & Pick<StartRequest, "closed">): Promise<StartedGateway> {
  const refused = new Set<string>();
  let last: GatewayError | null = null;
  for (let tries = 0; tries < maxAccounts; tries += 1) {
    const startedPayment = await begin(ctx, request, refused);
    if (startedPayment === null) break;
    const session = startedPayment.isFirst ? startedPayment.session : await fitPayment(ctx, startedPayment.session, request.buyer);
    if (session === null) throw new OpenAtProvider(startedPayment.session);
    if (startedPayment.isReady)
      return { order: startedPayment.order, session, payment: startedPayment.payment, link: startedPayment.link, created: false };
    const started = await createPayment(ctx, startedPayment, request.buyer);
    if (!(started instanceof Error)) return started;
    last = started;
    if (startedPayment.isFirst) refused.add(startedPayment.payment.credential_id);
  }
  throw last === null ? await noAccount(ctx, request) : refusalOf(last);
}

/**
 * Finds the payment that is open through this gateway, or stores a new one on the first account that accepts it; null if no account is
 * left. Waits for the database twice: for everything that it decides by, and for its writes with the COMMIT.
 */
async function begin(
  ctx: Ctx,
  request: GatewayStartRequest & Pick<StartRequest, "closed">,
  refused: ReadonlySet<string>,
): Promise<(StartedPayment & { isReady: boolean }) | null> {
  const { tenant, order_id, method } = request;
  return ctx.transactUnclaimed(async (tx) => {
    const [locked, open, held, now, rows, link] = await pipeline(tx, (pipe) => [
      ...lockStart(pipe, request),
      listCredentialRows(pipe, tenant, method.gateway),
      findLink(pipe, tenant, order_id),
    ]);
    const { pinned, order, amount_minor, same, closeOther } = checkStart(tx, ctx, { ...request, start: [locked, open, held, now] });
    const known = same === null ? null : await findGatewayPayment(tx, order, same.id);
    if (same !== null && known !== null) {
      const account = rows.find(({ id }) => id === known.credential_id) ?? null;
      return { order, session: same, payment: known, account, link, isFirst: false, isReady: isReady(same, known, pinned.now()) };
    }
    const accounts = chooseAmong(ctx, rows, { gateway: method.gateway, amount: { amount_minor, currency: order.currency }, key: order.id });
    const account = accounts.find(({ id }) => !refused.has(id));
    if (account === undefined) return null;
    await closeOther();
    const first = firstRequestOf({ order, link, buyer: request.buyer });
    const written = await write(tx, pinned, { order, method, account, amount_minor, first });
    return { ...written, order, account, link, isFirst: true, isReady: false };
  });
}

/** The buyer's data still leads to the payment. One that is processing needs nothing more from them. */
function isReady(session: SessionRow, payment: GatewayPaymentRow, now: Date): boolean {
  if (session.status !== "pending") return true;
  const { method_data } = session;
  if (payment.status !== "open" || method_data.type !== "gateway" || method_data.next_action === null) return false;
  return payment.action_expires_at === null || payment.action_expires_at > now;
}

/** The last statement of the transaction. */
async function write(
  tx: Tx,
  pinned: Ctx,
  given: { order: StartedPayment["order"]; method: GatewayMethod; account: CredentialRow; amount_minor: number; first: FirstRequest },
): Promise<Pick<StartedPayment, "session" | "payment">> {
  const { order, method, account, amount_minor, first } = given;
  const lifetime = pinned.gateways.find(method.gateway)?.manifest.lifetime.maxSeconds ?? 0;
  const expires_at = new Date(Math.min(order.expires_at.getTime(), pinned.now().getTime() + lifetime * 1000));
  const opening = newGatewaySession(pinned, { order, method, credential: account, amount_minor, expires_at });
  const { project_id, livemode } = order;
  const row = { project_id, livemode, id: pinned.id("gp"), payment_session_id: opening.id, order_id: order.id, gateway: method.gateway };
  const [session, payment] = await commitWith(tx, (pipe) => [
    insertSession(pipe, opening),
    insertGatewayPayment(pipe, { ...row, ...first, credential_id: account.id }, firstPollMs),
  ]);
  return { session, payment };
}

/** Why no account accepted the payment before any request. */
async function noAccount(ctx: Ctx, request: GatewayStartRequest): Promise<Error> {
  const { tenant, method } = request;
  const state = (await listMethodStates(ctx, tenant)).find((one) => one.method.name === method.name);
  if (state?.enabled !== true) return orderErrors.gateway_not_configured({ param: "gateway" });
  const adapter = ctx.gateways.find(method.gateway);
  const isOutside = adapter !== null && !takesAmount(adapter.manifest, await owedOf(ctx, request));
  if (isOutside) return platformErrors.amount_out_of_range({ param: "gateway", message: "This gateway doesn't accept this amount." });
  return platformErrors.service_unavailable({ headers: { "retry-after": "10" } });
}

async function owedOf(ctx: Ctx, { tenant, order_id }: GatewayStartRequest): Promise<GatewayAmount> {
  const order = await findOrderRow(ctx.db, tenant, order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  return { amount_minor: order.amount_minor - order.amount_held_minor, currency: order.currency };
}

function refusalOf(error: GatewayError): Error {
  const isPassing = error.kind === "unavailable" || error.kind === "rate_limited";
  if (isPassing) return platformErrors.service_unavailable({ headers: { "retry-after": String(error.retryAfter ?? 5) }, cause: error });
  return orderErrors.gateway_error({ fields: { gateway_code: error.code }, cause: error });
}
