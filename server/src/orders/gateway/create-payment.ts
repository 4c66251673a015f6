import { isDeepStrictEqual } from "node:util";
import { auditIfPerson } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import {
  type GatewayBuyer as BuyerAtAccount,
  type CreatedPayment,
  type CredentialRow,
  callbackUrl,
  callGateway,
  GatewayError,
  leadingToWeb,
  type NewGatewayPayment,
  type OpenAccount,
  openAccount,
  openRow,
} from "#gateways/index.ts";
import { atNow, type Ctx, commitWith, findNow, known, type Pipe, pipeline, type Tx, updateUnhurried } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import type { GatewayData } from "../method-shapes.ts";
import { sessionEvent } from "../order-events.ts";
import { requestEnd } from "../polling/calendar.ts";
import { lockGatewayPayment, updateLockedGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findLinkById } from "../rows/links.sql.ts";
import { findOrderRow, lockOrder } from "../rows/orders.sql.ts";
import { findSession, updateSessionData } from "../rows/sessions.sql.ts";
import { isDemo } from "../session/method-data.ts";
import { OpenAtProvider } from "../session/starting.ts";
import type { GatewayPaymentBundle, LinkRow, OrderRow, SessionRow } from "../shapes.ts";
import { applySnapshot, failAttempt, raisedVersion, raiseVersion } from "./apply-snapshot.ts";
import { buyerAt, type GatewayBuyer, type Served, servedOf } from "./buyer/buyer.ts";
import { firstRequestOf } from "./buyer/first-request.ts";
import { interpretSnapshot } from "./interpret-snapshot.ts";
import { accountName, closePayment, pollPayment } from "./poll-payment.ts";

/** A stored payment that is to be requested from its provider. */
export interface StartedPayment extends GatewayPaymentBundle {
  /** Its account, read together with it; null if it was removed. */
  account: CredentialRow | null;
  /** False for one that was requested before: whatever the response, the first request may have succeeded. */
  isFirst: boolean;
}

/** A started payment; `created` is false if it was already open. */
export type StartedGateway = GatewayPaymentBundle & { created: boolean };

/**
 * Requests a payment from the provider under our reference and stores the buyer's next step. If the payment certainly wasn't created, it
 * fails, and the reason is returned; then another account can be tried. Throws gateway_timeout if the outcome is unknown,
 * order_already_paid, session_active, and OpenAtProvider for a payment that the provider has with different data.
 */
export async function createPayment(ctx: Ctx, started: StartedPayment, buyer: GatewayBuyer | null): Promise<StartedGateway | GatewayError> {
  const { account: row, payment } = started;
  try {
    const opened = await (row === null ? openAccount(ctx, payment, payment.credential_id) : openRow(ctx, row));
    const firstLink = await findFirstLink(ctx, started);
    const wanted = wantedOf(ctx, { ...started, opened, firstLink, buyer: buyerAt(buyer, opened.credential.id) });
    const records: Promise<void>[] = [];
    const calling = { opened, verb: "create", reference: started.session.id, records } as const;
    const created = await callGateway(ctx, calling, async (account, call) => leadingToWeb(await account.create(call, wanted)));
    const [taken] = await Promise.all([takeCreated(ctx, started, { opened, created, wanted, isAnybody: buyer === null }), ...records]);
    return taken;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return started.isFirst && error.kind !== "unknown_outcome" && error.kind !== "already_paid"
      ? failStarted(ctx, started, error)
      : lookAgain(ctx, started, error);
  }
}

/** The link to which the payment's first request returns the buyer: a repeated one must be the same. */
async function findFirstLink(ctx: Ctx, { payment, link }: StartedPayment): Promise<LinkRow | null> {
  const { link_id } = payment;
  return link_id === null || link_id === link?.id ? link : findLinkById(ctx.db, payment, link_id);
}

