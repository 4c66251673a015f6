import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { sessionOf, type Waiting } from "./use-queue.ts";

export type Receipt = Objects["Receipt"];

/** The waiting transfers of a payment's amount. */
export interface Found {
  /** The only one for this order, if it is for no other. */
  receipt?: Receipt;
  /** Otherwise, how many may be for it, and how many orders they may be for. */
  transfers: number;
  orders: number;
  /** How many were refunded or aren't final, so that they can't pay it. */
  unsettled: number;
}

const limit = 100;
const earlyMs = 10 * 60_000;

/** What arrived for a payment, as the server suggests it. */
export function useReceiptFor(order: Waiting): Found {
  const session = sessionOf(order);
  const since = session === undefined ? "" : new Date(Date.parse(session.created_at) - earlyMs).toISOString();
  // What arrived for it was recorded after it was begun.
  const query = { status: ["unmatched"] as "unmatched"[], "created[gte]": since, limit };
  const read = useApi("GET /api/v1/projects/{projectId}/receipts", { query, enabled: session !== undefined });
  const fits = (read.data?.data ?? []).filter(
    (receipt) =>
      receipt.exception_id === null &&
      receipt.channel === session?.channel &&
      receipt.amount_minor === session.payable_amount_minor &&
      receipt.suggestions.some(({ order_id }) => order_id === order.id),
  );
  return foundIn(fits, read.data?.has_more === false);
}

function foundIn(fits: readonly Receipt[], isComplete: boolean): Found {
  const settled = fits.filter(({ state }) => state === "final");
  const [receipt] = settled;
  const places = settled.flatMap(({ suggestions }) => suggestions);
  const elsewhere = places.filter(({ order_id }) => order_id === null).length;
  const orders = new Set(places.flatMap(({ order_id }) => order_id ?? [])).size + elsewhere;
  const unsettled = fits.length - settled.length;
  if (receipt !== undefined && isComplete && settled.length === 1 && orders === 1) return { receipt, transfers: 1, orders, unsettled };
  return { transfers: settled.length, orders, unsettled };
}
