import type { Objects } from "../../data/client.ts";
import { moneyText } from "../../parts/shown/money.tsx";

type Review = Objects["Review"];

/** The decision in one line: the amount and the transfer's number, or the reason, and the reviewer's note. */
export function reviewText(review: Review, given: { locale: string; currency: string; reasons: Record<string, string> }): string {
  const { received_amount_minor: sum, reason_code: reason } = review;
  const parts = [
    sum === null ? null : moneyText(given.locale, sum, given.currency),
    review.external_transaction_id,
    reason === null ? null : (given.reasons[reason] ?? reason),
    review.note,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** The reviewer's name, or their id once they are removed. */
export function reviewerOf({ reviewer }: Review): string {
  return reviewer.name ?? reviewer.id;
}
