import {
  type ComparisonEnd,
  type ComparisonJob,
  callGateway,
  claimComparisons,
  comparisonQueue,
  GatewayError,
  type ListedLine,
  type OpenAccount,
  openAccount,
  updateCompared,
  updateComparisonDue,
} from "#gateways/index.ts";
import { AppError, type Ctx, createWorkPool, findNow, type Pooled, type WorkPool } from "#platform/index.ts";
import { compareLines } from "./compare-lines.ts";
import type { Compared } from "./fit.ts";
import { nameLines } from "./name-lines.ts";
import { nextSpan, type Span, skippedDays } from "./next-span.ts";
import { reportDifference } from "./report-difference.ts";
import { reportSkipped } from "./report-skipped.ts";
import { reportUnreadable } from "./report-unreadable.ts";
import { listUnlistedPayments, listUnlistedRefunds } from "./sql.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A payment is listed within this many days: some providers pay out after a week or more. */
const graceDays = 14;
/** Near the first compared day, a payment may have been listed the day before. */
const marginMs = dayMs;
/** A provider without a list may have one after an upgrade. */
const recheckMs = 30 * dayMs;
const longestRetryMs = 6 * hourMs;
const unlistedAtOnce = 200;
const maxUnlisted = 2_000;

const pooled: Pooled<ComparisonJob> = {
  queue: comparisonQueue,
  leaseMs: 60_000,
  most: 4,
  topic: "gateway_comparisons",
  jobOf: ({ credential_id }) => credential_id,
  claim: claimComparisons,
  work: compareAccount,
};

/** One process's share of comparing accounts with their providers' lists: one day of one account at a time, so that all take turns. */
export function createComparer(): WorkPool {
  return createWorkPool(pooled);
}

async function compareAccount(ctx: Ctx, job: ComparisonJob): Promise<void> {
  const now = await findNow(ctx.db);
  const { span, dueAt } = nextSpan({ ...job, id: job.credential_id }, now);
  if (dueAt > now) return void (await ctx.transact((tx) => updateComparisonDue(tx, job, dueAt)));
  const opened = await openAccount(ctx, job, job.credential_id).catch(unreadable);
  if (!(opened instanceof Error) && isRetired(opened, now)) return void (await ctx.transact((tx) => updateComparisonDue(tx, job, null)));
  const end =
    opened instanceof Error ? failed(job, now, { error: opened, isRead: false }) : await compareDay(ctx, { job, opened, span, now });
  if (end.status === "failed")
    ctx.log.warn({ gateway: job.gateway, credential: job.credential_id, error: end.error }, "an account couldn't be compared");
  if (end.differences > 0)
    ctx.log.warn(
      { gateway: job.gateway, credential: job.credential_id, differences: end.differences },
      "an account differs from its provider's list",
    );
  await ctx.transact((tx) => updateCompared(tx, job, end));
}

/** Payments of a removed account are compared as long as they may still be listed. */
function isRetired({ credential }: OpenAccount, now: Date): boolean {
  return credential.removed_at !== null && now.getTime() - credential.removed_at.getTime() > 2 * graceDays * dayMs;
}

function unreadable(error: unknown): AppError | GatewayError {
  if (error instanceof AppError || error instanceof GatewayError) return error;
  throw error;
}

