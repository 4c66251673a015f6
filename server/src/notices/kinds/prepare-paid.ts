import { findMerchant } from "#identity/index.ts";
import { findOrder } from "#orders/index.ts";
import { AppError, type Ctx, defineWords, firstLanguage, languageOf, languages } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import { ownLink } from "./links.ts";
import type { ParamsOf } from "./params.ts";
import type { Told } from "./told.ts";

/** In place of the name of a merchant whom nobody has verified. */
const testShop = defineWords({ en: "Test shop", zh: "测试商户" });

/** A buyer's receipt, in the words and the language of the payment page. */
export async function preparePaid(ctx: Ctx, given: ParamsOf["order_paid"]): Promise<Told<"order_paid"> | null> {
  const found = await findOrder(ctx, given, given.order_id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "resource_missing") return null;
    throw error;
  });
  const project = await findProject(ctx.db, given.project_id);
  if (found === null || project === null) return null;
  const { order, link } = found;
  if (order.paid_at === null || link === null) return null;
  const branding = project.settings.branding ?? {};
  const owner = await findMerchant(ctx.db, project.merchant_id);
  const merchant = branding.display_name ?? owner?.display_name ?? project.name;
  // In TEST anybody may have a receipt sent to anybody: until they are verified, it says nothing of theirs.
  const isKnown = order.livemode || owner?.verification_status === "verified";
  const contact = isKnown ? (branding.support_email ?? null) : null;
  const language = languageOf(order.locale) ?? languages.find(({ currency }) => currency === order.currency)?.tag ?? firstLanguage;
  return {
    facts: {
      url: ownLink(ctx, `/pay/${encodeURIComponent(link.token)}/receipt`),
      merchant: isKnown ? cleanName(merchant) : testShop[language],
      // What the buyer sent: a lowered amount, or more than was asked.
      amount: { amount_minor: order.amount_received_minor + order.amount_held_minor, currency: order.currency, exponent: order.exponent },
      // An order that was given no reference is called by its id, which says nothing to a buyer.
      reference: !isKnown || order.reference === order.id ? null : cleanText(order.reference, 64),
      description: !isKnown || order.description === null ? null : cleanText(order.description, 300),
      paid_at: order.paid_at,
      method: given.gateway == null ? null : (ctx.methods.find(given.gateway)?.names ?? null),
      contact: contact === null ? null : cleanText(contact),
    },
    language,
    ...(contact === null ? {} : { reply_to: contact }),
    test: !order.livemode,
  };
}
