import type { Ctx } from "#platform/index.ts";
import { channelOf, type OrderRow, type QrGateway, type SessionRow } from "../shapes.ts";
import type { Money } from "./decide.ts";

export type SimulatedOutcome = "paid" | "failed" | "pending_verify" | "underpaid" | "overpaid" | "late" | "duplicate_callback" | "expire";

const simulatedMinutes = 30;

/** What comes in for an order when a payment of it is played. */
export function simulatedMoney(
  timed: Ctx,
  given: { order: OrderRow; session: SessionRow | null; outcome: SimulatedOutcome; amountMinor: number | null; externalId: string },
): Money {
  const { order, session, outcome } = given;
  return {
    order_id: order.id,
    session_id: session?.id ?? null,
    gateway: session?.gateway ?? "wechatpay",
    external_id: given.externalId,
    amount_minor: given.amountMinor ?? simulatedAmount(outcome, session?.payable_amount_minor ?? order.amount_minor),
    currency: order.currency,
    source: "simulation",
    occurred_at: timed.now(),
  };
}

/** A tenth less or more, so that both sides show in the ledger; an amount of 1 cannot be underpaid. */
function simulatedAmount(outcome: SimulatedOutcome, wanted: number): number {
  const tenth = Math.max(1, Math.floor(wanted / 10));
  if (outcome === "underpaid") return Math.max(1, wanted - tenth);
  return outcome === "overpaid" ? wanted + tenth : wanted;
}

/** A session for the simulation of a payment that nobody started, without a receiving code. */
export function simulatedSession(timed: Ctx, { order, last }: { order: OrderRow; last: SessionRow | null }): SessionRow {
  const gateway: QrGateway = last?.gateway === "alipay" ? "alipay" : "wechatpay";
  const now = timed.now();
  const amount_minor = order.amount_minor - order.amount_held_minor;
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: timed.id("ps"),
    order_id: order.id,
    gateway,
    channel: channelOf[gateway],
    status: "pending",
    amount_minor,
    payable_amount_minor: amount_minor,
    currency: order.currency,
    profile_id: null,
    qr_payload: null,
    qr_asset_id: null,
    payee_name: null,
    instructions: {},
    matching_mode: "exact",
    remark_code: null,
    asking_id: null,
    flags: [],
    expires_at: new Date(now.getTime() + simulatedMinutes * 60_000),
    reported_at: null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  };
}
