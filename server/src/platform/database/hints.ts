import { baseHandle, type Db, type Pipe, type Tx } from "../sql.ts";
import { withoutWaitLimit } from "./driver/wait-limit.ts";

const listeners = new WeakMap<Db, Map<string, Set<() => void>>>();
const noted = new WeakMap<Tx, Set<string>>();

/**
 * Notes that this transaction creates work of a kind. After its commit, `onHint` listeners of this process are called; other processes find
 * the work by polling.
 */
export function hint(on: Tx | Pipe, topic: string): void {
  const tx = baseHandle(on);
  const topics = noted.get(tx) ?? new Set();
  topics.add(topic);
  noted.set(tx, topics);
}

/** Calls `listener` after each commit that hinted at the topic; call the returned function to stop. */
export function onHint(db: Db, topic: string, listener: () => void): () => void {
  const topics = listeners.get(db) ?? new Map<string, Set<() => void>>();
  listeners.set(db, topics);
  const set = topics.get(topic) ?? new Set();
  topics.set(topic, set.add(listener));
  return () => void set.delete(listener);
}

/** Notifies listeners of a committed transaction's hints. */
export function notifyHints(db: Db, tx: Tx): void {
  const topics = noted.get(tx);
  if (topics === undefined) return;
  // What they start is not part of the request whose transaction it was.
  withoutWaitLimit(() => {
    for (const topic of topics) for (const listener of listeners.get(db)?.get(topic) ?? []) listener();
  });
}
