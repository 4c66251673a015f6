import { GatewayError, type UnreadableLine } from "#gateways/index.ts";
import { findSession, lostReference, takeStrangeMoney, updateListed } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { askAboutLine } from "./ask-about-line.ts";
import { pollAgain } from "./compare-lines.ts";
import type { Compared } from "./fit.ts";
import { type Difference, reportDifference } from "./report-difference.ts";
import { amountUnknown } from "./report-skipped.ts";
import { listNamedPayments, listNamedRefunds, type NamedPayment } from "./sql.ts";

/** A list with more of them is one that this program can't read. */
const maxUnreadable = 20;

/** What a line that can't be read is about. */
type About = Pick<Difference, "kind" | "order_id" | "payment_session_id" | "amount_minor" | "currency">;

/**
 * Reports lines of a provider's list that can't be read to a person, each once, while the rest of the list is compared as always. Those
 * with a reference of another program are ignored. Throws GatewayError if there are too many, or if the provider has to be asked and
 * doesn't respond; returns how many lines there were.
 */
export async function reportUnreadable(ctx: Ctx, account: Compared, lines: readonly UnreadableLine[]): Promise<number> {
  if (lines.length > maxUnreadable) {
    const message = `${lines.length} lines of the provider's list couldn't be read.`;
    throw new GatewayError("unavailable", { code: "malformed_answer", message });
  }
  let found = 0;
  for (const line of lines) {
    const about = await findAbout(ctx, account, line);
    if (about === "other") continue;
    found += 1;
    if (about === "taken") continue;
    const external_id = line.captureId ?? line.providerId ?? line.name;
    await reportDifference(ctx, account, { ...about, external_id, key: `unreadable:${line.name}`, reason: "listed_unreadable" });
  }
  return found;
}

/** `other`: another program's. `taken`: the provider was asked about it, and its money waits for a person. */
async function findAbout(ctx: Ctx, account: Compared, line: UnreadableLine): Promise<About | "other" | "taken"> {
  const { reference, providerId, captureId } = line;
  const ids = [providerId, captureId].filter((id) => id !== null);
  const references = reference === null ? [] : [reference];
  const [refund] = await listNamedRefunds(ctx.db, account, { references, ids });
  if (refund !== undefined) {
    await ctx.transactUnclaimed((tx) => updateListed(tx, account, { payments: [], refunds: [refund.id] }));
    const { order_id, payment_session_id, amount_minor, currency } = refund;
    return { kind: "mismatch", order_id, payment_session_id, amount_minor, currency };
  }
  const [payment] = await listNamedPayments(ctx.db, account, { references, ids });
  if (payment !== undefined) return aboutPayment(ctx, account, { payment, providerId });
  const lost = await lostReference(ctx, reference);
  if (reference !== null && lost === null) return "other";
  const question = async () => (lost === null ? null : takeStrangeMoney(ctx, account, { reference: lost, providerId }));
  if ((await askAboutLine(ctx, account, { question, refusals: [] })) === "applied") return "taken";
  return { kind: "unmatched", order_id: null, payment_session_id: null, ...(await amountUnknown(ctx, account)) };
}

/** As for any listed payment that isn't known to be paid, the provider is asked about it. */
async function aboutPayment(ctx: Ctx, account: Compared, given: { payment: NamedPayment; providerId: string | null }): Promise<About> {
  const { payment, providerId } = given;
  const { order_id, payment_session_id } = payment;
  await ctx.transactUnclaimed((tx) => updateListed(tx, account, { payments: [payment.id], refunds: [] }));
  const { paid_minor, paid_currency } = await pollAgain(ctx, account, { payment, named: providerId });
  if (paid_minor !== null && paid_currency !== null)
    return { kind: "mismatch", order_id, payment_session_id, amount_minor: paid_minor, currency: paid_currency };
  const session = await findSession(ctx.db, account, payment_session_id);
  if (session === null) throw new Error("a listed payment's session vanished");
  const { amount_minor, currency } = session;
  return { kind: "mismatch", order_id, payment_session_id, amount_minor, currency };
}
