import { sweepFiles } from "#assets/index.ts";
import { type AnchorKeeper, anchorAudit, chainAudit } from "#audit/index.ts";
import { callTasks, type LiveCalls } from "#calls/index.ts";
import { type EmailTransport, emailTasks } from "#email/index.ts";
import { deleteAppliedCallbacks, recheckCredentials, reviveCallbacks, reviveComparisons, tidyGateways } from "#gateways/index.ts";
import { guardTasks } from "#guards/index.ts";
import { notifyLostReceipts, sweepSignIn } from "#identity/index.ts";
import { rollBalances } from "#ledger/index.ts";
import {
  clearBatchDetails,
  deleteExpiredSuppressions,
  deleteOldUsage,
  reportTransportsTask,
  type TransportBoard,
} from "#messaging/index.ts";
import { sendNotices } from "#notices/index.ts";
import {
  createCallbackApplier,
  createPaymentPoller,
  createRefundPoller,
  expireDue,
  reviveGatewayPayments,
  reviveGatewayRefunds,
} from "#orders/index.ts";
import { type Ctx, deleteExpiredKeys, deleteFinishedNotices, onHint, reviveNotices } from "#platform/index.ts";
import { createComparer, deletePreviews, matchWaitingReceipts } from "#reconciliation/index.ts";
import { type SmsTransport, smsTasks } from "#sms/index.ts";
import { verificationTasks } from "#verifications/index.ts";
import { createSender, fanOut, reviveExpired, tidyDeliveries, watchCallbacks, watchFailing } from "#webhooks/index.ts";

/**
 * Periodic work. `run` processes one portion and returns its size; after a portion with work the next follows at once, otherwise after
 * `everyMs`. Once `closing` aborts it starts nothing more.
 */
export interface Task {
  name: string;
  everyMs: number;
  run(ctx: Ctx, closing: AbortSignal): Promise<number>;
  /** Calls `wake` when there is work before the next run; the returned function stops that. */
  listen?(ctx: Ctx, wake: () => void): () => void;
  /** Waits for work that `run` left in progress. Called once, after the last run. */
  finish?(ctx: Ctx): Promise<void>;
}

/** A portion that isn't full waits for the next second: rolling up each transfer separately would cost a commit per transfer. */
async function rollFullPortions(ctx: Ctx, limit: number): Promise<number> {
  const rolled = await rollBalances(ctx, limit);
  return rolled === limit ? rolled : 0;
}

/** Parts of tasks that only the app can choose. */
export interface TaskParts {
  /** How LIVE email is sent; without it LIVE email stays queued. */
  mail?: EmailTransport;
  /** How LIVE SMS are sent, in order of preference. */
  sms?: readonly SmsTransport[];
  /** How LIVE calls are placed; without it they stay queued. */
  calls?: LiveCalls;
  /** The state of this process's transports, for operators. */
  board?: TransportBoard;
  /** Where the ends of the audit log's chains are anchored; if absent, nowhere. */
  anchors?: AnchorKeeper;
}

