import type { GatewayError, RefundSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, notice, type Tenant, type Tx } from "#platform/index.ts";
import { recountDisputes } from "../../dispute/apply-dispute.ts";
import { afterLosses } from "../../dispute/decide-dispute.ts";
import { listDisputesOfPayment } from "../../rows/disputes.sql.ts";
import { lockException } from "../../rows/exceptions.sql.ts";
import {
  lockGatewayRefund,
  updateGatewayRefundEnded,
  updateGatewayRefundReported,
  updateGatewayRefundRequested,
} from "../../rows/gateway-refunds.sql.ts";
import { lockOrder, updateOrder } from "../../rows/orders.sql.ts";
import { findRefundRow, lockRefund, updateRefundInProgress, updateRefundSucceeded } from "../../rows/refunds.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, GatewayRefundRow, OrderRow, RefundRow } from "../../shapes.ts";
import { closeRefundCase } from "../booking/close-refund-case.ts";
import { failLocked } from "../booking/fail-locked.ts";
import { findLeft } from "../booking/held.ts";
import { notifyBuyer } from "../booking/notify-buyer.ts";
import { notifyRefunded } from "../booking/notify-refunded.ts";
import { takeOut, takeOutHeld } from "../booking/take-out.ts";
import { interpretRefund, type RefundVerdict } from "./interpret-refund.ts";

/** The result of a provider's report on a refund: `odd` changed nothing, because it contradicts the refund's state. */
export type RefundWord = "ended" | "pending" | "requires_action" | "odd";

/** A refund with the rows that it affects, all locked. */
interface HeldRefund {
  order: OrderRow | null;
  exception: ExceptionRow | null;
  refund: RefundRow;
  question: GatewayRefundRow;
}

/**
 * Stores a provider's report on a refund, in one transaction under the order's lock. Money leaves the books when the provider confirms the
 * refund, and returns if the provider reports a failure later. A repeated report changes nothing.
 */
export function applyRefund(ctx: Ctx, key: Tenant & { id: string }, snapshot: RefundSnapshot): Promise<RefundWord> {
  return ctx.transactUnclaimed(async (tx) => {
    const held = await holdRefund(tx, key);
    const pinned = await atNow(ctx, tx);
    const verdict = interpretRefund({ ...held, snapshot });
    if (verdict.kind === "odd") return "odd";
    if (verdict.kind === "known") {
      await updateGatewayRefundEnded(tx, held.question);
      return "ended";
    }
    const isFinal = verdict.kind === "succeeded" || verdict.kind === "failed";
    await updateGatewayRefundReported(tx, held.question, {
      providerRefundId: snapshot.providerRefundId,
      providerState: snapshot.providerState,
      isFinal,
    });
    if (isFinal) await closeRefundCase(tx, pinned, { ...held, note: null });
    return carryOut(tx, pinned, { held, verdict, snapshot });
  });
}

interface Decided {
  held: HeldRefund;
  verdict: Exclude<RefundVerdict, { kind: "odd" | "known" }>;
  snapshot: RefundSnapshot;
}

async function carryOut(tx: Tx, pinned: Ctx, { held, verdict, snapshot }: Decided): Promise<RefundWord> {
  if (verdict.kind === "succeeded") {
    await payBack(tx, pinned, { ...held, amountMinor: verdict.amountMinor, gatewayRefundId: snapshot.providerRefundId });
    return "ended";
  }
  if (verdict.kind === "failed") {
    const failed = await failLocked(tx, pinned, { ...held, code: verdict.code, note: verdict.message === "" ? null : verdict.message });
    await notifyPeople(tx, pinned, failed);
    return "ended";
  }
  const action = verdict.kind === "requires_action" ? { type: "redirect" as const, url: verdict.url } : null;
  await moveInProgress(tx, pinned, { ...held, to: verdict.kind, action, gatewayRefundId: snapshot.providerRefundId });
  return verdict.kind;
}

/** The order first, then its exception, as everywhere. */
async function holdRefund(tx: Tx, key: Tenant & { id: string }): Promise<HeldRefund> {
  const seen = await findRefundRow(tx, key, key.id);
  const order = seen === null || seen.order_id === null ? null : await lockOrder(tx, key, seen.order_id);
  const exception = seen === null || seen.exception_id === null ? null : await lockException(tx, key, seen.exception_id);
  const refund = await lockRefund(tx, key, key.id);
  const question = await lockGatewayRefund(tx, key, key.id);
  if (refund === null || question === null) throw new Error("a provider's refund vanished");
  return { order, exception, refund, question };
}

async function payBack(tx: Tx, pinned: Ctx, given: HeldRefund & { amountMinor: number; gatewayRefundId: string | null }): Promise<void> {
  const { order, exception, amountMinor, gatewayRefundId } = given;
  const source = given.refund;
  const number = source.gateway_refund_id ?? gatewayRefundId;
  const transaction = await (exception === null
    ? takeOut(tx, pinned, { order: present(order), refund: source, amountMinor, number })
    : takeOutHeld(tx, pinned, { exception, refundId: source.id }));
  const booked = { amountMinor, transactionId: transaction.id, gatewayRefundId };
  const refund = unmoved(await updateRefundSucceeded(tx, source, { from: [source.status], ...booked }));
  await notifyRefunded(tx, pinned, { refund, transaction });
  await recountDisputes(tx, pinned, refund);
}

