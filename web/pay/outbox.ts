// What the buyer reported while there was no connection: stored on the device, even after the page is closed, and sent once.

import { paymentPage } from "./payment-page.ts";

/** A form that couldn't be sent. With its key, the server processes a repeat only once. */
export interface QueuedForm {
  token: string;
  action: string;
  /** Text fields only, sent as an ordinary form. */
  plain: boolean;
  fields: [string, string | File][];
  key: string;
}

const shelf = "outbox";
/** For browsers inside other apps that give pages no storage: stored as long as the page is open. */
const memory = new Map<string, QueuedForm>();

function open(): Promise<IDBDatabase | null> {
  return new Promise((done) => {
    try {
      const request = indexedDB.open("tillpost", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(shelf, { keyPath: "token" });
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
}

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const database = await open();
  if (database === null) return undefined;
  return new Promise((done) => {
    try {
      const request = work(database.transaction(shelf, mode).objectStore(shelf));
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(undefined);
    } catch {
      done(undefined);
    }
  });
}

export async function keep(queued: QueuedForm): Promise<void> {
  memory.set(queued.token, queued);
  await inStore("readwrite", (store) => store.put(queued));
}

export async function findQueued(token: string): Promise<QueuedForm | null> {
  return memory.get(token) ?? ((await inStore<QueuedForm>("readonly", (store) => store.get(token))) || null);
}

export async function remove(token: string): Promise<void> {
  memory.delete(token);
  await inStore("readwrite", (store) => store.delete(token));
}

let sendAfter = 0;
let isLimited = false;
/** What refused the form will probably do so again, and a picture is large. */
const foreignPageSeconds = "60";

/** The server said when to send again. 429: because there were too many attempts. */
export function waitAsTold(retryAfter: string | null | undefined, status?: number): void {
  sendAfter = Date.now() + (Number(retryAfter) || 0) * 1000;
  isLimited = status === 429;
}

/** When the server accepts the form again after too many attempts; null if that isn't what it waits for. */
export function limitedUntil(): Date | null {
  return isLimited && Date.now() < sendAfter ? new Date(sendAfter) : null;
}

interface QueuedReply {
  status: number;
  /** null if something in between refused the form, which remains stored. */
  page: string | null;
}

/** Sends what is stored. Returns null while there is no connection, the server is down or it is too early: then it remains stored. */
export async function sendQueued(queued: QueuedForm): Promise<QueuedReply | null> {
  if (Date.now() < sendAfter) return null;
  const form = new FormData();
  for (const [name, value] of queued.fields) form.append(name, value);
  const reply = await fetch(queued.action, {
    method: "POST",
    headers: { accept: "text/html", "idempotency-key": queued.key },
    body: queued.plain ? new URLSearchParams(queued.fields.filter((pair): pair is [string, string] => typeof pair[1] === "string")) : form,
  }).catch(() => null);
  if (reply === null || isUnsent(reply.status)) {
    waitAsTold(reply?.headers.get("retry-after"), reply?.status);
    return null;
  }
  const page = await reply.text().catch(() => null);
  if (page === null) return null;
  // Only a page of ours shows that the form arrived: a firewall or a load balancer responds with one of its own.
  if (paymentPage(page) === null) {
    waitAsTold(foreignPageSeconds);
    return { status: reply.status, page: null };
  }
  await remove(queued.token);
  return { status: reply.status, page };
}

/** Responses that mean "not now": the form is sent again later. 409: the same form is being processed. */
export function isUnsent(status: number): boolean {
  return status >= 500 || status === 408 || status === 409 || status === 429;
}

export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
