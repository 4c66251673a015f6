import type { Ctx, Tenant } from "#platform/index.ts";
import type { LiveSecrets } from "../../endpoint/secrets.ts";
import type { ClaimedRow } from "./claim.sql.ts";
import { maxInFlight } from "./in-flight.ts";

/** How much of a lease must remain when its request starts: the longest request plus a second. */
const exchangeMs = 16_000;
/** How many deliveries of one endpoint may be leased at first, and at most once it has shown that it accepts them quickly. */
const firstBatchLimit = 64;
const maxBatchLimit = 512;
const minBatchLimit = 16;

/** A leased delivery with what its request needs. */
export interface Posted extends ClaimedRow {
  secrets: LiveSecrets;
  /** The endpoint's version at the claim. */
  version: number;
  leaseUntil: Date;
  /** Whether a success changes what is known about the endpoint. */
  is_news: boolean;
  /** Workers were lost while sending it: this process holds no other such delivery. */
  alone: boolean;
}

interface EndpointQueue extends Tenant {
  endpoint_id: string;
  version: number;
  waiting: Posted[];
  inFlight: number;
  /** Paused after a failure until an in-flight request succeeds. */
  paused: boolean;
  /** How many may be leased at once: as many as the endpoint accepts during one transaction, so that sending rarely waits for one. */
  batchLimit: number;
  /** How many were sent since the queue was last filled. */
  sent: number;
}

/** The deliveries that one process has leased, in one queue per endpoint, of which five are in flight at once. */
export interface EndpointQueues {
  add(ctx: Ctx, claimed: Posted[]): void;
  /** Removes an endpoint's waiting deliveries from its queue; without an argument, those of all endpoints. */
  drop(endpointId?: string): Posted[];
  /** Endpoints with waiting deliveries, and their versions at the claim. */
  waiting(): (Tenant & { endpoint_id: string; version: number })[];
  /** Endpoints with enough deliveries already. */
  full(): string[];
  /** How many deliveries of a healthy endpoint may be leased at once. */
  batchLimitOf(endpointId: string): number;
  /** How many requests are or could be in flight, and how many deliveries wait. */
  count(): { slots: number; waiting: number };
  /** The same requests by project. */
  slotsByProject(): Map<string, number>;
}

interface QueueHandlers {
  /** Sends one delivery; returns whether the endpoint accepted it. Never throws. */
  send(ctx: Ctx, posted: Posted): Promise<boolean>;
  /** Called with deliveries that won't be sent under this lease. */
  release(posted: Posted[]): void;
  /** Called when there is something to store or capacity for more. */
  wake(): void;
}

export function createEndpointQueues(handlers: QueueHandlers): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  return {
    add(ctx, claimed) {
      const byEndpoint = Map.groupBy(claimed, (posted) => posted.endpoint_id);
      for (const queue of queues.values()) if (isEmpty(queue) && !byEndpoint.has(queue.endpoint_id)) queues.delete(queue.endpoint_id);
      for (const [id, batch] of byEndpoint) queues.set(id, fill(handlers, queues.get(id) ?? emptyQueue(batch), batch));
      for (const queue of queues.values()) pump(handlers, ctx, queue);
    },
    drop: (endpointId) =>
      [...queues.values()].flatMap((queue) =>
        endpointId === undefined || queue.endpoint_id === endpointId ? queue.waiting.splice(0) : [],
      ),
    waiting: () => [...queues.values()].filter((queue) => queue.waiting.length > 0),
    full: () => [...queues.values()].filter((queue) => queue.paused || isFull(queue)).map((queue) => queue.endpoint_id),
    batchLimitOf: (endpointId) => queues.get(endpointId)?.batchLimit ?? firstBatchLimit,
    count() {
      let [slots, waiting] = [0, 0];
      for (const queue of queues.values()) {
        slots += slotsOf(queue);
        waiting += queue.waiting.length;
      }
      return { slots, waiting };
    },
    slotsByProject() {
      const slots = new Map<string, number>();
      for (const queue of queues.values()) slots.set(queue.project_id, (slots.get(queue.project_id) ?? 0) + slotsOf(queue));
      return slots;
    },
  };
}

function pump(handlers: QueueHandlers, ctx: Ctx, queue: EndpointQueue): void {
  while (!queue.paused && queue.inFlight < maxInFlight && queue.waiting.length > 0) {
    const [next] = queue.waiting as [Posted];
    // A process that slept through its lease sends nothing, because another one has the delivery by now.
    if (next.leaseUntil.getTime() - ctx.now().getTime() < exchangeMs)
      releaseQueue(handlers, queue, Math.max(minBatchLimit, queue.batchLimit / 2));
    else void sendNext(handlers, ctx, queue);
  }
}

async function sendNext(handlers: QueueHandlers, ctx: Ctx, queue: EndpointQueue): Promise<void> {
  queue.inFlight += 1;
  queue.sent += 1;
  queue.paused = !(await handlers.send(ctx, queue.waiting.shift() as Posted));
  queue.inFlight -= 1;
  if (queue.inFlight === 0 && queue.paused) {
    // When all requests in flight have failed, the endpoint is failing: it no longer gets as many deliveries as a healthy one.
    releaseQueue(handlers, queue, firstBatchLimit);
    queue.paused = false;
  }
  pump(handlers, ctx, queue);
  if (!isFull(queue)) handlers.wake();
}

function releaseQueue(handlers: QueueHandlers, queue: EndpointQueue, batchLimit: number): void {
  queue.batchLimit = batchLimit;
  handlers.release(queue.waiting.splice(0));
}

function emptyQueue([first]: Posted[]): EndpointQueue {
  const { project_id, livemode, endpoint_id, version } = first as Posted;
  return { project_id, livemode, endpoint_id, version, waiting: [], inFlight: 0, paused: false, batchLimit: firstBatchLimit, sent: 0 };
}

/**
 * A queue that ran dry since it was filled, although it was long, may be longer. What waits from before a change of the endpoint is
 * released: a change that commits between two statements of a claim is only seen here. What is sent alone goes first: behind a long run,
 * its lease could end before its turn.
 */
function fill(handlers: QueueHandlers, queue: EndpointQueue, batch: Posted[]): EndpointQueue {
  if (queue.waiting.length === 0 && queue.sent >= queue.batchLimit / 2) queue.batchLimit = Math.min(maxBatchLimit, queue.batchLimit * 2);
  const { version } = batch[0] as Posted;
  if (version !== queue.version) handlers.release(queue.waiting.splice(0));
  queue.version = version;
  queue.sent = 0;
  queue.waiting.unshift(...batch.filter(({ alone }) => alone));
  queue.waiting.push(...batch.filter(({ alone }) => !alone));
  return queue;
}

function slotsOf({ inFlight, waiting }: EndpointQueue): number {
  return Math.min(maxInFlight, inFlight + waiting.length);
}

function isEmpty({ inFlight, waiting }: EndpointQueue): boolean {
  return inFlight === 0 && waiting.length === 0;
}

/** Three eighths are enough to last while the next ones are leased. */
function isFull({ waiting, batchLimit }: EndpointQueue): boolean {
  return waiting.length > batchLimit * 0.375;
}