async function moveInProgress(
  tx: Tx,
  pinned: Ctx,
  given: HeldRefund & { to: "pending" | "requires_action"; action: RefundRow["next_action"]; gatewayRefundId: string | null },
): Promise<void> {
  const { order, refund: before, to, action, gatewayRefundId } = given;
  const isNews = before.status !== to || JSON.stringify(before.next_action) !== JSON.stringify(action);
  const isNamed = before.gateway_refund_id !== null || gatewayRefundId === null;
  if (!isNews && isNamed) return;
  const refund = unmoved(await updateRefundInProgress(tx, before, { from: [before.status], to, nextAction: action, gatewayRefundId }));
  // Its order's page shows where to claim the money; a refund of the order's own payment has raised its version.
  if (order !== null && refund.exception_id !== null) await updateOrder(tx, order, { from: [order.status], to: order.status });
  if (to === "requires_action" && before.status !== to && order !== null)
    await notifyBuyer(tx, pinned, { kind: "refund_claim", refund, order });
}

/** A refund that its provider certainly didn't make: its amount is available again. No email is sent to the caller who gets the refusal. */
export function failUnmade(
  ctx: Ctx,
  key: Tenant & { id: string },
  given: { error: GatewayError; note: string; isAwaited: boolean },
): Promise<RefundWord> {
  return ctx.transactUnclaimed(async (tx) =>
    failHeld(tx, await atNow(ctx, tx), { held: await holdRefund(tx, key), code: given.error.code, ...given }),
  );
}

interface Unmade {
  held: HeldRefund;
  code: string;
  note: string;
  /** A caller waits for the outcome. */
  isAwaited: boolean;
}

async function failHeld(tx: Tx, pinned: Ctx, { held, code, note, isAwaited }: Unmade): Promise<RefundWord> {
  const { order, refund, question } = held;
  // A callback was faster, and has newer information.
  if (question.told_at !== null || refund.status === "succeeded" || refund.status === "failed") return "odd";
  await updateGatewayRefundEnded(tx, question);
  await closeRefundCase(tx, pinned, { question, order, note: null });
  const failed = await failLocked(tx, pinned, { refund, order, code, note });
  if (!isAwaited) await notifyPeople(tx, pinned, failed);
  return "ended";
}

/** The failure code of a refund whose money a dispute took before it was requested. */
export const lostToDispute = "disputed";

/**
 * Whether a refund can be requested although its payment was disputed since it was stored; null if so, and its time is recorded. While a
 * dispute is open, it waits: the provider may pay the buyer twice. One that finds too little left after a lost dispute has failed.
 */
export async function heedDisputes(
  ctx: Ctx,
  key: Tenant & { id: string },
  { payment, isAwaited }: { payment: GatewayPaymentRow; isAwaited: boolean },
): Promise<RefundWord | "disputed" | null> {
  // The first request is made when the refund is stored, and needs no time of its own.
  if (isAwaited && (await listDisputesOfPayment(ctx.db, payment)).length === 0) return null;
  return ctx.transactUnclaimed(async (tx) => {
    const held = await holdRefund(tx, key);
    const disputes = await listDisputesOfPayment(tx, payment);
    if (disputes.some(({ status }) => status === "opened")) return "disputed";
    // What is left was determined when it was stored, immediately before the caller's request.
    const left = isAwaited ? null : await findLeft(tx, payment, held.refund.currency);
    if (left !== null && left.leftMinor < 0) {
      const note = "A dispute took the money of this payment before the refund was requested.";
      return failHeld(tx, await atNow(ctx, tx), { held, code: lostToDispute, note, isAwaited });
    }
    await updateGatewayRefundRequested(tx, held.question, afterLosses(disputes));
    return null;
  });
}

/** A refund of a simulated provider that has forgotten it: there was no real money, and its amount is available again. */
export function failUnknown(ctx: Ctx, key: Tenant & { id: string }): Promise<void> {
  return ctx.transactUnclaimed(async (tx) => {
    const { order, refund, question } = await holdRefund(tx, key);
    if (question.state === "done") return;
    await updateGatewayRefundEnded(tx, question);
    if (refund.status === "succeeded" || refund.status === "failed") return;
    const pinned = await atNow(ctx, tx);
    await closeRefundCase(tx, pinned, { question, order, note: null });
    await failLocked(tx, pinned, { refund, order, code: "forgotten", note: "The simulated provider has forgotten this payment." });
  });
}

/** It is unknown whether the provider has the refund. */
export function noteUnknown(ctx: Ctx, key: Tenant & { id: string }): Promise<void> {
  return ctx.transactUnclaimed(async (tx) => {
    const { refund, question } = await holdRefund(tx, key);
    if (refund.status !== "pending" || question.told_at !== null) return;
    unmoved(await updateRefundInProgress(tx, refund, { from: ["pending"], to: "unknown", nextAction: null, gatewayRefundId: null }));
  });
}

/** People with refund permission are notified of a refund that failed later. */
async function notifyPeople(tx: Tx, pinned: Ctx, refund: RefundRow): Promise<void> {
  const params = { project_id: refund.project_id, livemode: refund.livemode, refund_id: refund.id };
  await notice(tx, pinned, { kind: "refund_failed", recipient: refund.project_id, params });
}

function present(order: OrderRow | null): OrderRow {
  if (order === null) throw new Error("the order of a refund vanished");
  return order;
}

function unmoved(refund: RefundRow | null): RefundRow {
  if (refund === null) throw new Error("a locked refund changed under its lock");
  return refund;
}
