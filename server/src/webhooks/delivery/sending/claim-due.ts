import { beginPass, type Ctx, createFairShares, type FairShares, type SweepPass, type Tx } from "#platform/index.ts";
import { listCallbackSecrets } from "../../callback/sql.ts";
import { callbackPlace, endpointPlace, type LiveSecrets, openSecrets } from "../../endpoint/secrets.ts";
import type { EndpointRow } from "../../endpoint/sql.ts";
import { type DueEndpoint, lockDueEndpoints, updateClaimed } from "./claim.sql.ts";
import type { EndpointQueues, Posted } from "./endpoint-queues.ts";
import { maxInFlight } from "./in-flight.ts";
import { successNotedEveryMs } from "./note-health.ts";
import { lockSuspectEndpoint } from "./suspects.sql.ts";

export const leaseMs = 30_000;
export const endpointsAtOnce = 40;
/** Limits of one process: concurrent requests, and deliveries waiting in memory. */
const maxSlots = 512;
/** Endpoints whose secret can't be opened. */
const odd = { task: "deliver_webhooks", kind: "endpoint" };
/** A single project can use half of the requests; the others share the rest. */
const slotsToShare = { usual: maxSlots / 2, reserved: maxSlots / 2 };
const maxWaiting = 1_024;

interface Claiming {
  /** The prefix of this process's leases. */
  holder: string;
  lease: string;
  /** Endpoints with enough deliveries already. */
  full: string[];
  held: { slots: number; waiting: number; byProject: Map<string, number> };
  batchLimitOf: EndpointQueues["batchLimitOf"];
}

/** Two statements: first the endpoints, then, with their rows locked, as many deliveries as each has capacity for. */
export async function claimDue(tx: Tx, ctx: Ctx, { holder, lease, full, held, batchLimitOf }: Claiming): Promise<Posted[]> {
  const limit = Math.min(endpointsAtOnce, Math.ceil((maxSlots - held.slots) / maxInFlight));
  if (limit <= 0) return [];
  const shares = createFairShares(slotsToShare);
  for (const [project, slots] of held.byProject) shares.change(project, slots);
  const pass = beginPass(ctx, odd);
  const skipped = [...full, ...shares.full(), ...pass.waiting];
  const found = await lockDueEndpoints(tx, { limit, staleAfterMs: successNotedEveryMs, holder, full: skipped });
  const endpoints = await withSecrets(tx, ctx, { endpoints: found.filter((endpoint) => takeShare(shares, endpoint)), pass });
  if (found.length < limit) pass.end();
  if (endpoints.length === 0) return [];
  const share = Math.max(maxInFlight, Math.floor((maxWaiting - held.waiting) / endpoints.length));
  const maxOf = (endpoint: EndpointRow) => maxFor(endpoint, Math.min(share, batchLimitOf(endpoint.id)));
  return claimOf(tx, ctx, { endpoints, maxOf, holder, lease, alone: false });
}

/** Whether the endpoint's project has requests left, which the endpoint then uses. */
function takeShare(shares: FairShares, { project_id }: EndpointRow): boolean {
  if (shares.leftOf(project_id) <= 0) return false;
  shares.change(project_id, maxInFlight);
  return true;
}

/** Leases one of the deliveries that are sent alone, if any is due. */
export async function claimAlone(tx: Tx, ctx: Ctx, given: { holder: string; lease: string }): Promise<Posted[]> {
  const pass = beginPass(ctx, odd);
  const found = await lockSuspectEndpoint(tx, { holder: given.holder, without: pass.waiting });
  const endpoints = await withSecrets(tx, ctx, { endpoints: found, pass });
  return endpoints.length === 0 ? [] : claimOf(tx, ctx, { ...given, endpoints, maxOf: () => 1, alone: true });
}

/** An endpoint with the secrets that sign for it. */
type OpenEndpoint = DueEndpoint & { secrets: LiveSecrets };

/** Opens endpoints' secrets. One whose secret can't be opened is put off, and the deliveries of the others are sent. */
async function withSecrets(
  tx: Tx,
  ctx: Ctx,
  { endpoints, pass }: { endpoints: readonly DueEndpoint[]; pass: SweepPass },
): Promise<OpenEndpoint[]> {
  const secretsOf = await secretsFor(tx, ctx, endpoints);
  const opened: OpenEndpoint[] = [];
  for (const endpoint of endpoints) {
    const secrets = await pass.attempt(endpoint.id, async () => secretsOf(endpoint));
    if (secrets !== null) opened.push({ ...endpoint, secrets });
  }
  return opened;
}

interface OfEndpoints {
  endpoints: readonly OpenEndpoint[];
  maxOf(endpoint: EndpointRow): number;
  holder: string;
  lease: string;
  alone: boolean;
}

async function claimOf(tx: Tx, ctx: Ctx, { endpoints, maxOf, ...claim }: OfEndpoints): Promise<Posted[]> {
  const wanted = endpoints.map(({ secrets: _secrets, ...endpoint }) => ({
    ...endpoint,
    url: endpoint.kind === "callback" ? null : endpoint.url,
    most: maxOf(endpoint),
  }));
  const attemptIds = Array.from({ length: wanted.reduce((sum, one) => sum + one.most, 0) }, () => ctx.id("wat"));
  // Measured by this process's clock before the claim, so that it expires no later than the lease does by the database's clock.
  const leaseUntil = new Date(ctx.now().getTime() + leaseMs);
  const rows = await updateClaimed(tx, { ...claim, endpoints: wanted, durationMs: leaseMs, attemptIds });
  const known = new Map(
    endpoints.map((endpoint) => [endpoint.id, { version: endpoint.version, secrets: endpoint.secrets, is_news: isNews(endpoint) }]),
  );
  return rows.flatMap((row) => {
    const endpoint = known.get(row.endpoint_id);
    return endpoint === undefined ? [] : [{ ...row, ...endpoint, leaseUntil, alone: claim.alone }];
  });
}

/** Endpoints have their own secrets; callbacks are signed with their project's secret. */
async function secretsFor(tx: Tx, ctx: Ctx, endpoints: readonly EndpointRow[]): Promise<(endpoint: EndpointRow) => LiveSecrets> {
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
 * An endpoint whose breaker has just closed gets a single delivery as a probe; one that is not known to be healthy gets no more than can be
 * in flight at once. Occasional failures don't make an endpoint unhealthy: it would fall behind permanently.
 */
function maxFor({ breaker_until, consecutive_failures, last_success_at }: EndpointRow, share: number): number {
  if (breaker_until !== null) return 1;
  return consecutive_failures >= maxInFlight || last_success_at === null ? maxInFlight : share;
}

/** A healthy endpoint's success is recorded every few seconds rather than each time, which would rewrite its row at every delivery. */
function isNews({ failing_since, breaker_until, is_stale }: DueEndpoint): boolean {
  return failing_since !== null || breaker_until !== null || is_stale;
}
