import type { SettledLine } from "#gateways/index.ts";
import {
  findException,
  findGatewayPayment,
  type GatewayPaymentRow,
  isEarlierId,
  lostReference,
  pollPayment,
  takeStrangeMoney,
  updateListed,
} from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { askAboutLine } from "./ask-about-line.ts";
import { compareRefund } from "./compare-refund.ts";
import type { Compared, Fit, Known } from "./fit.ts";
import { type ListedFee, recordFees } from "./record-fees.ts";
import { reportDifference } from "./report-difference.ts";
import { type Account, listNamedPayments, listNamedRefunds, type NamedPayment } from "./sql.ts";

/** How many lines are looked up and written at once. */
const portion = 200;

/**
 * Compares a provider's list with the database. For payments that aren't known to be paid, the provider is asked, and they settle as usual;
 * the rest is reported to a person, once. Safe to repeat. Throws GatewayError if the provider doesn't respond, except after several
 * attempts; returns how many lines didn't match.
 */
export async function compareLines(ctx: Ctx, account: Compared, lines: readonly SettledLine[]): Promise<number> {
  let differences = 0;
  for (let at = 0; at < lines.length; at += portion) {
    const some = lines.slice(at, at + portion);
    const known = await findNamed(ctx, account, some);
    const fits: Fit[] = [];
    for (const line of some)
      fits.push(
        await (line.kind === "payment" ? comparePayment(ctx, account, { line, known }) : compareRefund(ctx, account, { line, known })),
      );
    const payments = fits.flatMap((fit) => (fit.kind === "other" || fit.payment === undefined ? [] : [fit.payment]));
    const refunds = fits.flatMap((fit) => (fit.kind === "other" || fit.refund === undefined ? [] : [fit.refund]));
    await recordFees(ctx, feesOf(known.payments, some));
    await ctx.transactUnclaimed((tx) => updateListed(tx, account, { payments, refunds }));
    differences += fits.filter(({ kind }) => kind === "differs").length;
  }
  return differences;
}

async function findNamed(ctx: Ctx, account: Account, lines: readonly SettledLine[]): Promise<Known> {
  const named = (wanted: SettledLine["kind"] | null, pick: (line: SettledLine) => (string | null)[]) =>
    lines.filter(({ kind }) => wanted === null || kind === wanted).flatMap((line) => pick(line).filter((name) => name !== null));
  const payments = await listNamedPayments(ctx.db, account, {
    references: named("payment", ({ reference }) => [reference]),
    ids: [...named(null, ({ captureId }) => [captureId]), ...named("payment", ({ providerId }) => [providerId])],
  });
  const isRefunds = lines.some(({ kind }) => kind === "refund");
  if (!isRefunds) return { payments, refunds: [] };
  const references = named("refund", ({ reference }) => [reference]);
  return {
    payments,
    refunds: await listNamedRefunds(ctx.db, account, { references, ids: named("refund", ({ providerId }) => [providerId]) }),
  };
}

async function comparePayment(ctx: Ctx, account: Compared, { line, known }: { line: SettledLine; known: Known }): Promise<Fit> {
  const { captureId, providerId, amount } = line;
  const payment = findPayment(known.payments, line);
  if (payment === null) return compareStrange(ctx, account, line);
  const external_id = captureId ?? providerId ?? payment.payment_session_id;
  const about = { order_id: payment.order_id, payment_session_id: payment.payment_session_id, external_id, ...amount };
  if (payment.settled_id === null || isEarlierId(payment, providerId)) {
    const after = await pollAgain(ctx, account, { payment, named: providerId });
    const difference = { ...about, key: `unsettled:${payment.payment_session_id}`, kind: "unmatched", reason: "listed_unsettled" } as const;
    if (after.settled_id === null && !(await isReported(ctx, after))) await reportDifference(ctx, account, difference);
    return { kind: "differs", payment: payment.id };
  }
  const more = { booked_minor: payment.booked_minor, booked_currency: payment.paid_currency };
  if (!isInBooks(payment, amount)) {
    const difference = { ...about, key: `unbooked:${payment.payment_session_id}`, kind: "unmatched", reason: "listed_unsettled" } as const;
    await reportDifference(ctx, account, payment.booked_minor === 0 ? difference : { ...difference, more });
    return { kind: "differs", payment: payment.id };
  }
  // It wasn't known when the payment was paid, and no callback asked about it since.
  const isFeeMissing = line.hasFee === true && payment.fee_minor === null && payment.is_booked;
  if (isFeeMissing) await pollAgain(ctx, account, { payment, named: null, isFeeMissing });
  if (payment.paid_minor === null || isListedAs(payment, line)) return { kind: "fits", payment: payment.id };
  await reportDifference(ctx, account, {
    ...about,
    key: `amount:${payment.payment_session_id}`,
    kind: "mismatch",
    reason: "listed_amount",
    more,
  });
  return { kind: "differs", payment: payment.id };
}

