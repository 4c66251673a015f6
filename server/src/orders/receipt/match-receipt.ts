import { listTwins, lockChannel, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { lockOrder } from "../order/sql.ts";
import { settle } from "../settle/settle.ts";
import { findReceived, lockUnreceipted, type ReceivedRow, updateReceivedReceipt } from "../settle/sql.ts";
import { gatewayOf } from "../shapes.ts";
import { type Candidate, listCandidates } from "./sql.ts";

/** What a receipt shows: nothing new (linked), a payment (matched), or something for a person to decide (unmatched, with suggested sessions). */
export interface Matched {
  receipt: ReceiptRow;
  suggestions: string[];
}

/**
 * Finds what a new receipt belongs to. It links to money that is booked already before it may settle anything, so that one transfer
 * seen by a reviewer, a statement and a listener is booked once; it settles by itself only where exactly one session fits and its mode permits.
 */
export async function matchReceipt(tx: Tx, ctx: Ctx, receipt: ReceiptRow): Promise<Matched> {
  const gateway = gatewayOf[receipt.channel];
  await lockChannel(tx, receipt, receipt.channel);
  const candidates = await holdCandidates(tx, receipt);
  const known = receipt.external_id === null ? null : await findReceived(tx, receipt, { gateway, externalId: receipt.external_id });
  // A number that was booked with another amount is for a person: one of the two is mistaken.
  if (known !== null && known.amount_minor !== receipt.amount_minor)
    return suggest(receipt, known.payment_session_id === null ? [] : [known.payment_session_id]);
  if (known !== null) return link(tx, ctx, { receipt, booked: known });
  const booked = await lockUnreceipted(tx, receipt, { gateway, amountMinor: receipt.amount_minor, occurredAt: receipt.occurred_at });
  const twins = await listTwins(tx, receipt);
  const fits = nearest(
    [
      ...booked.map((row) => ({ at: row.occurred_at, row, sessionId: row.payment_session_id, twinId: null })),
      ...twins.map((twin) => ({ at: twin.occurred_at, row: null, sessionId: twin.payment_session_id, twinId: twin.id })),
    ],
    receipt,
  );
  const [only] = fits;
  if (fits.length > 1)
    return suggest(
      receipt,
      fits.flatMap((fit) => fit.sessionId ?? []),
    );
  if (only === undefined) return settleReceipt(tx, ctx, { receipt, candidates });
  return only.row === null
    ? keep(tx, ctx, { receipt, status: "linked", sessionId: only.sessionId, twinId: only.twinId })
    : link(tx, ctx, { receipt, booked: only.row });
}

interface Fit {
  at: Date;
  row: ReceivedRow | null;
  sessionId: string | null;
  twinId: string | null;
}

/** Of several fits the one within a minute of the receipt is it, when there is just one. */
function nearest(fits: Fit[], receipt: ReceiptRow): Fit[] {
  const close = fits.filter((fit) => Math.abs(fit.at.getTime() - receipt.occurred_at.getTime()) <= 60_000);
  return close.length === 1 ? close : fits;
}

async function link(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; booked: ReceivedRow }): Promise<Matched> {
  const { receipt, booked } = given;
  await updateReceivedReceipt(tx, receipt, { gateway: booked.gateway, externalId: booked.external_id, receiptId: receipt.id });
  return keep(tx, ctx, { receipt, status: "linked", sessionId: booked.payment_session_id });
}

/** Sessions that this receipt could pay, their orders locked, so that what is compared next does not change: a reviewer may be approving one right now. */
async function holdCandidates(tx: Tx, receipt: ReceiptRow): Promise<Candidate[]> {
  const { channel, amount_minor, currency, occurred_at } = receipt;
  const wanted = { channel, amountMinor: amount_minor, currency, occurredAt: occurred_at };
  const seen = await listCandidates(tx, receipt, wanted);
  for (const id of [...new Set(seen.map((candidate) => candidate.order_id))].sort()) await lockOrder(tx, receipt, id);
  return seen.length === 0 ? seen : listCandidates(tx, receipt, wanted);
}

async function settleReceipt(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; candidates: Candidate[] }): Promise<Matched> {
  const { receipt, candidates: all } = given;
  const named =
    receipt.remark === null ? [] : all.filter((candidate) => candidate.remark_code !== null && noteHolds(receipt.remark ?? "", candidate.remark_code));
  const candidates = named.length > 0 ? named : all;
  const live = candidates.filter((candidate) => isLive(candidate, receipt));
  const [only] = live;
  if (live.length === 1 && only !== undefined && permits(only, receipt)) return book(tx, ctx, { receipt, candidate: only });
  if (live.length > 0)
    return suggest(
      receipt,
      live.map((candidate) => candidate.id),
    );
  const [late, another] = candidates;
  if (late === undefined || another !== undefined) return book(tx, ctx, { receipt, candidate: null });
  // A transfer made in time, told of after it: whether it may pay by itself is a matter of the mode, not of when it was told.
  if (isPayable(late) && receipt.occurred_at <= late.expires_at && !permits(late, receipt)) return suggest(receipt, [late.id]);
  return book(tx, ctx, { receipt, candidate: late });
}

function isLive(candidate: Candidate, receipt: ReceiptRow): boolean {
  return isPayable(candidate) && candidate.status !== "expired" && (candidate.status === "pending_verify" || receipt.occurred_at <= candidate.expires_at);
}

function isPayable(candidate: Candidate): boolean {
  return candidate.order_status === "unpaid" || candidate.order_status === "pending_verify";
}

/** Personal receipts without a mark of their own wait for a person. */
function permits(candidate: Candidate, receipt: ReceiptRow): boolean {
  if (receipt.occurred_at > candidate.expires_at) return false;
  if (candidate.matching_mode === "unique_amount") return true;
  return candidate.matching_mode === "remark" && candidate.remark_code !== null && noteHolds(receipt.remark ?? "", candidate.remark_code);
}

/** The code as a number of its own inside the note: 4821 is not in 148210. */
function noteHolds(note: string, code: string): boolean {
  return new RegExp(`(?<!\\d)${code}(?!\\d)`).test(note);
}

async function book(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; candidate: Candidate | null }): Promise<Matched> {
  const { receipt, candidate } = given;
  const settled = await settle(tx, ctx, {
    tenant: receipt,
    money: {
      order_id: candidate?.order_id ?? null,
      session_id: candidate?.id ?? null,
      gateway: gatewayOf[receipt.channel],
      external_id: receipt.external_id ?? `receipt:${receipt.id}`,
      amount_minor: receipt.amount_minor,
      currency: receipt.currency,
      source: "receipt",
      occurred_at: receipt.occurred_at,
      receipt_id: receipt.id,
    },
  });
  const { exception } = settled;
  return keep(tx, ctx, { receipt, status: "matched", sessionId: exception === null ? (candidate?.id ?? null) : null, exceptionId: exception?.id ?? null });
}

async function keep(
  tx: Tx,
  ctx: Ctx,
  given: { receipt: ReceiptRow; status: "matched" | "linked"; sessionId: string | null; exceptionId?: string | null; twinId?: string | null },
): Promise<Matched> {
  const receipt = await updateReceipt(tx, given.receipt, {
    status: given.status,
    payment_session_id: given.sessionId,
    exception_id: given.exceptionId ?? null,
    now: ctx.now(),
    ...(given.twinId == null ? {} : { twin_id: given.twinId }),
  });
  return { receipt: receipt ?? given.receipt, suggestions: [] };
}

function suggest(receipt: ReceiptRow, suggestions: string[]): Matched {
  return { receipt, suggestions };
}
