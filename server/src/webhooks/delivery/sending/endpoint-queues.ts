import type { Ctx, Tenant } from "#platform/index.ts";
import type { LiveSecrets } from "../../endpoint/secrets.ts";
import type { ClaimedRow } from "./claim.sql.ts";
import { maxInFlight } from "./in-flight.ts";

/** What must be left of a lease before its request begins: the longest exchange, and a second. */
const exchangeMs = 16_000;
/** How many of its deliveries an endpoint's queue may have leased at first, and at most once it has shown that it takes them quickly. */
const firstBatchLimit = 64;
const maxBatchLimit = 512;
const minBatchLimit = 16;

/** A leased delivery with what its exchange needs. */
export interface Posted extends ClaimedRow {
  secrets: LiveSecrets;
  /** Of the endpoint when it was claimed. */
  version: number;
  leaseUntil: Date;
  /** Whether a success says more of the endpoint than is known already. */
  is_news: boolean;
  /** Workers were lost with it before: this process has no other such delivery. */
  alone: boolean;
}

interface EndpointQueue extends Tenant {
  endpoint_id: string;
  version: number;
  waiting: Posted[];
  inFlight: number;
  /** Paused after a failure until an in-flight request succeeds. */
  paused: boolean;
  /** How many may be leased at once: as many as the endpoint takes while a transaction is written, so that sending seldom waits for one. */
  batchLimit: number;
  /** How many went out since the queue was last filled. */
  sent: number;
}

/** The deliveries that one process has leased, one queue per endpoint, with five requests in flight at once. */
export interface EndpointQueues {
  add(ctx: Ctx, claimed: Posted[]): void;
  /** Takes what waits for an endpoint out of its queue; without one, what waits for all. */
  drop(endpointId?: string): Posted[];
  /** Endpoints for which something waits, with the version that it was claimed by. */
  waiting(): (Tenant & { endpoint_id: string; version: number })[];
  /** Endpoints that have enough to do. */
  full(): string[];
  /** How many deliveries of a sound endpoint may be leased at once. */
  batchLimitOf(endpointId: string): number;
  /** How many requests are out or could be at once, and how many deliveries wait. */
  count(): { slots: number; waiting: number };
}

interface QueueHandlers {
  /** Sends one delivery; answers whether the endpoint took it. Never throws. */
  send(ctx: Ctx, posted: Posted): Promise<boolean>;
  /** Receives deliveries that will not be sent under this lease. */
  giveBack(posted: Posted[]): void;
  /** Called when there is something to write down or room for more. */
  wake(): void;
}

export function createEndpointQueues(handlers: QueueHandlers): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  return {
    add(ctx, claimed) {
      const byEndpoint = Map.groupBy(claimed, (posted) => posted.endpoint_id);
      for (const queue of queues.values()) if (isEmpty(queue) && !byEndpoint.has(queue.endpoint_id)) queues.delete(queue.endpoint_id);
      for (const [id, batch] of byEndpoint) queues.set(id, fill(queues.get(id) ?? emptyQueue(batch), batch));
      for (const queue of queues.values()) pump(handlers, ctx, queue);
    },
    drop: (endpointId) =>
      [...queues.values()].flatMap((queue) => (endpointId === undefined || queue.endpoint_id === endpointId ? queue.waiting.splice(0) : [])),
    waiting: () => [...queues.values()].filter((queue) => queue.waiting.length > 0),
    full: () => [...queues.values()].filter((queue) => queue.paused || isFull(queue)).map((queue) => queue.endpoint_id),
    batchLimitOf: (endpointId) => queues.get(endpointId)?.batchLimit ?? firstBatchLimit,
    count() {
      let [slots, waiting] = [0, 0];
      for (const queue of queues.values()) {
        slots += Math.min(maxInFlight, queue.inFlight + queue.waiting.length);
        waiting += queue.waiting.length;
      }
      return { slots, waiting };
    },
  };
}

function pump(handlers: QueueHandlers, ctx: Ctx, queue: EndpointQueue): void {
  while (!queue.paused && queue.inFlight < maxInFlight && queue.waiting.length > 0) {
    const [next] = queue.waiting as [Posted];
    // A process that slept through its lease sends nothing, because another one has the delivery by now.
    if (next.leaseUntil.getTime() - ctx.now().getTime() < exchangeMs) giveBack(handlers, queue, Math.max(minBatchLimit, queue.batchLimit / 2));
    else void sendNext(handlers, ctx, queue);
  }
}

async function sendNext(handlers: QueueHandlers, ctx: Ctx, queue: EndpointQueue): Promise<void> {
  queue.inFlight += 1;
  queue.sent += 1;
  queue.paused = !(await handlers.send(ctx, queue.waiting.shift() as Posted));
  queue.inFlight -= 1;
  if (queue.inFlight === 0 && queue.paused) {
    // When all that was out has failed, the endpoint is in trouble: it is not sent what was meant for a sound one.
    giveBack(handlers, queue, firstBatchLimit);
    queue.paused = false;
  }
  pump(handlers, ctx, queue);
  if (!isFull(queue)) handlers.wake();
}

function giveBack(handlers: QueueHandlers, queue: EndpointQueue, batchLimit: number): void {
  queue.batchLimit = batchLimit;
  handlers.giveBack(queue.waiting.splice(0));
}

function emptyQueue([first]: Posted[]): EndpointQueue {
  const { project_id, livemode, endpoint_id, version } = first as Posted;
  return { project_id, livemode, endpoint_id, version, waiting: [], inFlight: 0, paused: false, batchLimit: firstBatchLimit, sent: 0 };
}

/** A queue that ran empty since it was filled, although it was long, may be longer. */
function fill(queue: EndpointQueue, batch: Posted[]): EndpointQueue {
  if (queue.waiting.length === 0 && queue.sent >= queue.batchLimit / 2) queue.batchLimit = Math.min(maxBatchLimit, queue.batchLimit * 2);
  queue.sent = 0;
  queue.waiting.push(...batch);
  queue.version = (batch[0] as Posted).version;
  return queue;
}

function isEmpty({ inFlight, waiting }: EndpointQueue): boolean {
  return inFlight === 0 && waiting.length === 0;
}

/** Three eighths last while the next ones are leased. */
function isFull({ waiting, batchLimit }: EndpointQueue): boolean {
  return waiting.length > batchLimit * 0.375;
}
