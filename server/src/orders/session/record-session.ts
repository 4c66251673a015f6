import { findAccount, type ReservationRow, reserveAmount } from "#collection/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { findPersonal, type Personal } from "../method/find-method.ts";
import { refuseCurrency } from "../method/refuse-currency.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { insertSession } from "../rows/sessions.sql.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";
import { personalData } from "./method-data.ts";
import { newSession, nothingShown } from "./new-session.ts";

/**
 * Stores a payment that wasn't started on the page, of a locked order, at the time of `pinned`. It requests what the order's last one
 * through this gateway requested. `since`: when the money was sent, where that is known. `reported`: it waits for a review; otherwise a
 * person is about to say that it arrived.
 */
export async function recordSession(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; gateway: string; last: SessionRow | null; reported: boolean; since?: Date },
): Promise<SessionRow> {
  const { order, last, reported } = given;
  const method = findPersonal(pinned, given.gateway);
  refuseCurrency(method, { currency: order.currency, param: "gateway" });
  const held = await lockHeldParts(tx, order, order.id);
  const owedMinor = order.amount_minor - held.reduce((sum, part) => sum + part.amount_minor, 0);
  const now = pinned.now();
  const same = last?.gateway === method.gateway && last.amount_minor === owedMinor ? last : null;
  const reservation = await reserveLate(tx, pinned, { order, method, owedMinor, same, since: given.since ?? now });
  const shown = same === null ? null : personalData(same);
  const session = newSession(pinned, {
    order,
    method,
    status: reported ? "pending_verify" : "expired",
    amount_minor: owedMinor,
    reservation,
    matching_mode: reservation.mode === "exact" ? (shown?.matching_mode ?? "exact") : reservation.mode,
    shown: shown ?? nothingShown,
    expires_at: now,
    reported_at: reported ? now : null,
  });
  return insertSession(tx, session);
}

/** What was requested for the order, if it still holds it; otherwise only the amount, which isn't a mark. */
async function reserveLate(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; method: Personal; owedMinor: number; same: SessionRow | null; since: Date },
): Promise<ReservationRow> {
  const { order, method, owedMinor, same } = given;
  const wanted = {
    account: await findAccount(tx, order, { channel: method.channel }),
    order_id: order.id,
    nominal_minor: owedMinor,
    asked_minor: same?.payable_amount_minor ?? owedMinor,
    matching: { mode: "exact" as const, max_offset_minor: 0, strict: false },
    min_minor: null,
    until: pinned.now(),
    since: given.since,
  };
  const reservation = await reserveAmount(tx, pinned, { tenant: { project_id: order.project_id, livemode: order.livemode }, wanted });
  if (reservation === null) throw new Error("an exact reservation was refused");
  return reservation;
}
