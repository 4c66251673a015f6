import { firstLanguage, languageInfo, languageOf } from "#platform/index.ts";
import type { LinkRow, OrderRow } from "../../shapes.ts";

/**
 * The parts of a payment's request that could be different by the time it is requested again. They are stored with the payment: providers
 * only accept the same request again under a reference.
 */
export interface FirstRequest {
  title: string;
  locale: string;
  link_id: string | null;
  page_query: string;
}

/** The request of a buyer who starts a payment now; without a buyer, of the merchant's program. */
export function firstRequestOf(given: {
  order: OrderRow;
  link: LinkRow | null;
  buyer: { locale: string; page_query?: string } | null;
}): FirstRequest {
  const { order, link, buyer } = given;
  const locale = buyer?.locale ?? languageInfo(languageOf(order.locale) ?? firstLanguage).locale;
  return { title: titleOf(order), locale, link_id: link?.id ?? null, page_query: buyer?.page_query ?? "" };
}

/** One line, as a wallet shows it. */
function titleOf({ description, reference }: OrderRow): string {
  const line = (description ?? "").replace(/\s+/g, " ").trim();
  return Array.from(line === "" ? reference : line)
    .slice(0, 120)
    .join("");
}
