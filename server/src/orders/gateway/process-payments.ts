import { atNow, type Ctx, createWorkPool, findNow, type Pooled, reviveJobs, type Tx, type WorkPool } from "#platform/index.ts";
import { isOverdue, maxPolls, pollResult, requestEnd, restartMs, scheduleAt, watchMs } from "../polling/calendar.ts";
import { lockGatewayPayment, updateLockedGatewayPayment, updateWatched, updateWatchRestarted } from "../rows/gateway-payments.sql.ts";
import { updateClaimsWatched } from "../rows/gateway-refunds.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { findSession, updateSession } from "../rows/sessions.sql.ts";
import { isDemo } from "../session/method-data.ts";
import { type GatewayPaymentRow, isOpen, type OrderRow, type SessionRow } from "../shapes.ts";
import { type Applied, failAttempt, raiseVersion } from "./apply-snapshot.ts";
import { openCase } from "./open-case.ts";
import { closePayment, pollPayment } from "./poll-payment.ts";
import { type PaymentJob, paymentQueue, updateLeasedPayments, updatePolled } from "./queue.sql.ts";

const firstWatchMs = 1_000;
/** While someone has the page open, between two polls, so that they come 1, 3, 10 and 30 seconds after it was opened; the last repeats. */
const watchedMs = [2_000, 7_000, 20_000, 30_000];
/** A refund that the buyer has to claim isn't polled more often than this. */
const claimWatchMs = 30_000;

/** The result of a poll: `silent`: no useful response, `absent`: the provider doesn't know the payment. */
type Word = Applied | "closed" | "unopened" | "paid" | "underway" | "absent" | "silent";

const pooled: Pooled<PaymentJob> = {
  queue: paymentQueue,
  leaseMs: 60_000,
  most: 32,
  topic: "gateway_payments",
  jobOf: ({ id }) => id,
  claim: (ctx, wanted) => ctx.transact((tx) => updateLeasedPayments(tx, wanted)),
  work: processPayment,
};

/** One process's share of polling payments whose end wasn't reported. */
export function createPaymentPoller(): WorkPool {
  return createWorkPool(pooled);
}

/** Takes payments from lost workers; returns how many. */
export function reviveGatewayPayments(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, paymentQueue, "revive_gateway_payments");
}

/**
 * Someone has these orders' pages open: their open payments at gateways are polled at 1, 3, 10 and 30 seconds, and then every 30, and so
 * are refunds that wait for the buyer to claim them, which no callback reports. `isBack`: the buyer has just come back from the provider,
 * so this begins again.
 */
export async function watchPayments(
  ctx: Pick<Ctx, "db">,
  orders: Parameters<typeof updateWatched>[1],
  { isBack = false }: { isBack?: boolean } = {},
): Promise<void> {
  const watch = { durationMs: watchMs, firstMs: firstWatchMs };
  await (isBack ? updateWatchRestarted(ctx.db, orders, { ...watch, everyMs: restartMs }) : updateWatched(ctx.db, orders, watch));
  await updateClaimsWatched(ctx.db, orders, { everyMs: claimWatchMs });
}

/** Polls one payment, or closes it if it expired or its session ended here, and schedules the next poll if it is still open. */
async function processPayment(ctx: Ctx, job: PaymentJob): Promise<void> {
  const session = await findSession(ctx.db, job, job.payment_session_id);
  if (session === null) throw new Error("a payment's session vanished");
  const now = await findNow(ctx.db);
  const isOver = !isOpen(session) || (session.status !== "processing" && session.expires_at <= now);
  const word = await wordOf(ctx, job, isOver ? closePayment : pollPayment);
  if (word === "settled" || word === "paid" || word === "mismatch" || word === "ended") return;
  const isEarly = word === "absent" && now < requestEnd(job);
  const isGone = word === "absent" && job.status !== "open" && !isEarly;
  const isEnded = word === "closed" || word === "absent" || (word === "unopened" && session.expires_at <= now);
  // It was in progress, and its provider no longer knows it. A simulated one forgets payments after two weeks.
  const isForgotten = word === "absent" && session.status === "processing";
  if (isGone || (isOver && isEnded) || (isForgotten && isDemo(session))) return endPayment(ctx, job, isGone ? "not_created" : null);
  const schedule = scheduleAt(now.getTime() - job.created_at.getTime());
  const silentAsks = word === "silent" || isForgotten ? silentAsksOf(job, schedule.polls) : 0;
  if (silentAsks >= maxPolls || isStuck(job, word, now)) return abandon(ctx, job);
  const isPayable = word === "unopened" || (!isOver && session.status === "pending");
  const until = isEarly ? requestEnd(job) : isPayable ? session.expires_at : null;
  const next = { watchedMs, calendarMs: schedule.nextMs, until, asks: schedule.polls, silentAsks, wasOpen: !isOver };
  await ctx.transact(async (tx) => {
    await lockOrder(tx, job, job.order_id);
    await updatePolled(tx, job, next);
  });
}

async function wordOf(ctx: Ctx, job: PaymentJob, verb: (ctx: Ctx, payment: PaymentJob) => Promise<Word>): Promise<Word> {
  const word = await pollResult(() => verb(ctx, job));
  return word === "ignored" ? "silent" : word;
}

/**
 * Only the schedule's polls count: an open page has its provider asked so often that a short fault would count as days of silence. So does
 * one that was due while a page was open, because otherwise such a page would keep the payment from a person.
 */
function silentAsksOf({ asks, silent_asks }: PaymentJob, polls: number): number {
  return (silent_asks ?? 0) + (polls > asks ? 1 : 0);
}

function isStuck(job: PaymentJob, word: Word, now: Date): boolean {
  return (word === "processing" || word === "underway") && isOverdue(job, now);
}

/** It can't be paid any more. */
function endPayment(ctx: Ctx, job: PaymentJob, code: string | null): Promise<void> {
  return ctx.transact(async (tx) => {
    const held = await hold(tx, job);
    if (held === null) return;
    const { order, session } = held;
    await updateLockedGatewayPayment(tx, held.payment, { to: "done" });
    if (code !== null) return failAttempt(tx, await atNow(ctx, tx), { order, session, code });
    if ((await updateSession(tx, session, { from: ["pending", "processing"], to: "expired" })) !== null) await raiseVersion(tx, order);
  });
}

/** Its provider hasn't reported the outcome for days: a person has to check, and the order can expire. */
function abandon(ctx: Ctx, job: PaymentJob): Promise<void> {
  return ctx.transact(async (tx) => {
    const held = await hold(tx, job);
    if (held === null) return;
    const { order, session, payment } = held;
    const pinned = await atNow(ctx, tx);
    const amount = { amount_minor: session.amount_minor, currency: session.currency };
    const exception = await openCase(tx, pinned, { order, session, payment, kind: "unmatched", reason: "outcome_unknown", amount });
    await updateLockedGatewayPayment(tx, payment, { to: "done", exceptionId: exception.id });
    const move = { from: ["pending", "processing"], to: "expired", failureCode: "outcome_unknown" } as const;
    if ((await updateSession(tx, session, move)) !== null) await raiseVersion(tx, order);
  });
}

/** Null if another process ended it in the meantime. */
async function hold(tx: Tx, job: PaymentJob): Promise<{ order: OrderRow; session: SessionRow; payment: GatewayPaymentRow } | null> {
  const order = await lockOrder(tx, job, job.order_id);
  const payment = await lockGatewayPayment(tx, job, job.payment_session_id);
  const session = await findSession(tx, job, job.payment_session_id);
  return order === null || session === null || payment === null || payment.status === "done" ? null : { order, session, payment };
}
