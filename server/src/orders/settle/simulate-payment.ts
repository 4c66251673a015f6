import { emit } from "#events/index.ts";
import { atNow, type Ctx, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { expireOrder } from "../order/expire-due.ts";
import { failureEvents, sessionEvent } from "../order-events.ts";
import { listBundles, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession, insertSession, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { announceReview, awaitReview } from "../session/report-payment.ts";
import { channelOf, type OrderBundle, type OrderRow, type QrGateway, type SessionRow } from "../shapes.ts";
import { settle } from "./settle.ts";

export type SimulatedOutcome = "paid" | "failed" | "pending_verify" | "underpaid" | "overpaid" | "late" | "duplicate_callback" | "expire";

export interface SimulationInput {
  order_id: string;
  outcome?: SimulatedOutcome;
  amount_minor?: number;
}

const simulatedMinutes = 30;

/** Plays a payment in TEST through the real settle path. Throws environment_mismatch in LIVE, order_already_paid and order_state_conflict. */
export async function simulatePayment(ctx: Ctx, tenant: Tenant, input: SimulationInput): Promise<OrderBundle> {
  if (tenant.livemode) throw platformErrors.environment_mismatch();
  const outcome = input.outcome ?? "paid";
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    if (order.status === "paid") throw orderErrors.order_already_paid();
    if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
    await play(tx, await atNow(ctx, tx), { order, outcome, amountMinor: input.amount_minor ?? null });
    const [after] = await listBundles(tx, [order]);
    return after as OrderBundle;
  });
}

interface Play {
  order: OrderRow;
  outcome: SimulatedOutcome;
  amountMinor: number | null;
}

async function play(tx: Tx, timed: Ctx, given: Play): Promise<void> {
  const { order, outcome } = given;
  if (outcome === "expire") return void (await expireNow(tx, timed, order));
  if (outcome === "late") return paySimulated(tx, timed, { ...given, order: await expireNow(tx, timed, order) });
  if (outcome === "failed") return failSession(tx, timed, order);
  if (outcome === "pending_verify") return reportSimulated(tx, timed, order);
  return paySimulated(tx, timed, given);
}

async function expireNow(tx: Tx, timed: Ctx, order: OrderRow): Promise<OrderRow> {
  if (order.status === "expired") return order;
  if (order.status !== "unpaid") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const expired = await expireOrder(tx, order);
  await emit(tx, timed, { tenant: order, events: failureEvents(expired) });
  return expired;
}

async function failSession(tx: Tx, timed: Ctx, order: OrderRow): Promise<void> {
  if (order.status !== "unpaid") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const session = await openSession(tx, timed, order);
  const failed = await updateSession(tx, session, { from: ["pending", "processing"], to: "failed", failureCode: "declined" });
  const changed = (await updateOrder(tx, order, { from: ["unpaid"], to: "unpaid" })) ?? order;
  if (failed !== null) await emit(tx, timed, { tenant: order, events: [sessionEvent("payment.session.failed", changed, failed)] });
}

async function reportSimulated(tx: Tx, timed: Ctx, order: OrderRow): Promise<void> {
  if (order.status === "unpaid") await openSession(tx, timed, order);
  const { session, moved } = await awaitReview(tx, timed, { order, gateway: "wechatpay" });
  if (moved !== null) await announceReview(tx, timed, { order: moved, session, voucher: null });
}

async function paySimulated(tx: Tx, timed: Ctx, given: Play): Promise<void> {
  const { order, outcome } = given;
  const session =
    order.status === "unpaid"
      ? await openSession(tx, timed, order)
      : ((await lockOpenSession(tx, order, order.id)) ?? (await findLatestSession(tx, order, order.id)));
  const wanted = session?.payable_amount_minor ?? order.amount_minor;
  const money = {
    order_id: order.id,
    session_id: session?.id ?? null,
    gateway: session?.gateway ?? "wechatpay",
    external_id: `simulated:${timed.id("req")}`,
    amount_minor: given.amountMinor ?? simulatedAmount(outcome, wanted),
    currency: order.currency,
    source: "simulation",
    occurred_at: timed.now(),
  } as const;
  await settle(tx, timed, { tenant: order, money });
  if (outcome === "duplicate_callback") await settle(tx, timed, { tenant: order, money });
}

/** A tenth less or more, so that both sides show in the ledger; an amount of 1 cannot be underpaid. */
function simulatedAmount(outcome: SimulatedOutcome, wanted: number): number {
  const tenth = Math.max(1, Math.floor(wanted / 10));
  if (outcome === "underpaid") return Math.max(1, wanted - tenth);
  return outcome === "overpaid" ? wanted + tenth : wanted;
}

/** The order's open session, or one made for the simulation without a receiving code. */
async function openSession(tx: Tx, timed: Ctx, order: OrderRow): Promise<SessionRow> {
  const [open, last] = await pipeline(tx, (pipe) => [lockOpenSession(pipe, order, order.id), findLatestSession(pipe, order, order.id)]);
  if (open !== null) return open;
  const gateway: QrGateway = last?.gateway === "alipay" ? "alipay" : "wechatpay";
  const now = timed.now();
  const amount_minor = order.amount_minor - order.amount_held_minor;
  const session: SessionRow = {
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
  const created = { tenant: order, events: [sessionEvent("payment.session.created", order, session)] };
  const [made] = await pipeline(tx, (pipe) => [insertSession(pipe, session), emit(pipe, timed, created)]);
  return made;
}