/** How an exception was resolved if its money is in the books, or was refunded. */
const withMoney: readonly (string | null)[] = ["accept", "applied", "refund"];

/** Whether the payment's exception waits for a decision, or was decided with its money. An ignored one was decided without the list. */
async function isReported(ctx: Ctx, payment: GatewayPaymentRow): Promise<boolean> {
  const exception = payment.exception_id === null ? null : await findException(ctx.db, payment, payment.exception_id);
  return exception !== null && (exception.status === "open" || withMoney.includes(exception.resolution));
}

/** The fees that only these lines tell, one for each payment; none of payments that a person reversed, or that have another id by now. */
function feesOf(payments: readonly NamedPayment[], lines: readonly SettledLine[]): ListedFee[] {
  const fees = new Map<string, ListedFee>();
  for (const line of lines) {
    const payment = line.kind === "payment" ? findPayment(payments, line) : null;
    if (payment === null || line.fee === undefined || payment.fee_minor !== null || fees.has(payment.id)) continue;
    const isOfPayment = payment.settled_id === null || (payment.is_booked && !isEarlierId(payment, line.providerId));
    if (isOfPayment) fees.set(payment.id, { payment, fee: line.fee });
  }
  return [...fees.values()];
}

/** If its first money was reversed as never received, what was paid in addition may still be in the books, and be all that is listed. */
function isInBooks({ is_booked, booked_minor, paid_currency }: NamedPayment, listed: SettledLine["amount"]): boolean {
  return is_booked || (paid_currency === listed.currency && booked_minor >= listed.amount_minor);
}

/** A fee of 0 reported with the payment means that the buyer paid the provider's fee, which the listed amount may contain. */
function isListedAs({ booked_minor, paid_currency, fee_minor }: NamedPayment, { amount, includedFee }: SettledLine): boolean {
  if (paid_currency !== amount.currency) return false;
  const onTop = fee_minor === 0 && includedFee?.currency === amount.currency ? includedFee.amount_minor : 0;
  return booked_minor === amount.amount_minor || booked_minor === amount.amount_minor - onTop;
}

function findPayment(payments: readonly NamedPayment[], { reference, captureId, providerId }: SettledLine): NamedPayment | null {
  const byReference = reference === null ? undefined : payments.find(({ payment_session_id }) => payment_session_id === reference);
  const byCapture = captureId === null ? undefined : payments.find(({ capture_id }) => capture_id === captureId);
  const byId = providerId === null ? undefined : payments.find(({ provider_id }) => provider_id === providerId);
  const byEarlierId = payments.find((payment) => isEarlierId(payment, providerId));
  return byReference ?? byCapture ?? byId ?? byEarlierId ?? null;
}

/**
 * A listed payment. The provider is asked about one that isn't known to be paid, or lacks its fee, and about an earlier id, and the result
 * is stored as usual.
 */
export async function pollAgain(
  ctx: Ctx,
  account: Compared,
  given: { payment: NamedPayment; named: string | null; isFeeMissing?: boolean },
): Promise<GatewayPaymentRow> {
  const { named, isFeeMissing = false } = given;
  const find = async () => {
    const found = await findGatewayPayment(ctx.db, account, given.payment.payment_session_id);
    if (found === null) throw new Error("a listed payment vanished");
    return found;
  };
  const payment = await find();
  if (payment.settled_id !== null && !isEarlierId(payment, named) && !isFeeMissing) return payment;
  await askAboutLine(ctx, account, { question: () => pollPayment(ctx, payment, named), refusals: ["not_found"] });
  return find();
}

/** One of our references without a payment here, for example after a database was restored. */
async function compareStrange(ctx: Ctx, account: Compared, line: SettledLine): Promise<Fit> {
  const { captureId, providerId, amount } = line;
  const reference = await lostReference(ctx, line.reference);
  if (reference === null) return { kind: "other" };
  const question = () => takeStrangeMoney(ctx, account, { reference, providerId });
  if ((await askAboutLine(ctx, account, { question, refusals: [] })) === "applied") return { kind: "differs" };
  const about = { order_id: null, payment_session_id: null, external_id: captureId ?? providerId ?? reference, ...amount };
  await reportDifference(ctx, account, { ...about, key: `unknown:${reference}`, kind: "unmatched", reason: "listed_unknown" });
  return { kind: "differs" };
}
