import { recordOfPerson } from "#audit/index.ts";
import { type AskingRow, findAccount, findProfile, type ProfileRow, takeAsking } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import { requireVerified } from "#identity/index.ts";
import { atNow, type Ctx, decimalOf, isUniqueViolation, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { sessionEvent } from "../order-events.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findReceivedSince } from "../rows/received.sql.ts";
import { findCanceledSession, insertSession, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { channelOf, type OrderRow, type QrGateway, type SessionRow } from "../shapes.ts";

export interface StartedPayment {
  order: OrderRow;
  session: SessionRow;
  /** False when the order already had an open session of this gateway, which is returned as it is. */
  created: boolean;
}

/**
 * Opens a personal-QR payment of an unpaid order. The order stays locked until commit, so that a second tap waits here and finds the session.
 * An open session of another gateway is canceled, unless something was reported on it (session_active).
 */
export async function startPayment(ctx: Ctx, tenant: Tenant, input: { order_id: string; gateway: QrGateway }): Promise<StartedPayment> {
  await requireVerified(ctx, tenant);
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.transact((tx) => startOnce(tx, ctx, { tenant, input }));
    } catch (error) {
      if (tries === 5 || !isUniqueViolation(error, "payment_sessions_remark")) throw error;
    }
  }
}

async function startOnce(tx: Tx, ctx: Ctx, given: { tenant: Tenant; input: { order_id: string; gateway: QrGateway } }): Promise<StartedPayment> {
  const { tenant, input } = given;
  const order = await lockOrder(tx, tenant, input.order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  const open = await lockOpenSession(tx, tenant, order.id);
  const held = await lockHeldParts(tx, order, order.id);
  const timed = await atNow(ctx, tx);
  const owedMinor = order.amount_minor - held.reduce((sum, exception) => sum + exception.amount_minor, 0);
  if (open !== null && isReusable(open, { gateway: input.gateway, owedMinor, now: timed.now() })) return { order, session: open, created: false };
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "pending_verify") throw orderErrors.session_active();
  if (order.status !== "unpaid" || order.expires_at <= timed.now()) throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  return openQrSession(tx, timed, { order, open, amount_minor: owedMinor, gateway: input.gateway });
}

/** An open session past its time is replaced, and so is one that asks for another amount than is owed, unless a payment was reported on it. */
function isReusable(open: SessionRow, { gateway, owedMinor, now }: { gateway: string; owedMinor: number; now: Date }): boolean {
  return open.gateway === gateway && (open.status !== "pending" || (open.expires_at > now && open.amount_minor === owedMinor));
}

