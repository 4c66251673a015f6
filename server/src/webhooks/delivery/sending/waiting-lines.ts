import type { Ctx, Tenant } from "#platform/index.ts";
import type { LiveSecrets } from "../../endpoint/secrets.ts";
import type { ClaimedRow } from "./claim.sql.ts";
import { mostInFlight } from "./in-flight.ts";

/** What must be left of a lease before its request begins: the longest exchange, and a second. */
const exchangeMs = 16_000;
/** A line that is this short may be filled up again. */
const fewWaiting = 24;

/** A leased delivery with what its exchange needs. */
export interface Posted extends ClaimedRow {
  secrets: LiveSecrets;
  /** Of the endpoint when it was claimed. */
  version: number;
  leaseUntil: Date;
  at: Date;
  /** Whether a success says more of the endpoint than is known already. */
  is_news: boolean;
}

interface Line extends Tenant {
  endpoint_id: string;
  version: number;
  waiting: Posted[];
  inFlight: number;
  /** The last answer was no success: nothing more goes out until one of those under way is. */
  doubted: boolean;
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

  const pump = (ctx: Ctx, line: Line) => {
    while (!line.doubted && line.inFlight < mostInFlight && line.waiting.length > 0) {
      const [next] = line.waiting as [Posted];
      // A process that slept through its lease sends nothing: the delivery is somebody else's by now.
      if (next.leaseUntil.getTime() - ctx.now().getTime() < exchangeMs) clerk.giveBack(line.waiting.splice(0));
      else void sendOne(ctx, line, line.waiting.shift() as Posted);
    }
    if (line.inFlight === 0 && line.waiting.length === 0) lines.delete(line.endpoint_id);
  };

  const sendOne = async (ctx: Ctx, line: Line, posted: Posted) => {
    line.inFlight += 1;
    const taken = await clerk.send(ctx, posted);
    line.inFlight -= 1;
    line.doubted = !taken;
    // When all that was out has failed, the endpoint is in trouble: it is not sent what was meant for a sound one.
    if (line.doubted && line.inFlight === 0) clerk.giveBack(line.waiting.splice(0));
    pump(ctx, line);
    if (line.waiting.length <= fewWaiting) clerk.wake();
  };

  return {
    add(ctx, claimed) {
      for (const posted of claimed) {
        const { project_id, livemode, endpoint_id, version } = posted;
        const line = lines.get(endpoint_id) ?? { project_id, livemode, endpoint_id, version, waiting: [], inFlight: 0, doubted: false };
        line.version = version;
        line.waiting.push(posted);
        lines.set(endpoint_id, line);
      }
      for (const line of lines.values()) pump(ctx, line);
    },
    drop: (endpointId) => [...lines.values()].flatMap((line) => (endpointId === undefined || line.endpoint_id === endpointId ? line.waiting.splice(0) : [])),
    waiting: () => [...lines.values()].filter((line) => line.waiting.length > 0),
    full: () => [...lines.values()].filter((line) => line.doubted || line.waiting.length > fewWaiting).map((line) => line.endpoint_id),
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
