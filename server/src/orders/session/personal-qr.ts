import { auditIfPerson } from "#audit/index.ts";
import { findAccount, findProfile, type ProfileRow, type ReservationRow, reserveAmount } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import { type Ctx, decimalOf, platformErrors, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import type { Personal } from "../method/find-method.ts";
import { sessionEvent } from "../order-events.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { findReceivedSince } from "../rows/received.sql.ts";
import { findCanceledSession, insertSession, updateSession } from "../rows/sessions.sql.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";
import { personalData } from "./method-data.ts";
import { newSession } from "./new-session.ts";
import type { StartedPayment, Starting } from "./starting.ts";

interface Offer {
  order: OrderRow;
  method: Personal;
  profile: ProfileRow;
  amount_minor: number;
}

/**
 * Opens a payment to the receiving code of a personal method, or the one that this buyer had open before. Throws
 * collection_profile_missing.
 */
export async function startPersonal(
  tx: Tx,
  pinned: Ctx,
  { order, method, amount_minor, closeOther }: Starting<Personal>,
): Promise<StartedPayment> {
  const { gateway, channel } = method;
  const profile = await findProfile(tx, order, channel);
  if (profile === null || !profile.enabled) throw orderErrors.collection_profile_missing({ param: "gateway", fields: { channel } });
  await closeOther();
  const offer: Offer = { order, method, profile, amount_minor };
  await checkLimits(tx, pinned, offer);
  const earlier = await reopenSession(tx, offer);
  if (earlier !== null) return { ...earlier, created: false };
  const session = await insertSession(tx, await sessionOf(tx, pinned, offer));
  const changed = (await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" })) ?? order;
  await emit(tx, pinned, { tenant: order, events: [sessionEvent("payment.session.created", changed, session)] });
  const detail = { order_id: order.id, gateway };
  await auditIfPerson(tx, {
    ctx: pinned,
    tenant: order,
    action: "payment_session.created",
    object_type: "payment_session",
    object_id: session.id,
    detail,
  });
  return { order: changed, session, created: true };
}

/** A buyer who switches channels back and forth gets the session of each one again, while its time lasts and it would show the same. */
async function reopenSession(
  tx: Tx,
  { order, method, profile, amount_minor }: Offer,
): Promise<{ order: OrderRow; session: SessionRow } | null> {
  const earlier = await findCanceledSession(tx, order, { orderId: order.id, gateway: method.gateway });
  const shown = earlier === null ? null : personalData(earlier);
  if (earlier === null || earlier.amount_minor !== amount_minor || shown?.profile_id !== profile.id) return null;
  if (shown.qr_payload !== profile.qr_payload || shown.qr_asset_id !== profile.qr_asset_id) return null;
  const session = await updateSession(tx, earlier, { from: ["canceled"], to: "pending" });
  const changed = await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" });
  return session === null ? null : { order: changed ?? order, session };
}

async function checkLimits(tx: Tx, pinned: Ctx, { order, method, profile, amount_minor }: Offer): Promise<void> {
  const { min_minor, max_minor, daily_total_minor } = profile.limits;
  if ((min_minor ?? 0) > amount_minor || amount_minor > (max_minor ?? amount_minor)) {
    throw platformErrors.amount_out_of_range({
      param: "gateway",
      message: `This channel doesn't accept ${decimalOf(amount_minor, order.exponent)} ${order.currency}.`,
    });
  }
  if (daily_total_minor == null) return;
  const total = await findReceivedSince(tx, order, { gateway: method.gateway, since: startOfBeijingDay(pinned.now()) });
  if (total + amount_minor > daily_total_minor)
    throw platformErrors.limit_reached({ param: "gateway", message: "This channel has reached its limit for today." });
}

/** Both wallets count their day in Beijing time (UTC+8, no summer time). */
function startOfBeijingDay(now: Date): Date {
  const offset = 8 * 3_600_000;
  return new Date(Math.floor((now.getTime() + offset) / 86_400_000) * 86_400_000 - offset);
}

async function sessionOf(tx: Tx, pinned: Ctx, offer: Offer): Promise<SessionRow> {
  const { order, profile } = offer;
  const expires_at = new Date(Math.min(pinned.now().getTime() + profile.session_minutes * 60_000, order.expires_at.getTime()));
  const reservation = await reserve(tx, pinned, { ...offer, until: expires_at });
  const shown = { ...profile, profile_id: profile.id };
  return newSession(pinned, { ...offer, status: "pending", reservation, matching_mode: reservation.mode, shown, expires_at });
}

/** How a receipt will match this session: by a person, by the code in its note, or by an amount that was requested for no other order. */
async function reserve(tx: Tx, pinned: Ctx, { order, profile, amount_minor, until }: Offer & { until: Date }): Promise<ReservationRow> {
  const account = await findAccount(tx, order, { channel: profile.channel, account_ref: profile.account_ref });
  const reservation = await reserveAmount(tx, pinned, {
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
  if (reservation === null) throw orderErrors.no_free_amount();
  return reservation;
}