/** The tasks of one process. Deliveries and emails are in progress between their runs, so each process creates its own. */
export function tasksOf(parts: TaskParts = {}): Task[] {
  const sender = createSender();
  const notified = new Set<string>();
  return [
    { name: "fan_out_events", everyMs: 175, run: (given) => fanOut(given), listen: (given, wake) => onHint(given.db, "events", wake) },
    { name: "deliver_webhooks", everyMs: 175, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "revive_deliveries", everyMs: 4_000, run: (given) => reviveExpired(given) },
    { name: "tidy_deliveries", everyMs: 5_000, run: (given) => tidyDeliveries(given) },
    { name: "watch_failing_webhooks", everyMs: 30_000, run: (given) => watchFailing(given) },
    { name: "watch_failing_callbacks", everyMs: 30_000, run: (given) => watchCallbacks(given) },
    { name: "expire_orders", everyMs: 200, run: (ctx) => expireDue(ctx) },
    { name: "roll_balances", everyMs: 1_000, run: (ctx) => rollFullPortions(ctx, 1_000) },
    { name: "match_waiting_receipts", everyMs: 600_000, run: (ctx) => matchWaitingReceipts(ctx).then(() => 0) },
    { name: "chain_audit", everyMs: 1_000, run: (ctx) => chainAudit(ctx, notified) },
    ...anchorTask(parts),
    { name: "forget_idempotency_keys", everyMs: 60_000, run: (ctx) => ctx.transact((tx) => deleteExpiredKeys(tx, 1_000)) },
    { name: "tell_lost_receipts", everyMs: 600_000, run: (ctx) => notifyLostReceipts(ctx).then(() => 0) },
    { name: "forget_statement_previews", everyMs: 60_000, run: (ctx) => deletePreviews(ctx) },
    { name: "sweep_sign_in", everyMs: 60_000, run: sweepSignIn },
    { name: "sweep_files", everyMs: 60_000, run: sweepFiles },
    { name: "check_gateway_accounts", everyMs: 5_000, run: (ctx) => recheckCredentials(ctx) },
    { name: "tidy_gateways", everyMs: 60_000, run: (ctx) => tidyGateways(ctx) },
    ...emailTasks(parts.mail),
    ...smsTasks(parts.sms ?? []),
    ...callTasks(parts.calls),
    ...verificationTasks(),
    ...guardTasks(),
    ...messagingTasks,
    ...(parts.board === undefined ? [] : [reportTransportsTask(parts.board)]),
    ...noticeTasks,
    ...gatewayTasks(),
  ];
}

/**
 * Queries providers for what they didn't report, applies reports that weren't applied at once, and compares providers' lists with the
 * books.
 */
function gatewayTasks(): Task[] {
  const poller = createPaymentPoller();
  const refunds = createRefundPoller();
  const applier = createCallbackApplier();
  const comparer = createComparer();
  return [
    { name: "ask_gateways", everyMs: 500, run: poller.run, listen: poller.listen, finish: poller.finish },
    { name: "revive_gateway_payments", everyMs: 4_000, run: reviveGatewayPayments },
    { name: "ask_refunds", everyMs: 500, run: refunds.run, listen: refunds.listen, finish: refunds.finish },
    { name: "revive_gateway_refunds", everyMs: 4_000, run: reviveGatewayRefunds },
    { name: "apply_callbacks", everyMs: 1_000, run: applier.run, listen: applier.listen, finish: applier.finish },
    { name: "revive_callbacks", everyMs: 4_000, run: reviveCallbacks },
    { name: "compare_gateways", everyMs: 10_000, run: comparer.run, listen: comparer.listen, finish: comparer.finish },
    { name: "revive_comparisons", everyMs: 4_000, run: reviveComparisons },
    { name: "forget_callbacks", everyMs: 60_000, run: (ctx) => deleteAppliedCallbacks(ctx) },
  ];
}

function anchorTask({ anchors }: TaskParts): Task[] {
  if (anchors === undefined) return [];
  return [{ name: "anchor_audit", everyMs: 60_000, run: (ctx) => anchorAudit(ctx, anchors).then(() => 0) }];
}

const messagingTasks: readonly Task[] = [
  { name: "forget_batch_details", everyMs: 60_000, run: clearBatchDetails },
  { name: "forget_usage", everyMs: 3_600_000, run: deleteOldUsage },
  { name: "forget_suppressions", everyMs: 60_000, run: deleteExpiredSuppressions },
];

const noticeTasks: readonly Task[] = [
  { name: "send_notices", everyMs: 500, run: sendNotices, listen: (given, wake) => onHint(given.db, "notices", wake) },
  { name: "revive_notices", everyMs: 4_000, run: reviveNotices },
  { name: "forget_notices", everyMs: 60_000, run: (ctx) => deleteFinishedNotices(ctx) },
];
