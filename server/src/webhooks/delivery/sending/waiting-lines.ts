import type { Ctx, Tenant } from "#platform/index.ts";
import type { LiveSecrets } from "../../endpoint/secrets.ts";
import type { ClaimedRow } from "./claim.sql.ts";
import { mostInFlight } from "./in-flight.ts";

/** What must be left of a lease before its request begins: the longest exchange, and a second. */
const exchangeMs = 16_000;
/** How many of its deliveries an endpoint's line may have leased at first, and at most once it has shown that it takes them quickly. */
const firstReach = 64;
const longestReach = 512;
const shortestReach = 16;

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

interface Line extends Tenant {
  endpoint_id: string;
  version: number;
  waiting: Posted[];
  inFlight: number;
  /** Paused after a failure until an in-flight request succeeds. */
  doubted: boolean;
  /** How many may be leased at once: as many as the endpoint takes while a transaction is written, so that sending seldom waits for one. */
  reach: number;
  /** How many went out since the line was last filled. */
  sent: number;
}

/** The deliveries that one process has leased, an endpoint's in a line of their own, of which five are out at once. */
export interface Lines {
  add(ctx: Ctx, claimed: Posted[]): void;
  /** Takes what waits for an endpoint out of its line; without one, what waits for all. */
  drop(endpointId?: string): Posted[];
  /** Endpoints for which something waits, with the version that it was claimed by. */
  waiting(): (Tenant & { endpoint_id: string; version: number })[];
  /** Endpoints that have enough to do. */
  full(): string[];
  /** How many deliveries of a sound endpoint may be leased at once. */
  reachOf(endpointId: string): number;
  /** How many requests are out or could be at once, and how many deliveries wait. */
  count(): { slots: number; waiting: number };
}

interface Clerk {
  /** Sends one delivery; answers whether the endpoint took it. Never throws. */
  send(ctx: Ctx, posted: Posted): Promise<boolean>;
  /** Told of deliveries that will not be sent under this lease. */
  giveBack(posted: Posted[]): void;
  /** Told when there is something to write down or room for more. */
  wake(): void;
}

export function createLines(clerk: Clerk): Lines {
  const lines = new Map<string, Line>();
  return {
    add(ctx, claimed) {
      const byEndpoint = Map.groupBy(claimed, (posted) => posted.endpoint_id);
      for (const line of lines.values()) if (isEmpty(line) && !byEndpoint.has(line.endpoint_id)) lines.delete(line.endpoint_id);
      for (const [id, batch] of byEndpoint) lines.set(id, fill(lines.get(id) ?? emptyLine(batch), batch));
      for (const line of lines.values()) pump(clerk, ctx, line);
    },
    drop: (endpointId) => [...lines.values()].flatMap((line) => (endpointId === undefined || line.endpoint_id === endpointId ? line.waiting.splice(0) : [])),
    waiting: () => [...lines.values()].filter((line) => line.waiting.length > 0),
    full: () => [...lines.values()].filter((line) => line.doubted || isFull(line)).map((line) => line.endpoint_id),
    reachOf: (endpointId) => lines.get(endpointId)?.reach ?? firstReach,
    count() {
      let [slots, waiting] = [0, 0];
      for (const line of lines.values()) {
        slots += Math.min(mostInFlight, line.inFlight + line.waiting.length);
        waiting += line.waiting.length;
      }
      return { slots, waiting };
    },
  };
}

function pump(clerk: Clerk, ctx: Ctx, line: Line): void {
  while (!line.doubted && line.inFlight < mostInFlight && line.waiting.length > 0) {
    const [next] = line.waiting as [Posted];
    // A process that slept through its lease sends nothing, because another one has the delivery by now.
    if (next.leaseUntil.getTime() - ctx.now().getTime() < exchangeMs) giveBack(clerk, line, Math.max(shortestReach, line.reach / 2));
    else void sendNext(clerk, ctx, line);
  }
}

async function sendNext(clerk: Clerk, ctx: Ctx, line: Line): Promise<void> {
  line.inFlight += 1;
  line.sent += 1;
  line.doubted = !(await clerk.send(ctx, line.waiting.shift() as Posted));
  line.inFlight -= 1;
  if (line.inFlight === 0 && line.doubted) {
    // When all that was out has failed, the endpoint is in trouble: it is not sent what was meant for a sound one.
    giveBack(clerk, line, firstReach);
    line.doubted = false;
  }
  pump(clerk, ctx, line);
  if (!isFull(line)) clerk.wake();
}

function giveBack(clerk: Clerk, line: Line, reach: number): void {
  line.reach = reach;
  clerk.giveBack(line.waiting.splice(0));
}

function emptyLine([first]: Posted[]): Line {
  const { project_id, livemode, endpoint_id, version } = first as Posted;
  return { project_id, livemode, endpoint_id, version, waiting: [], inFlight: 0, doubted: false, reach: firstReach, sent: 0 };
}

/** A line that has run dry since it was filled, although it was long, may be longer. */
function fill(line: Line, batch: Posted[]): Line {
  if (line.waiting.length === 0 && line.sent >= line.reach / 2) line.reach = Math.min(longestReach, line.reach * 2);
  line.sent = 0;
  line.waiting.push(...batch);
  line.version = (batch[0] as Posted).version;
  return line;
}

function isEmpty({ inFlight, waiting }: Line): boolean {
  return inFlight === 0 && waiting.length === 0;
}

/** Three eighths last while the next ones are leased. */
function isFull({ waiting, reach }: Line): boolean {
  return waiting.length > reach * 0.375;
}
