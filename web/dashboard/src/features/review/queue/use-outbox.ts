import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useHere } from "../../../data/here.tsx";
import { newKey } from "../../../data/new-key.ts";
import { refresh } from "../../../data/queries.ts";
import type { Waiting } from "./use-queue.ts";

/** How long a decision can be undone before it is sent. */
const undoMs = 5_000;

export interface Decision {
  order: Waiting;
  body: Record<string, unknown>;
}

export interface Outgoing extends Decision {
  state: "waiting" | "sending";
  undo(): void;
}

interface Listener {
  /** The server has accepted it. */
  onDone(decision: Decision): void;
  /** The server has refused it. */
  onRefused(decision: Decision, error: unknown): void;
  onUndone(decision: Decision): void;
}

interface Held extends Decision {
  key: string;
  timer: number;
}

/**
 * Holds a decision for five seconds, in which it can be undone, and then sends it. The next decision, another page and a hidden or closed
 * tab send it at once; the browser completes that even after the page is closed.
 */
export function useOutbox(listener: Listener): { outgoing: Outgoing | null; decide(decision: Decision): void } {
  const here = useHere();
  const queries = useQueryClient();
  const [shown, setShown] = useState<{ decision: Decision; state: Outgoing["state"] } | null>(null);
  const held = useRef<Held | null>(null);
  const listenerRef = useRef(listener);
  listenerRef.current = listener;
  const release = (): Held | null => {
    const one = held.current;
    held.current = null;
    if (one !== null) clearTimeout(one.timer);
    return one;
  };
  const flush = async () => {
    const one = release();
    if (one === null) return;
    const { order, body, key } = one;
    setShown({ decision: one, state: "sending" });
    const request = { path: { projectId: here.project.id, id: order.id }, body, idempotencyKey: key, keepalive: true };
    const sent = here.client.plain("POST /api/v1/projects/{projectId}/orders/{id}/verification", request);
    await sent.then(
      () => listenerRef.current.onDone(one),
      (error: unknown) => listenerRef.current.onRefused(one, error),
    );
    setShown((now) => (now?.decision === one ? null : now));
    void refresh(queries, here);
  };
  const latest = useRef(flush);
  latest.current = flush;
  useEffect(() => onLeave(() => void latest.current()), []);
  const decide = (decision: Decision) => {
    void latest.current();
    const one: Held = { ...decision, key: newKey(), timer: window.setTimeout(() => void latest.current(), undoMs) };
    held.current = one;
    setShown({ decision: one, state: "waiting" });
  };
  const undo = () => {
    const one = release();
    if (one === null) return;
    setShown(null);
    listenerRef.current.onUndone(one);
  };
  return { outgoing: shown === null ? null : { ...shown.decision, state: shown.state, undo }, decide };
}

/** Calls `leave` when the page is hidden, left or closed. */
function onLeave(leave: () => void): () => void {
  const hide = () => document.visibilityState === "hidden" && leave();
  document.addEventListener("visibilitychange", hide);
  window.addEventListener("pagehide", leave);
  return () => {
    document.removeEventListener("visibilitychange", hide);
    window.removeEventListener("pagehide", leave);
    leave();
  };
}
