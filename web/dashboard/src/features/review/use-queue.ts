import { useQuery } from "@tanstack/react-query";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { keyOf, type Listed } from "../../data/queries.ts";

export type Waiting = Objects["Order"];

const pageSize = 100;
const mostPages = 20;
const lookMs = 10_000;

/** What waits for a decision, the oldest report first. The API lists the newest first, so all pages are read: up to 2 000 orders. */
export function useQueue() {
  const here = useHere();
  const route = "GET /api/v1/projects/{projectId}/orders";
  return useQuery({
    queryKey: keyOf(here, route, "review"),
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const orders: Waiting[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < mostPages; page += 1) {
        const query: Record<string, unknown> = { status: "pending_verify", limit: pageSize, "expand[]": ["payment_sessions", "vouchers"] };
        if (cursor !== null) query["starting_after"] = cursor;
        const answer: Listed<Waiting> = await here.client.plain(route, { path: { projectId: here.project.id }, query, signal });
        orders.push(...answer.data);
        cursor = answer.has_more ? answer.next_cursor : null;
        if (cursor === null) break;
      }
      return orders.sort((left, right) => (isOlder(left, right) ? -1 : 1));
    },
  });
}

export function sessionOf(order: Waiting): Objects["PaymentSession"] | undefined {
  const sessions = order.payment_sessions ?? [];
  return sessions.find(({ status }) => status === "pending_verify") ?? sessions[0];
}

/** The proof that waits; of a payment that was decided, the one that was looked at. */
export function proofOf(order: Waiting): Objects["Voucher"] | undefined {
  const vouchers = order.vouchers ?? [];
  return vouchers.find(({ status }) => status === "submitted") ?? (order.status === "pending_verify" ? undefined : vouchers[0]);
}

/** What looks wrong with the proof. */
export function flagsOf(order: Waiting): string[] {
  return proofOf(order)?.risk_flags ?? [];
}

export function reportedAt(order: Waiting): string {
  return sessionOf(order)?.reported_at ?? proofOf(order)?.created_at ?? order.created_at;
}

/** Whether the first of two was reported before the other. */
export function isOlder(first: Waiting, other: Waiting): boolean {
  return keyOfAge(first) < keyOfAge(other);
}

function keyOfAge(order: Waiting): string {
  return `${reportedAt(order)} ${order.id}`;
}
