import { Button } from "@mantine/core";
import { useApi } from "../../data/queries.ts";
import { When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Waiting } from "./queue/use-queue.ts";
import { reviewWords } from "./review.words.ts";
import { reviewerOf, reviewText } from "./review-text.ts";

/** Replaces the decision buttons: who decided, when and what. Nothing else moves under the reader's hand. */
export function DecidedNote({ order, onNext }: { order: Waiting; onNext: (() => void) | null }) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}/reviews", { path: { id: order.id }, query: { limit: 1 } });
  const review = read.data?.data[0];
  const details = review === undefined ? "" : reviewText(review, { locale, currency: order.currency, reasons: words.reason });
  return (
    <div className="note spread" data-tone="plain" role="status">
      <div>
        {review === undefined ? (
          <p>
            {order.status === "pending_verify" || order.status === "paid" ? words.gone(order.reference) : words.notWaiting(order.reference)}
          </p>
        ) : (
          <p>
            {words[review.decision === "approved" ? "approvedBy" : "rejectedBy"](order.reference, reviewerOf(review))}{" "}
            <When at={review.created_at} />
          </p>
        )}
        {details === "" ? null : <p className="soft">{details}</p>}
      </div>
      {onNext === null ? null : (
        <Button variant="default" size="compact-sm" onClick={onNext}>
          {words.next}
        </Button>
      )}
    </div>
  );
}
