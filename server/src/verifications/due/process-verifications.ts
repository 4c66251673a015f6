import { notifyingCaps } from "#guards/index.ts";
import { AppError, atNow, beginPass, type Ctx, isUnavailable, updatePlanning } from "#platform/index.ts";
import type { Delivery, ReadyMessage } from "../carriers/carrier.ts";
import { carriers, prepareCode } from "../carriers/carriers.ts";
import { changeVerifications } from "../change/change-verifications.ts";
import { earliest, firstLookMs, nextChannel, sendCode } from "../change/send-code.ts";
import { type HeldVerification, lockVerifications } from "../rows/rows.sql.ts";
import type { CodeChannel, VerificationRow } from "../shapes.ts";
import { listDueVerifications, updateDue } from "./sql.ts";

const portion = 50;
const lookMaxMs = 30_000;
/** After a fault of ours. */
const faultSeconds = 30;

/**
 * Processes due verifications: expired ones end; if a message failed, or hasn't arrived in time, the code is sent by the next channel.
 * Several workers may process one; the first to lock it decides. Returns how many there were.
 */
export async function processVerifications(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "tend_verifications", kind: "verification" });
  const due = await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    return listDueVerifications(tx, { limit: portion, without: pass.waiting });
  });
  for (const row of due) await pass.attemptInTurn(row.id, () => processOrPostpone(ctx, row), row.project_id);
  if (due.length < portion) pass.end();
  return due.length;
}

/** Throws only if a verification that fails can't be postponed either. */
async function processOrPostpone(ctx: Ctx, row: VerificationRow): Promise<void> {
  try {
    await processDue(ctx, row);
  } catch (err) {
    if (isUnavailable(err)) throw err;
    ctx.log.error({ err, verification: row.id }, "a verification couldn't be processed; trying again");
    await ctx.transact((tx) => updateDue(tx, row, faultSeconds));
  }
}

interface Findings {
  delivery: Delivery;
  /** The message of the next channel, if it is due. */
  next: { channel: CodeChannel; ready: ReadyMessage } | null;
  /** Why nothing can be sent. */
  refusal: AppError | null;
}

async function processDue(ctx: Ctx, row: VerificationRow): Promise<void> {
  const now = (await atNow(ctx, ctx.db)).now();
  const last = row.sends.at(-1);
  const delivery =
    last === undefined || row.expires_at <= now ? "open" : await carriers[last.channel].deliveryOf(ctx, row, last.message_id);
  const { next, refusal } = isTimeForNext(row, delivery, now) ? await prepareNext(ctx, row, now) : { next: null, refusal: null };
  const tenant = { project_id: row.project_id, livemode: row.livemode };
  await notifyingCaps(ctx, tenant, () => ctx.transact(async (tx) => conclude(tx, ctx, { row, seen: { delivery, next, refusal } }))).catch(
    async (error: unknown) => {
      // The channel's quota is used up, or the merchant's sending was suspended.
      if (!(error instanceof AppError)) throw error;
      await ctx.transact(async (tx) => conclude(tx, ctx, { row, seen: { delivery, next: null, refusal: error } }));
    },
  );
}

/** The code's message for the next channel, if there is one. */
async function prepareNext(ctx: Ctx, row: VerificationRow, now: Date): Promise<Pick<Findings, "next" | "refusal">> {
  const channel = nextChannel(row);
  if (channel === null || row.sends_left === 0) return { next: null, refusal: null };
  try {
    const seconds = Math.ceil((row.expires_at.getTime() - now.getTime()) / 1_000);
    return { next: { channel, ready: await prepareCode(ctx, row, { channel, seconds }) }, refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { next: null, refusal: error };
  }
}

function isTimeForNext({ fallback_at, expires_at }: VerificationRow, delivery: Delivery, now: Date): boolean {
  if (expires_at <= now) return false;
  return typeof delivery === "object" || (delivery === "open" && fallback_at !== null && fallback_at <= now);
}

async function conclude(
  tx: Parameters<typeof lockVerifications>[0],
  ctx: Ctx,
  { row, seen }: { row: VerificationRow; seen: Findings },
): Promise<void> {
  const { project_id, livemode, id } = row;
  const [held] = await lockVerifications(tx, [{ project_id, livemode, id }]);
  const pinned = await atNow(ctx, tx);
  const now = pinned.now();
  // Another worker processed it, a code was checked, or one was sent.
  if (held === undefined || held.status !== "pending" || held.due_at > now || held.sends.length !== row.sends.length) return;
  if (held.expires_at <= now) await changeVerifications(tx, pinned, { held: [held], change: () => ({ to: { status: "expired" } }) });
  else if (seen.next !== null) await sendCode(tx, pinned, { held, cause: "fallback", ...seen.next });
  else await changeVerifications(tx, pinned, { held: [held], change: (one) => ({ to: waiting(one, seen, now) }) });
}

/**
 * When to check again: a message that may still arrive is checked at growing intervals, a finished one not at all. One that arrived, or is
 * arriving, needs no other channel.
 */
function waiting(held: HeldVerification, { delivery, refusal }: Findings, now: Date): Partial<HeldVerification> {
  const error =
    refusal === null
      ? typeof delivery === "object"
        ? delivery
        : held.error
      : { code: refusal.code, message: refusal.message, provider_code: null };
  const isOpen = delivery === "open" || delivery === "arriving";
  const look = isOpen ? new Date(now.getTime() + Math.min(lookMaxMs, firstLookMs * 2 ** Math.min(held.looks, 5))) : null;
  const isReached = delivery === "arriving" || delivery === "arrived";
  const isOver = refusal !== null || isReached || (held.fallback_at !== null && held.fallback_at <= now);
  const fallback_at = isOver ? null : held.fallback_at;
  return { error, looks: held.looks + 1, fallback_at, due_at: earliest(look, fallback_at, held.expires_at) };
}
