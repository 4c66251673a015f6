import type { Ctx, Tx } from "#platform/index.ts";
import { listCallbackSecrets } from "../../callback/sql.ts";
import { callbackPlace, endpointPlace, type LiveSecrets, openSecrets } from "../../endpoint/secrets.ts";
import type { EndpointRow } from "../../endpoint/sql.ts";
import { type DueEndpoint, lockDueEndpoints, lockSuspectEndpoint, updateClaimed } from "./claim.sql.ts";
import type { EndpointQueues, Posted } from "./endpoint-queues.ts";
import { maxInFlight } from "./in-flight.ts";
import { successNotedEveryMs } from "./note-health.ts";

export const leaseMs = 30_000;
export const endpointsAtOnce = 40;
/** Requests that one process has out at the same time, and deliveries that wait in its memory. */
const maxSlots = 512;
const maxWaiting = 1_024;

interface Claiming {
  /** Begins each lease of this process. */
  holder: string;
  lease: string;
  /** Endpoints that have enough to do. */
  full: string[];
  held: { slots: number; waiting: number };
  batchLimitOf: EndpointQueues["batchLimitOf"];
}

/** Two statements: endpoints first, then, with their rows held, as many deliveries as each has room for. */
export async function claimDue(tx: Tx, ctx: Ctx, { holder, lease, full, held, batchLimitOf }: Claiming): Promise<Posted[]> {
  const limit = Math.min(endpointsAtOnce, Math.ceil((maxSlots - held.slots) / maxInFlight));
  if (limit <= 0) return [];
  const endpoints = await lockDueEndpoints(tx, { limit, staleAfterMs: successNotedEveryMs, holder, full });
  if (endpoints.length === 0) return [];
  const share = Math.max(maxInFlight, Math.floor((maxWaiting - held.waiting) / endpoints.length));
  const maxOf = (endpoint: EndpointRow) => maxFor(endpoint, Math.min(share, batchLimitOf(endpoint.id)));
  return claimOf(tx, ctx, { endpoints, maxOf, holder, lease, alone: false });
}

/** Leases one of the deliveries that go alone, if there is any. */
export async function claimAlone(tx: Tx, ctx: Ctx, given: { holder: string; lease: string }): Promise<Posted[]> {
  const endpoints = await lockSuspectEndpoint(tx);
  return endpoints.length === 0 ? [] : claimOf(tx, ctx, { ...given, endpoints, maxOf: () => 1, alone: true });
}

interface OfEndpoints {
  endpoints: DueEndpoint[];
  maxOf(endpoint: EndpointRow): number;
  holder: string;
  lease: string;
  alone: boolean;
}

async function claimOf(tx: Tx, ctx: Ctx, { endpoints, maxOf, ...claim }: OfEndpoints): Promise<Posted[]> {
  const wanted = endpoints.map((endpoint) => ({ ...endpoint, url: endpoint.kind === "callback" ? null : endpoint.url, most: maxOf(endpoint) }));
  const attemptIds = Array.from({ length: wanted.reduce((sum, one) => sum + one.most, 0) }, () => ctx.id("wat"));
  // By this process's clock and from before the claim, so that it ends no later than the lease by the database's.
  const leaseUntil = new Date(ctx.now().getTime() + leaseMs);
  const rows = await updateClaimed(tx, { ...claim, endpoints: wanted, forMs: leaseMs, attemptIds });
  const secretsOf = await secretsFor(tx, ctx, endpoints);
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, { version: endpoint.version, secrets: secretsOf(endpoint), is_news: isNews(endpoint) }]));
  return rows.flatMap((row) => {
    const endpoint = known.get(row.endpoint_id);
    return endpoint === undefined ? [] : [{ ...row, ...endpoint, leaseUntil, alone: claim.alone }];
  });
}

/** Endpoints have secrets of their own; callbacks are signed with their project's. */
async function secretsFor(tx: Tx, ctx: Ctx, endpoints: EndpointRow[]): Promise<(endpoint: EndpointRow) => LiveSecrets> {
  const now = ctx.now();
  const shared = await listCallbackSecrets(
    tx,
    endpoints.filter((endpoint) => endpoint.kind === "callback"),
  );
  return (endpoint) => {
    if (endpoint.kind === "endpoint") return openSecrets(ctx.masterKeys, { place: endpointPlace(endpoint.id), row: endpoint, now });
    const row = shared.find((one) => one.project_id === endpoint.project_id && one.livemode === endpoint.livemode);
    if (row === undefined) throw new Error("a project owes a callback and has no secret for it");
    return openSecrets(ctx.masterKeys, { place: callbackPlace(row), row, now });
  };
}

/**
 * An endpoint whose breaker has just closed gets one delivery to prove itself with, one that is not known to be sound no more than can be
 * out at once. Occasional failures don't mark an endpoint as unhealthy: such an endpoint would fall behind permanently.
 */
function maxFor({ breaker_until, consecutive_failures, last_success_at }: EndpointRow, share: number): number {
  if (breaker_until !== null) return 1;
  return consecutive_failures >= maxInFlight || last_success_at === null ? maxInFlight : share;
}

/** A success of a sound endpoint is written down every few seconds, not every time: its row would be rewritten at each delivery. */
function isNews({ failing_since, breaker_until, is_stale }: DueEndpoint): boolean {
  return failing_since !== null || breaker_until !== null || is_stale;
}