function wantedOf(
  ctx: Ctx,
  given: StartedPayment & { opened: OpenAccount; firstLink: LinkRow | null; buyer: BuyerAtAccount | null },
): NewGatewayPayment {
  const { order, session, payment, opened, firstLink } = given;
  const page = `${ctx.publicUrl}/pay/${firstLink?.token ?? ""}`;
  // A payment of an earlier version was requested without the choices.
  const query = payment.page_query ?? "";
  const request = firstRequestOf(given);
  return {
    reference: session.id,
    amount: { amount_minor: session.amount_minor, currency: session.currency },
    title: payment.title ?? request.title,
    notifyUrl: callbackUrl(ctx, opened.credential),
    returnUrl: `${page}?back=paid${query.replace("?", "&")}`,
    cancelUrl: `${page}${query}`,
    expiresAt: session.expires_at,
    buyer: { ...(given.buyer ?? { ip: null, device: "desktop", openid: null }), locale: payment.locale ?? request.locale },
    metadata: { order_id: order.id, reference: order.reference },
    ...(given.isFirst ? {} : { earlier: { providerId: payment.provider_id } }),
  };
}

/** The provider's response to a request. `isAnybody`: the merchant's program made the request, without naming the buyer. */
interface Answered {
  opened: OpenAccount;
  created: CreatedPayment;
  wanted: NewGatewayPayment;
  isAnybody: boolean;
}

async function takeCreated(ctx: Ctx, started: StartedPayment, given: Answered): Promise<StartedGateway | GatewayError> {
  const { opened, created } = given;
  const account = accountName(opened);
  const interpretation = interpretSnapshot({ ...started, account, snapshot: created });
  if (interpretation.kind === "wrong") {
    return failStarted(
      ctx,
      started,
      new GatewayError("invalid", { code: "mismatch", message: "The provider's response is about a different payment." }),
    );
  }
  if (interpretation.kind !== "pending" && interpretation.kind !== "processing") {
    await applySnapshot(ctx, { session: started.session, account, snapshot: created });
    await refusePaid(ctx, started);
    return new GatewayError("declined", {
      code: created.failure?.code ?? "declined",
      message: "The provider ended the payment immediately.",
    });
  }
  const opening = await ctx.transactUnclaimed((tx) => openPayment(tx, ctx, { started, answered: given }));
  if (opening !== null) return opening;
  // It ended here during the request: it must not be paid.
  await closePayment(ctx, started.payment).catch(() => "unknown");
  throw orderErrors.session_active();
}

/**
 * Null if the session ended in the meantime. An event is sent when a buyer can first pay it. The writes don't depend on values from the
 * database, so all of them are sent at once, with the COMMIT. It doesn't wait for the disk: the writes of `begin` are on disk, and if the
 * database crashes here, the state is the same as after a kill just before: a payment that the next tap or the polling finds at its
 * provider. No event is sent before it is on disk, because fan-out commits later.
 */
async function openPayment(
  tx: Tx,
  ctx: Ctx,
  { started, answered }: { started: StartedPayment; answered: Answered },
): Promise<StartedGateway | null> {
  const { created } = answered;
  const [order, payment, session, now] = await pipeline(tx, (pipe) => [
    lockOrder(pipe, started.order, started.order.id),
    lockGatewayPayment(pipe, started.order, started.session.id),
    findSession(pipe, started.order, started.session.id),
    findNow(pipe),
  ]);
  if (order === null || payment === null || session === null) throw new Error("a payment's order vanished");
  if (session.status !== "pending" || payment.status === "done") return null;
  const pinned = { ...ctx, now: () => new Date(now) };
  const data: GatewayData = {
    type: "gateway",
    next_action: created.action,
    action_expires_at: created.actionExpiresAt?.toISOString() ?? null,
    ...(isDemo(session) ? { demo: true } : {}),
    ...servedBy(answered),
  };
  // A second concurrent tap gets the same response, and pages aren't notified again. Only its expiry can be a moment later.
  const isNews = !isDeepStrictEqual(data, { ...session.method_data, action_expires_at: data.action_expires_at });
  const [opened, moved, raised] = await commitWith(tx, (pipe) => [
    updateSessionData(pipe, session, data),
    updateLockedGatewayPayment(pipe, payment, { to: "open", reported: created, opened: { until: created.actionExpiresAt } }),
    isNews ? raiseVersion(pipe, order) : known(pipe, order),
    payment.opened_at === null ? emitOpened(pipe, pinned, { order: isNews ? raisedVersion(order) : order, session }) : null,
    updateUnhurried(pipe),
  ]);
  return { order: raised, session: opened, payment: moved, link: started.link, created: started.isFirst };
}

