import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, type Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { keyOf, type Listed } from "../../../data/queries.ts";

export type Waiting = Objects["Order"];

const route = "GET /api/v1/projects/{projectId}/reviews/queue";
const pageSize = 20;
/** The reviewer's current page, the previous and the next one: more is never refetched. */
const pagesAtHand = 3;
/** The next page is loaded when this many remain of the current one. */
const nearEdge = 5;
const lookMs = 10_000;

interface Leaf extends Listed<Waiting> {
  total_count: number;
  /** How many wait before its first one, as far as known. */
  begins: number;
}

interface Place {
  cursor: { starting_after?: string; ending_before?: string };
  begins: number;
}

const top: Place = { cursor: {}, begins: 0 };

export interface Queue {
  read: { data: unknown; error: unknown; refetch(): unknown };
  /** The loaded part of the queue, the oldest report first, without what was decided here. */
  waiting: Waiting[];
  /** How many wait before the first loaded one. */
  begins: number;
  /** How many wait in total. */
  count: number;
  /** Loads more once the reviewer comes near an edge of what is loaded. */
  loadNear(index: number): void;
}

/** What waits for a decision, the oldest report first, page by page. */
export function useQueue(isDecided: (order: Waiting) => boolean): Queue {
  const queries = useQueryClient();
  const queryKey = keyOf(useHere(), route, { list: true });
  const read = useInfiniteQuery({
    queryKey,
    queryFn: useLeaf(),
    initialPageParam: top,
    getNextPageParam: placeAfter,
    getPreviousPageParam: placeBefore,
    maxPages: pagesAtHand,
    refetchInterval: lookMs,
  });
  const leaves = read.data?.pages ?? [];
  const orders = leaves.flatMap(({ data }) => data);
  const waiting = orders.filter((order) => !isDecided(order));
  const begins = leaves[0]?.begins ?? 0;
  const count = Math.max(waiting.length, (leaves.at(-1)?.total_count ?? 0) - (orders.length - waiting.length));
  const { hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage } = read;
  const isIdle = !read.isFetching && !read.isError;
  const loadNear = (index: number) => {
    if (!isIdle) return;
    if (hasNextPage && index >= waiting.length - nearEdge) void fetchNextPage();
    else if (hasPreviousPage && index < nearEdge) void fetchPreviousPage();
  };
  // All loaded payments are decided: the queue continues after them, or starts again.
  const isUsedUp = isIdle && waiting.length === 0;
  useEffect(() => {
    if (!isUsedUp) return;
    if (hasNextPage) void fetchNextPage();
    else if (begins > 0) void queries.resetQueries({ queryKey, exact: true });
  });
  return { read, waiting, begins, count, loadNear };
}

function useLeaf() {
  const here = useHere();
  return async ({ pageParam: { cursor, begins }, signal }: { pageParam: Place; signal: AbortSignal }): Promise<Leaf> => {
    const fixed = { limit: pageSize, include: ["total_count"], "expand[]": ["payment_sessions", "vouchers"] };
    const ask = (from: Place["cursor"]) =>
      here.client.plain<Omit<Leaf, "begins">>(route, { path: { projectId: here.project.id }, query: { ...fixed, ...from }, signal });
    try {
      const page = await ask(cursor);
      if (cursor.ending_before === undefined) return { ...page, begins };
      return { ...page, begins: page.has_more ? Math.max(0, begins - page.data.length) : 0 };
    } catch (error) {
      // The buyer withdrew the report that the cursor was at: then the queue is read from its beginning.
      if (error instanceof ApiError && error.code === "invalid_cursor") return { ...(await ask({})), begins: 0 };
      throw error;
    }
  };
}

function placeAfter(leaf: Leaf, _all: Leaf[], { cursor }: Place): Place | null {
  const last = leaf.data.at(-1);
  // A page that was read backwards is followed by the page it was read from.
  if (cursor.ending_before === undefined && !leaf.has_more) return null;
  return last === undefined ? top : { cursor: { starting_after: last.id }, begins: leaf.begins + leaf.data.length };
}

function placeBefore({ data, begins }: Leaf): Place | null {
  const first = data[0];
  return begins === 0 || first === undefined ? null : { cursor: { ending_before: first.id }, begins };
}

export function sessionOf(order: Waiting): Objects["PaymentSession"] | undefined {
  const sessions = order.payment_sessions ?? [];
  return sessions.find(({ status }) => status === "pending_verify") ?? sessions[0];
}

/** The waiting proof; for a decided payment, the one that was reviewed. */
export function proofOf(order: Waiting): Objects["Voucher"] | undefined {
  const vouchers = order.vouchers ?? [];
  return vouchers.find(({ status }) => status === "submitted") ?? (order.status === "pending_verify" ? undefined : vouchers[0]);
}

/** What a decision is about: refused by the server if another payment or proof waits by then. */
export function seenOf(order: Waiting): { payment_session_id?: string; voucher_id: string | null } {
  const session = sessionOf(order);
  return { ...(session === undefined ? {} : { payment_session_id: session.id }), voucher_id: proofOf(order)?.id ?? null };
}

/** The same as a text. */
export function seenName(order: Waiting): string {
  const { payment_session_id, voucher_id } = seenOf(order);
  return `${order.id} ${payment_session_id} ${voucher_id}`;
}

/** What looks wrong with the proof. */
export function flagsOf(order: Waiting): string[] {
  return proofOf(order)?.risk_flags ?? [];
}

export function reportedAt(order: Waiting): string {
  return sessionOf(order)?.reported_at ?? proofOf(order)?.created_at ?? order.created_at;
}

/** True if the first of two was reported before the other. */
export function isOlder(first: Waiting, other: Waiting): boolean {
  return keyOfAge(first) < keyOfAge(other);
}

function keyOfAge(order: Waiting): string {
  return `${reportedAt(order)} ${order.id}`;
}
