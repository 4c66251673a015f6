import { useHotkeys } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useApi } from "../../../data/queries.ts";
import { isOlder, type Queue, seenName, type Waiting } from "./use-queue.ts";

export interface Current {
  order: Waiting;
  /**
   * `changed` if the buyer has sent something else since it was shown; `unknown` until the server has returned the status of an order that
   * isn't in the loaded part of the queue.
   */
  state: "waiting" | "changed" | "gone" | "unknown";
  /** What waits on the order now. */
  latest: Waiting | undefined;
  /** Its position in the loaded part of the queue; -1 if it isn't there. */
  index: number;
  /** The one that follows once this one is done. */
  next: Waiting | undefined;
  show(order: Waiting | undefined): void;
}

/**
 * The current payment. Whatever its buyer or others do, it stays until its reader decides or continues, so that a click never hits a
 * payment or proof that wasn't seen.
 */
export function useCurrent({ waiting, loadNear }: Queue, first: Waiting): Current {
  const [taken, setTaken] = useState(first);
  const index = waiting.findIndex(({ id }) => id === taken.id);
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}", {
    path: { id: taken.id },
    query: { "expand[]": ["payment_sessions", "vouchers"] },
    enabled: index < 0,
  });
  useEffect(() => {
    if (index >= 0) loadNear(index);
  });
  const own = read.data?.id === taken.id ? read.data : undefined;
  const latest = waiting[index] ?? (own?.status === "pending_verify" ? own : undefined);
  const isSame = latest !== undefined && seenName(latest) === seenName(taken);
  const order = isSame ? latest : taken;
  const state = latest !== undefined ? (isSame ? "waiting" : "changed") : own === undefined ? "unknown" : "gone";
  const next = waiting.find((one) => isOlder(order, one)) ?? waiting.find(({ id }) => id !== order.id);
  return { order, state, latest, index, next, show: (one) => one !== undefined && setTaken(one) };
}

/** Keys of the review pane. A key that is held down counts once, and none works through an open dialog. */
export function useReviewKeys(actions: Record<"a" | "r" | "j" | "k", () => unknown>): void {
  const press = (action: () => unknown) => (event: KeyboardEvent) =>
    event.repeat || document.querySelector("[role=dialog]") !== null || action();
  useHotkeys(Object.entries(actions).map(([key, action]) => [key, press(action)]));
}
