import { findMerchant } from "#identity/index.ts";
import { findOrder, findRefund } from "#orders/index.ts";
import { type Ctx, defineWords, firstLanguage, languageOf, languages, type Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import { amountOf } from "./amount-of.ts";
import { foundOrNull } from "./found-or-null.ts";
import { ownLink } from "./links.ts";
import type { ParamsOf } from "./params.ts";
import type { Prepared } from "./prepared.ts";

/** Replaces the name of an unverified merchant. */
const testShop = defineWords({ en: "Test shop", zh: "测试商户" });

/** A buyer's receipt, with the words and in the language of the payment page. */
export async function preparePaid(ctx: Ctx, given: ParamsOf["order_paid"]): Promise<Prepared<"order_paid"> | null> {
  const known = await findForBuyer(ctx, given);
  if (known === null) return null;
  const { order, isKnown, shared, prepared } = known;
  // A payment that was reversed since has no receipt.
  if (order.paid_at === null || order.flags.includes("payment_reversed")) return null;
  return {
    ...prepared,
    facts: {
      ...shared,
      // What the buyer sent: a reduced amount, or more than requested.
      amount: { amount_minor: order.amount_received_minor + order.amount_held_minor, currency: order.currency, exponent: order.exponent },
      description: !isKnown || order.description === null ? null : cleanText(order.description, 300),
      paid_at: order.paid_at,
      method: given.gateway == null ? null : (ctx.methods.find(given.gateway)?.names ?? null),
    },
  };
}

/** The facts for a buyer about a refund. */
export async function prepareRefunded(ctx: Ctx, given: ParamsOf["order_refunded"]): Promise<Prepared<"order_refunded"> | null> {
  const [known, refund] = [await findForBuyer(ctx, given), await foundOrNull(findRefund(ctx, given, given.refund_id))];
  if (known === null || refund?.status !== "succeeded") return null;
  const { order, shared, prepared } = known;
  const { currency, exponent, amount_received_minor: received } = order;
  const isPart = refund.exception_id === null && refund.amount_minor < received;
  return {
    ...prepared,
    facts: {
      ...shared,
      amount: amountOf(refund, order),
      of: isPart ? { amount_minor: received, currency, exponent } : null,
      refunded_at: refund.paid_back_at ?? refund.succeeded_at ?? refund.created_at,
    },
  };
}

/** The facts for a buyer about a refund that they have to claim. Only the receipt shows where. */
export async function prepareRefundClaim(ctx: Ctx, given: ParamsOf["refund_claim"]): Promise<Prepared<"refund_claim"> | null> {
  const [known, refund] = [await findForBuyer(ctx, given), await foundOrNull(findRefund(ctx, given, given.refund_id))];
  if (known === null || refund?.status !== "requires_action") return null;
  const { order, shared, prepared } = known;
  return { ...prepared, facts: { ...shared, amount: amountOf(refund, order) } };
}

/** The facts for a buyer about a refund that was returned to the merchant. */
export async function prepareRefundReturned(ctx: Ctx, given: ParamsOf["refund_returned"]): Promise<Prepared<"refund_returned"> | null> {
  const [known, refund] = [await findForBuyer(ctx, given), await foundOrNull(findRefund(ctx, given, given.refund_id))];
  if (known === null || refund?.status !== "failed") return null;
  const { order, shared, prepared } = known;
  return { ...prepared, facts: { ...shared, amount: amountOf(refund, order), at: refund.failed_at ?? refund.updated_at } };
}

async function findForBuyer(ctx: Ctx, given: Tenant & { order_id: string }) {
  const found = await foundOrNull(findOrder(ctx, given, given.order_id));
  const project = await findProject(ctx.db, given.project_id);
  if (found === null || project === null || found.link === null) return null;
  const { order, link } = found;
  const branding = project.settings.branding ?? {};
  const owner = await findMerchant(ctx.db, project.merchant_id);
  const merchant = branding.display_name ?? owner?.display_name ?? project.name;
  // In TEST, anyone can have a receipt sent to anyone: until the merchant is verified, it contains nothing of theirs.
  const isKnown = order.livemode || owner?.verification_status === "verified";
  const contact = isKnown ? (branding.support_email ?? null) : null;
  const language = languageOf(order.locale) ?? languages.find(({ currency }) => currency === order.currency)?.tag ?? firstLanguage;
  const shared = {
    url: ownLink(ctx, `/pay/${encodeURIComponent(link.token)}/receipt`),
    merchant: isKnown ? cleanName(merchant) : testShop[language],
    // An order without a reference has its id as one, which means nothing to a buyer.
    reference: !isKnown || order.reference === order.id ? null : cleanText(order.reference, 64),
    contact: contact === null ? null : cleanText(contact),
  };
  const prepared = { language, ...(contact === null ? {} : { reply_to: contact }), test: !order.livemode };
  return { order, isKnown, shared, prepared };
}