function emitOpened(pipe: Pipe, pinned: Ctx, { order, session }: { order: OrderRow; session: SessionRow }) {
  const detail = { order_id: order.id, gateway: session.gateway };
  return [
    emit(pipe, pinned, { tenant: order, events: [sessionEvent("payment.session.created", order, session)] }),
    auditIfPerson(pipe, {
      ctx: pinned,
      tenant: order,
      action: "payment_session.created",
      object_type: "payment_session",
      object_id: session.id,
      detail,
    }),
  ];
}

/** Whom the payment serves: see `GatewayData`. */
function servedBy({ opened: { account }, wanted: { buyer }, isAnybody }: Answered): Served {
  const served = servedOf(account, buyer);
  return isAnybody ? { ...served, device: null } : served;
}

/** The payment certainly doesn't exist at the provider. */
async function failStarted(ctx: Ctx, started: StartedPayment, error: GatewayError): Promise<GatewayError> {
  await ctx.transactUnclaimed(async (tx) => {
    const order = await lockOrder(tx, started.order, started.order.id);
    const payment = await lockGatewayPayment(tx, started.order, started.session.id);
    if (order === null || payment === null) throw new Error("a payment's order vanished");
    const { code, message } = error;
    await updateLockedGatewayPayment(tx, payment, { to: "done", failure: { code, message } });
    await failAttempt(tx, await atNow(ctx, tx), { session: started.session, order, code });
  });
  return error;
}

/**
 * It is unknown whether the payment exists. The provider is asked; if it doesn't know the payment, there is none, unless another request is
 * still on its way. If it has the payment, but with different data, such as another device of the buyer's, then repeating the request would
 * be refused until the payment ends: it is closed there first, and another one can be started.
 */
async function lookAgain(ctx: Ctx, started: StartedPayment, error: GatewayError): Promise<GatewayError> {
  const isLost = error.kind === "unknown_outcome";
  const applied = isLost && started.isFirst ? "unknown" : await pollPayment(ctx, started.payment).catch(absentOrUnknown);
  await refusePaid(ctx, started);
  if (applied === "ended" || applied === "mismatch") return error;
  const isOpen = applied === "pending" || applied === "absent";
  if (isOpen && !isLost && !(await isRequestedElsewhere(ctx, started))) {
    if (error.kind === "conflict") throw new OpenAtProvider(started.session);
    if (applied === "absent") return failStarted(ctx, started, error);
  }
  await ctx.transactUnclaimed((tx) => noteUnknown(tx, started));
  throw orderErrors.gateway_timeout({ cause: error });
}

function absentOrUnknown(error: unknown): "absent" | "unknown" {
  if (error instanceof GatewayError) return error.kind === "not_found" ? "absent" : "unknown";
  throw error;
}

/** Whether another process, or another tap of the buyer, may be waiting for the provider's response to the first request. */
async function isRequestedElsewhere(ctx: Ctx, { isFirst, payment }: StartedPayment): Promise<boolean> {
  return !isFirst && payment.status === "creating" && (await findNow(ctx.db)) < requestEnd(payment);
}

async function noteUnknown(tx: Tx, { order, session }: StartedPayment): Promise<void> {
  const payment = await lockGatewayPayment(tx, order, session.id);
  if (payment?.status === "creating") await updateLockedGatewayPayment(tx, payment, { to: "unknown" });
}

async function refusePaid(ctx: Ctx, { order }: StartedPayment): Promise<void> {
  if ((await findOrderRow(ctx.db, order, order.id))?.status === "paid") throw orderErrors.order_already_paid();
}
