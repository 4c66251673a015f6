import { recordAudit } from "#audit/index.ts";
import { emitTest } from "#events/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { holdEndpoint } from "../endpoint/find-endpoint.ts";
import { endpointPlace, openSecrets } from "../endpoint/secrets.ts";
import type { EndpointRow } from "../endpoint/sql.ts";
import { checkEvent } from "../event-names.ts";
import {
  type AttemptRow,
  countLeases,
  insertAsideDelivery,
  insertAttempt,
  insertClaimedByHand,
  updateClaimedByHand,
} from "../history/attempts.sql.ts";
import { findAttempt } from "../history/list-attempts.ts";
import { type ClaimedRow, updateEnded } from "./sending/claim.sql.ts";
import { leaseMs } from "./sending/claim-due.ts";
import { exchangeOf } from "./sending/create-sender.ts";
import { maxInFlight } from "./sending/in-flight.ts";
import { noteHealth } from "./sending/note-health.ts";

/** A manually claimed delivery with what its request needs; the stored result that an idempotent replay finds is only the attempt's id. */
interface StartedDelivery {
  attempt_id: string;
}

type Claimed = Omit<ClaimedRow, "body"> & { body: Buffer };

/**
 * Sends a test event to one endpoint and returns the completed attempt. `data` is the event's data, by default the endpoint's id. Also
 * works for disabled endpoints and while the circuit breaker is open. The event is never retried.
 */
export async function sendTest(
  ctx: Ctx,
  tenant: Tenant,
  input: { endpoint_id: string; event?: string; data?: object },
): Promise<AttemptRow> {
  const event = checkEvent(input.event ?? "webhook.test");
  let prepared: Prepared | undefined;
  const started = await ctx.transact(async (tx): Promise<StartedDelivery> => {
    const endpoint = await holdFree(tx, { tenant, id: input.endpoint_id, own: 0 });
    const made = await emitTest(tx, ctx, { tenant, event, object_id: endpoint.id, data: input.data ?? { webhook: { id: endpoint.id } } });
    const claim = claimOf(ctx);
    await insertAsideDelivery(
      tx,
      { project_id: tenant.project_id, livemode: tenant.livemode, endpoint_id: endpoint.id, event_id: made.id, sequence: made.sequence },
      claim,
    );
    prepared = await begin(tx, ctx, {
      endpoint,
      event,
      trigger: "test",
      claimed: { event_id: made.id, attempt: 1, step: 0, lease: claim.lease, back_to: "failed", body: made.body },
    });
    await recordAudit(tx, { ctx, tenant, action: "webhook.tested", object_type: "webhook", object_id: endpoint.id, detail: { event } });
    return { attempt_id: prepared.claimed.attempt_id };
  });
  return concludeByHand(ctx, tenant, { prepared, started, endpoint_id: input.endpoint_id });
}

/**
 * Immediately resends the event of an earlier attempt with the same id and body. Success ends its retry schedule; failure leaves the
 * schedule unchanged. An attempt outlives its delivery if it was made later, such as by a replay; the delivery is then created again.
 * Throws concurrency_limited while the same delivery is in progress.
 */
export async function retryAttempt(ctx: Ctx, tenant: Tenant, input: { endpoint_id: string; attempt_id: string }): Promise<AttemptRow> {
  const earlier = await findAttempt(ctx, tenant, { endpoint_id: input.endpoint_id, id: input.attempt_id });
  let prepared: Prepared | undefined;
  const started = await ctx.transact(async (tx): Promise<StartedDelivery> => {
    const claim = claimOf(ctx);
    const key = { ...tenant, endpoint_id: input.endpoint_id, event_id: earlier.event_id };
    const delivery = (await updateClaimedByHand(tx, key, claim)) ?? (await insertClaimedByHand(tx, key, claim));
    const endpoint = await holdFree(tx, { tenant, id: input.endpoint_id, own: delivery === null ? 0 : 1 });
    if (delivery === null) throw busy();
    prepared = await begin(tx, ctx, {
      endpoint,
      event: earlier.event,
      trigger: "manual",
      claimed: { ...delivery, event_id: earlier.event_id, lease: claim.lease },
    });
    const detail = { attempt_id: input.attempt_id };
    await recordAudit(tx, { ctx, tenant, action: "webhook.attempt_retried", object_type: "webhook", object_id: endpoint.id, detail });
    return { attempt_id: prepared.claimed.attempt_id };
  });
  return concludeByHand(ctx, tenant, { prepared, started, endpoint_id: input.endpoint_id });
}

interface Prepared {
  claimed: Claimed;
  endpoint: EndpointRow;
}

/**
 * Holds an endpoint to which a request can be sent manually: while five deliveries are leased, which a backlog always has, one beside them.
 * `own`: the number of the endpoint's leases that this transaction has just taken.
 */
async function holdFree(tx: Tx, held: { tenant: Tenant; id: string; own: number }): Promise<EndpointRow> {
  const endpoint = await holdEndpoint(tx, held);
  const { all, manual } = await countLeases(tx, endpoint);
  if (all - held.own >= maxInFlight && manual > held.own) throw busy();
  return endpoint;
}

function busy(): Error {
  return platformErrors.concurrency_limited({
    message: "A delivery to this endpoint is in progress. Try again in a moment.",
    headers: { "retry-after": "1" },
  });
}

function claimOf(ctx: Ctx) {
  return { lease: ctx.id("dlv"), durationMs: leaseMs };
}

async function begin(
  tx: Tx,
  ctx: Ctx,
  given: {
    endpoint: EndpointRow;
    event: string;
    trigger: "manual" | "test";
    claimed: Pick<Claimed, "event_id" | "attempt" | "step" | "lease" | "back_to" | "body">;
  },
): Promise<Prepared> {
  const { endpoint, event, trigger } = given;
  const at = ctx.now();
  const key = { project_id: endpoint.project_id, livemode: endpoint.livemode, endpoint_id: endpoint.id };
  const claimed: Claimed = { ...key, ...given.claimed, attempt_id: ctx.id("wat"), url: endpoint.url };
  await insertAttempt(tx, {
    ...key,
    id: claimed.attempt_id,
    event_id: claimed.event_id,
    event,
    attempt: claimed.attempt,
    trigger,
    url: endpoint.url,
    created_at: at,
  });
  return { claimed, endpoint };
}

/** Sends outside any transaction and stores the result. An idempotent replay, which prepared nothing, only reads it. */
async function concludeByHand(
  ctx: Ctx,
  tenant: Tenant,
  given: { prepared: Prepared | undefined; started: StartedDelivery; endpoint_id: string },
): Promise<AttemptRow> {
  const { prepared } = given;
  if (prepared !== undefined) {
    const { claimed, endpoint } = prepared;
    const ending = await exchangeOf(ctx, {
      ...claimed,
      version: endpoint.version,
      secrets: openSecrets(ctx.masterKeys, { place: endpointPlace(endpoint.id), row: endpoint, now: ctx.now() }),
    });
    await ctx.transactUnclaimed(async (tx) => {
      await updateEnded(tx, [ending]);
      await noteHealth(tx, ctx, [ending]);
    });
  }
  return findAttempt(ctx, tenant, { endpoint_id: given.endpoint_id, id: given.started.attempt_id });
}
