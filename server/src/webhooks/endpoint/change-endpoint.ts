import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, gatherFaults, refuseCardNumbers, type Tenant } from "#platform/index.ts";
import { checkEvents } from "../event-names.ts";
import { redactUrl } from "../redact-url.ts";
import { holdEndpoint } from "./find-endpoint.ts";
import { skipPending } from "./skip-pending.ts";
import { type EndpointRow, type EndpointStatus, updateEndpoint } from "./sql.ts";

export interface EndpointChange {
  id: string;
  if_version: number | null;
  url?: string;
  events?: string[];
  description?: string | null;
  status?: EndpointStatus;
}

const wellAgain = { consecutive_failures: 0, failing_since: null, warnings: 0, breaker_until: null, breaker_trips: 0 };

/**
 * Updates an endpoint. Enabling it or changing its URL clears its failures. Deliveries that are due when it is disabled, and events until
 * it is enabled, are skipped; replay sends them. So are pending retries of events that it no longer subscribes to. Throws as
 * `createEndpoint` does, and version_conflict.
 */
export async function changeEndpoint(ctx: Ctx, tenant: Tenant, change: EndpointChange): Promise<EndpointRow> {
  const { url: address, events: wanted } = change;
  let events: string[] | undefined;
  await gatherFaults([
    () => (address === undefined ? null : ctx.egress.check(address, "url")),
    () => (events = wanted === undefined ? undefined : checkEvents(wanted)),
    () => refuseCardNumbers({ description: change.description }),
  ]);
  return ctx.transact(async (tx) => {
    const row = await holdEndpoint(tx, { tenant, id: change.id, ifVersion: change.if_version });
    const status = change.status ?? row.status;
    const url = change.url ?? row.url;
    const isNew = (status === "enabled" && row.status === "disabled") || url !== row.url;
    const changed: EndpointRow = {
      ...row,
      ...(isNew ? wellAgain : {}),
      url,
      status,
      events: events ?? row.events,
      description: change.description === undefined ? row.description : change.description,
      disabled_reason: status === "enabled" ? null : (row.disabled_reason ?? "requested"),
    };
    const updated = await updateEndpoint(tx, changed);
    if (status !== row.status) await skipPending(tx, row, null);
    else if (events !== undefined) await skipPending(tx, row, events);
    const { id, if_version: _seen, url: _url, ...rest } = change;
    const detail = change.url === undefined ? rest : { ...rest, url: redactUrl(change.url) };
    await recordAudit(tx, { ctx, tenant, action: "webhook.updated", object_type: "webhook", object_id: id, detail });
    return updated;
  });
}

/** Deletes an endpoint: nothing more is sent to it, and its pending deliveries are skipped. */
export async function removeEndpoint(ctx: Ctx, tenant: Tenant, id: string): Promise<void> {
  await ctx.transact(async (tx) => {
    const row = await holdEndpoint(tx, { tenant, id });
    await updateEndpoint(tx, { ...row, removed_at: await findNow(tx) });
    await skipPending(tx, row, null);
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "webhook.deleted",
      object_type: "webhook",
      object_id: id,
      detail: { url: redactUrl(row.url) },
    });
  });
}
