import type { Ctx } from "#platform/index.ts";
import { listPersonal, type Personal } from "../method/find-method.ts";
import { newSession, nothingShown } from "../session/new-session.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";
import type { Money } from "./decide.ts";

export type SimulatedOutcome = "paid" | "failed" | "pending_verify" | "underpaid" | "overpaid" | "late" | "duplicate_callback" | "expire";

const simulatedMinutes = 30;

/** The money of a simulated payment of an order. */
export function simulatedMoney(
  pinned: Ctx,
  given: { order: OrderRow; session: SessionRow | null; outcome: SimulatedOutcome; amountMinor: number | null; externalId: string },
): Money {
  const { order, session, outcome } = given;
  return {
    order_id: order.id,
    session_id: session?.id ?? null,
    gateway: session?.gateway ?? simulatedMethod(pinned, null).gateway,
    external_id: given.externalId,
    amount_minor: given.amountMinor ?? simulatedAmount(outcome, session?.payable_amount_minor ?? order.amount_minor),
    currency: order.currency,
    source: "simulation",
    occurred_at: pinned.now(),
  };
}

/** A tenth less or more, so that both sides show in the ledger; an amount of 1 can't be underpaid. */
function simulatedAmount(outcome: SimulatedOutcome, wanted: number): number {
  const tenth = Math.max(1, Math.floor(wanted / 10));
  if (outcome === "underpaid") return Math.max(1, wanted - tenth);
  return outcome === "overpaid" ? wanted + tenth : wanted;
}

/** The most recently tried method, otherwise the first one. */
export function simulatedMethod(ctx: Ctx, last: SessionRow | null): Personal {
  const personal = listPersonal(ctx);
  const method = personal.find(({ gateway }) => gateway === last?.gateway) ?? personal[0];
  if (method === undefined) throw new Error("there is no personal payment method to simulate");
  return method;
}

/** A session for the simulation of a payment that wasn't started, without a receiving code. */
export function simulatedSession(pinned: Ctx, { order, last }: { order: OrderRow; last: SessionRow | null }): SessionRow {
  return newSession(pinned, {
    order,
    method: simulatedMethod(pinned, last),
    status: "pending",
    amount_minor: order.amount_minor - order.amount_held_minor,
    reservation: null,
    matching_mode: "exact",
    shown: nothingShown,
    expires_at: new Date(pinned.now().getTime() + simulatedMinutes * 60_000),
  });
}
