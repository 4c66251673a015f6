import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Objects } from "../../data/client.ts";
import { type Here, useHere } from "../../data/here.tsx";
import { keyOf, type Listed, useApi, usePlain } from "../../data/queries.ts";
import { useSessionName } from "../../parts/filters/gateways.ts";
import type { Moment } from "../../parts/pages/object-page.tsx";
import { moneyText } from "../../parts/shown/money.tsx";
import type { Tone } from "../../parts/shown/status.tsx";
import { type Language, useLanguage, useWords } from "../../words/language.tsx";
import { reviewWords } from "../review/review.words.ts";
import { reviewerOf, reviewText } from "../review/review-text.ts";
import { orderWords } from "./orders.words.ts";

type Order = Objects["Order"];

/** Everything that happened to an order, from all sources: sessions, proofs, events, deliveries, the books. */
export function useMoments(order: Order): Moment[] {
  const words = useWords(orderWords);
  const reasons = useWords(reviewWords).reason as Record<string, string>;
  const { locale } = useLanguage();
  const here = useHere();
  const events =
    useApi("GET /api/v1/projects/{projectId}/orders/{id}/events", { path: { id: order.id }, query: { limit: 100 } }).data?.data ?? [];
  const booked = usePlain<Listed<Objects["Transaction"]>>("GET /api/v1/transactions", { query: { order_id: order.id, limit: 100 } });
  const reviews =
    useApi("GET /api/v1/projects/{projectId}/orders/{id}/reviews", { path: { id: order.id }, query: { limit: 100 } }).data?.data ?? [];
  const attempts = useAttempts(here, events);
  const say = words.moment;
  const nameOf = useSessionName();
  const money = (minor: number) => moneyText(locale, minor, order.currency);
  const moments: Moment[] = [
    ...ownMoments(order, say),
    ...(order.payment_sessions ?? []).flatMap((session) => [
      ...at(session.created_at, {
        id: session.id,
        tone: "plain",
        title: say.session(nameOf(session)),
        text: money(session.payable_amount_minor),
      }),
      ...at(session.reported_at, { id: `${session.id} reported`, tone: "waiting", title: say.reported }),
    ]),
    ...proofMoments(order, say),
    ...reviews.map((review) => ({
      id: review.id,
      at: review.created_at,
      tone: tones[review.decision],
      title: words.reviewedBy[review.decision](reviewerOf(review)),
      text: reviewText(review, { locale, currency: order.currency, reasons }),
    })),
    ...events.map((event) => ({ id: event.id, at: event.created_at, tone: "plain" as const, title: say.event(event.event) })),
    ...attempts.filter(({ status }) => status !== "started").map((attempt) => deliveryMoment(attempt, say, here)),
    ...(booked.data?.data ?? []).map((entry) => ({
      id: entry.id,
      at: entry.created_at,
      tone: "paid" as Tone,
      title: say.booked[entry.type] ?? entry.type,
      to: `${here.to("/transactions")}?order=${order.id}`,
      text: entry.forgiven_minor === 0 ? money(entry.amount_minor) : words.forgiven(money(entry.forgiven_minor)),
    })),
  ];
  // At the same time, what follows from the other is shown above it.
  return moments.reverse().sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : 0));
}

function at(time: string | null, moment: Omit<Moment, "at">): Moment[] {
  return time === null ? [] : [{ ...moment, at: time }];
}

/** What the order itself records. */
function ownMoments(order: Order, say: (typeof orderWords)[Language]["moment"]): Moment[] {
  return [
    ...at(order.created_at, { id: "created", tone: "plain", title: say.created }),
    ...at(order.paid_at, { id: "paid", tone: "paid", title: say.paid }),
    ...at(order.canceled_at, { id: "canceled", tone: "expired", title: say.canceled }),
    ...at(order.claimed_at, { id: "claimed", tone: "waiting", title: say.claimed }),
    ...at(order.failed_at, { id: "failed", tone: "failed", title: order.status === "expired" ? say.expired : say.failed }),
  ];
}

function proofMoments({ vouchers }: Order, say: (typeof orderWords)[Language]["moment"]): Moment[] {
  return (vouchers ?? []).map(({ id, created_at, transaction_reference }) => ({
    id,
    at: created_at,
    tone: "waiting",
    title: say.proof,
    text: transaction_reference ?? undefined,
  }));
}

const tones = { approved: "paid", rejected: "failed", reversed: "expired" } as const;

interface Say {
  delivered(host: string): string;
  notDelivered(host: string): string;
}

function deliveryMoment(attempt: Objects["WebhookAttempt"], say: Say, here: Here): Moment {
  const host = new URL(attempt.request.url).host;
  const good = attempt.status === "succeeded";
  const why = attempt.error_code ?? (attempt.response as { status?: number } | null)?.status;
  return {
    id: attempt.id,
    at: attempt.created_at,
    tone: good ? "paid" : "failed",
    title: good ? say.delivered(host) : say.notDelivered(host),
    to: `${here.to(`/webhooks/${attempt.webhook_id}`)}?attempt=${attempt.id}`,
    text: `${attempt.event} · ${why ?? ""}`,
  };
}

const maxEvents = 20;

/** The attempts to deliver these events, across all endpoints. */
function useAttempts(here: Here, events: { id: string }[]): Objects["WebhookAttempt"][] {
  const eventIds = events.map(({ id }) => id);
  const webhooks = usePlain<Listed<Objects["Webhook"]>>("GET /api/v1/projects/{projectId}/webhooks", {
    query: { limit: 100 },
    enabled: here.may("events"),
  });
  const ids = (webhooks.data?.data ?? []).map(({ id }) => id);
  const read = useQuery({
    queryKey: keyOf(here, "GET attempts of events", ids, eventIds),
    enabled: ids.length > 0 && eventIds.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        ids.map((id) =>
          here.client.plain<Listed<Objects["WebhookAttempt"]>>("GET /api/v1/projects/{projectId}/webhooks/{id}/attempts", {
            path: { projectId: here.project.id, id },
            query: { event_id: eventIds.slice(0, maxEvents), limit: 100 },
            signal,
          }),
        ),
      );
      return lists.flatMap(({ data }) => data);
    },
  });
  return read.data ?? [];
}
