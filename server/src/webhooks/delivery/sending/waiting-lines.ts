import type { Ctx, Tenant } from "#platform/index.ts";
import type { LiveSecrets } from "../../endpoint/secrets.ts";
import type { ClaimedRow } from "./claim.sql.ts";
import { mostInFlight } from "./in-flight.ts";

/** How much of a lease must remain when its request starts: the longest request plus a second. */
const exchangeMs = 16_000;
/** How many deliveries of one endpoint may be leased at first, and at most once it has shown that it accepts them quickly. */
const firstReach = 64;
const longestReach = 512;
const shortestReach = 16;

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

interface Line extends Tenant {
  endpoint_id: string;
  version: number;
  waiting: Posted[];
  inFlight: number;
  /** Paused after a failure until an in-flight request succeeds. */
  doubted: boolean;
  /** How many may be leased at once: as many as the endpoint accepts during one transaction, so that sending rarely waits for one. */
  reach: number;
  /** How many were sent since the line was last filled. */
  sent: number;
}

/** The deliveries that one process has leased, in one line per endpoint, of which five are in flight at once. */
export interface Lines {
  add(ctx: Ctx, claimed: Posted[]): void;
  /** Removes an endpoint's waiting deliveries from its line; without an argument, those of all endpoints. */
  drop(endpointId?: string): Posted[];
  /** Endpoints with waiting deliveries, and their versions at the claim. */
  waiting(): (Tenant & { endpoint_id: string; version: number })[];
  /** Endpoints with enough deliveries already. */
  full(): string[];
  /** How many deliveries of a healthy endpoint may be leased at once. */
  reachOf(endpointId: string): number;
  /** How many requests are or could be in flight, and how many deliveries wait. */
  count(): { slots: number; waiting: number };
}

interface Clerk {
  /** Sends one delivery; returns whether the endpoint accepted it. Never throws. */
  send(ctx: Ctx, posted: Posted): Promise<boolean>;
  /** Called with deliveries that won't be sent under this lease. */
  giveBack(posted: Posted[]): void;
  /** Called when there is something to store or capacity for more. */
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
    // When all requests in flight have failed, the endpoint is failing: it no longer gets as many deliveries as a healthy one.
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

/** A line that ran dry since it was filled, although it was long, may be longer. */
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

/** Three eighths are enough to last while the next ones are leased. */
function isFull({ waiting, reach }: Line): boolean {
  return waiting.length > reach * 0.375;
}