async function compareDay(ctx: Ctx, given: { job: ComparisonJob; opened: OpenAccount; span: Span; now: Date }): Promise<ComparisonEnd> {
  const { job, opened, span, now } = given;
  const { listSettled } = opened.account;
  const none = { span: null, lines: 0, differences: 0, error: null, isRead: false };
  if (listSettled === null) return { ...none, status: "unlisted", dueAt: new Date(now.getTime() + recheckMs) };
  let isRead = false;
  try {
    const lines = await callGateway(ctx, { opened, verb: "list_settled", reference: null }, (account, call) =>
      listSettled.call(account, call, span),
    );
    isRead = true;
    const { project_id, livemode, credential_id, gateway, read_attempts } = job;
    const account = { project_id, livemode, credential_id, gateway, attempts: read_attempts + 1 };
    const differences =
      (await compareListed(ctx, account, { opened, lines })) +
      (await reportUnlisted(ctx, { account, since: firstDay(job, span), until: span.to }));
    const skipped = skippedDays(job, span);
    if (skipped !== null) await reportSkipped(ctx, account, skipped);
    const next = nextSpan({ ...job, id: credential_id, compared_until: span.to }, now).dueAt;
    const dueAt = new Date(Math.max(next.getTime(), now.getTime()));
    return { status: differences === 0 ? "equal" : "different", span, lines: lines.length, differences, error: null, isRead, dueAt };
  } catch (error) {
    return failed(job, now, { error: unreadable(error), isRead });
  }
}

/** Returns how many lines didn't match. */
async function compareListed(
  ctx: Ctx,
  account: Compared,
  { opened, lines }: { opened: OpenAccount; lines: readonly ListedLine[] },
): Promise<number> {
  const readable = lines.filter((line) => line.kind !== "unreadable");
  const settled = await nameLines(ctx, account, { opened, lines: readable });
  const rest = lines.filter((line) => line.kind === "unreadable");
  return (await compareLines(ctx, account, settled)) + (await reportUnreadable(ctx, account, rest));
}

/** Since when every day was compared: what the provider listed on skipped days isn't known. */
function firstDay({ begun_at, compared_until }: ComparisonJob, { from }: Span): Date {
  return begun_at === null || (compared_until !== null && from > compared_until) ? from : begun_at;
}

/** The day is compared again in full after an hour, then after twice as long. */
function failed(
  { attempts }: ComparisonJob,
  now: Date,
  { error, isRead }: { error: AppError | GatewayError; isRead: boolean },
): ComparisonEnd {
  const waitMs = Math.min(longestRetryMs, hourMs * 2 ** Math.min(10, Math.max(0, attempts - 1)));
  const { code, message } = error;
  return {
    status: "failed",
    span: null,
    lines: 0,
    differences: 0,
    error: { code, message: message.slice(0, 500) },
    isRead,
    dueAt: new Date(now.getTime() + waitMs),
  };
}

/** Booked payments and refunds that the provider should have listed by now. */
async function reportUnlisted(ctx: Ctx, given: { account: Compared; since: Date; until: Date }): Promise<number> {
  const { account } = given;
  const span = {
    from: new Date(given.since.getTime() + marginMs),
    until: new Date(given.until.getTime() - graceDays * dayMs),
    limit: unlistedAtOnce,
  };
  let found = 0;
  for (let more = true; more && found < maxUnlisted; ) {
    const payments = await listUnlistedPayments(ctx.db, account, span);
    for (const { payment_session_id, order_id, settled_id, paid_minor, paid_currency } of payments) {
      const about = {
        order_id,
        payment_session_id,
        external_id: settled_id ?? payment_session_id,
        amount_minor: paid_minor,
        currency: paid_currency,
      };
      await reportDifference(ctx, account, { ...about, key: `unlisted:${payment_session_id}`, kind: "mismatch", reason: "not_listed" });
    }
    const refunds = await listUnlistedRefunds(ctx.db, account, span);
    for (const { id, order_id, payment_session_id, gateway_refund_id, amount_minor, currency } of refunds) {
      const about = { order_id, payment_session_id, external_id: gateway_refund_id ?? id, amount_minor, currency };
      await reportDifference(ctx, account, {
        ...about,
        key: `unlisted:${id}`,
        kind: "mismatch",
        reason: "refund_not_listed",
        more: { refund_id: id },
      });
    }
    found += payments.length + refunds.length;
    more = payments.length === unlistedAtOnce || refunds.length === unlistedAtOnce;
  }
  return found;
}