async function openQrSession(
  tx: Tx,
  timed: Ctx,
  given: { order: OrderRow; open: SessionRow | null; amount_minor: number; gateway: QrGateway },
): Promise<StartedPayment> {
  const { order, open, amount_minor, gateway } = given;
  if (order.currency !== "CNY") throw platformErrors.unsupported_currency({ param: "gateway", message: "Personal receiving codes take CNY alone." });
  const profile = await findProfile(tx, order, channelOf[gateway]);
  if (profile === null || !profile.enabled) throw orderErrors.collection_profile_missing({ param: "gateway", fields: { channel: channelOf[gateway] } });
  if (open !== null) await closeOther(tx, timed, open);
  await checkLimits(tx, timed, { order, profile, amount_minor, gateway });
  const earlier = await reopenSession(tx, { order, profile, amount_minor, gateway });
  if (earlier !== null) return { ...earlier, created: false };
  const session = await insertSession(tx, await sessionOf(tx, timed, { order, profile, amount_minor, gateway }));
  const changed = (await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" })) ?? order;
  await emit(tx, timed, { tenant: order, events: [sessionEvent("payment.session.created", changed, session)] });
  const detail = { order_id: order.id, gateway };
  await recordOfPerson(tx, { ctx: timed, tenant: order, action: "payment_session.created", object_type: "payment_session", object_id: session.id, detail });
  return { order: changed, session, created: true };
}

/** A buyer who switches channels back and forth gets the session of each one again, while its time lasts and it would show the same. */
async function reopenSession(
  tx: Tx,
  given: { order: OrderRow; profile: ProfileRow; amount_minor: number; gateway: QrGateway },
): Promise<{ order: OrderRow; session: SessionRow } | null> {
  const { order, profile, amount_minor, gateway } = given;
  const earlier = await findCanceledSession(tx, order, { orderId: order.id, gateway });
  if (earlier === null || earlier.amount_minor !== amount_minor || earlier.profile_id !== profile.id) return null;
  if (earlier.qr_payload !== profile.qr_payload || earlier.qr_asset_id !== profile.qr_asset_id) return null;
  const session = await updateSession(tx, earlier, { from: ["canceled"], to: "pending" });
  const changed = await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" });
  return session === null ? null : { order: changed ?? order, session };
}

async function closeOther(tx: Tx, timed: Ctx, open: SessionRow): Promise<void> {
  const to = open.expires_at <= timed.now() ? "expired" : "canceled";
  if ((await updateSession(tx, open, { from: ["pending"], to })) === null) throw orderErrors.session_active();
}

async function checkLimits(tx: Tx, timed: Ctx, given: { order: OrderRow; profile: ProfileRow; amount_minor: number; gateway: QrGateway }): Promise<void> {
  const { min_minor, max_minor, daily_total_minor } = given.profile.limits;
  const { amount_minor, order } = given;
  if ((min_minor ?? 0) > amount_minor || amount_minor > (max_minor ?? amount_minor)) {
    throw platformErrors.amount_out_of_range({
      param: "gateway",
      message: `This channel does not take ${decimalOf(amount_minor, order.exponent)} ${order.currency}.`,
    });
  }
  if (daily_total_minor == null) return;
  const total = await findReceivedSince(tx, order, { gateway: given.gateway, since: startOfBeijingDay(timed.now()) });
  if (total + amount_minor > daily_total_minor)
    throw platformErrors.limit_reached({ param: "gateway", message: "This channel has reached its limit for today." });
}

/** Both wallets count their day in Beijing time (UTC+8, no summer time). */
function startOfBeijingDay(now: Date): Date {
  const offset = 8 * 3_600_000;
  return new Date(Math.floor((now.getTime() + offset) / 86_400_000) * 86_400_000 - offset);
}

async function sessionOf(tx: Tx, timed: Ctx, given: { order: OrderRow; profile: ProfileRow; amount_minor: number; gateway: QrGateway }): Promise<SessionRow> {
  const { order, profile, amount_minor, gateway } = given;
  const now = timed.now();
  const id = timed.id("ps");
  const lifetime = new Date(Math.min(now.getTime() + profile.session_minutes * 60_000, order.expires_at.getTime()));
  const asking = await askingOf(tx, timed, { order, profile, amount_minor, until: lifetime });
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id,
    order_id: order.id,
    gateway,
    channel: channelOf[gateway],
    status: "pending",
    amount_minor,
    payable_amount_minor: asking.amount_minor,
    matching_mode: asking.mode,
    remark_code: asking.code,
    asking_id: asking.id,
    flags: asking.is_fallback ? ["ambiguous_amount"] : [],
    currency: order.currency,
    profile_id: profile.id,
    qr_payload: profile.qr_payload,
    qr_asset_id: profile.qr_asset_id,
    payee_name: profile.payee_name,
    instructions: profile.instructions,
    expires_at: lifetime,
    reported_at: null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  };
}

/** How a receipt will find this session: by a person, by the code in its note, or by an amount that nobody else was asked for. */
async function askingOf(tx: Tx, timed: Ctx, given: { order: OrderRow; profile: ProfileRow; amount_minor: number; until: Date }): Promise<AskingRow> {
  const { order, profile, amount_minor, until } = given;
  const account = await findAccount(tx, order, { channel: profile.channel, account_ref: profile.account_ref });
  const asking = await takeAsking(tx, timed, {
    tenant: { project_id: order.project_id, livemode: order.livemode },
    wanted: {
      account,
      order_id: order.id,
      nominal_minor: amount_minor,
      matching: profile.matching,
      min_minor: profile.limits.min_minor,
      until,
    },
  });
  if (asking === null) throw orderErrors.no_free_amount();
  return asking;
}
