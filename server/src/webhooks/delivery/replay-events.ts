import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, hint, platformErrors, type Tenant, updatePlanning } from "#platform/index.ts";
import { holdEndpoint } from "../endpoint/find-endpoint.ts";
import { webhookErrors } from "../errors.ts";
import { checkEvents } from "../event-names.ts";
import { insertReplayed } from "./fan-out.sql.ts";

const longestMs = 30 * 86_400_000;
const maxAtOnce = 20_000;
const apartMs = 20;

export interface Replay {
  webhook_id: string;
  since: Date;
  until: Date | null;
  scheduled: number;
  /** More events remain than one call handles: call again. */
  has_more: boolean;
}

export interface ReplayInput {
  endpoint_id: string;
  since: Date;
  until?: Date;
  /** Event names and families; everything the endpoint subscribes to if absent. */
  events?: string[];
  /** Also resends what the endpoint has already received. */
  include_delivered?: boolean;
}

/**
 * Reschedules the events between two times that an endpoint subscribes to and has not received, with their original ids, at fifty a second
 * and after those of earlier calls.
 * Throws parameter_invalid beyond 30 days and for unknown events, endpoint_disabled if nothing would be sent.
 */
export async function replayEvents(ctx: Ctx, tenant: Tenant, input: ReplayInput): Promise<Replay> {
  const now = await findNow(ctx.db);
  const { since, until = null, include_delivered = false } = input;
  if (now.getTime() - since.getTime() > longestMs || since > now) {
    throw platformErrors.parameter_invalid({
      param: "since",
      reason: "too_old",
      values: { max: 30 },
      message: "since must be a time within the last 30 days.",
    });
  }
  if (until !== null && until < since)
    throw platformErrors.parameter_invalid({ param: "until", reason: "end_before_start", message: "until can't be before since." });
  const events = input.events === undefined ? null : checkEvents(input.events);
  return ctx.transact(async (tx) => {
    const endpoint = await holdEndpoint(tx, { tenant, id: input.endpoint_id });
    if (endpoint.status === "disabled")
      throw webhookErrors.endpoint_disabled({ message: "This webhook endpoint is disabled. Enable it, then replay." });
    await updatePlanning(tx);
    const scheduled = await insertReplayed(tx, endpoint, { since, until, events, include_delivered, limit: maxAtOnce, apartMs });
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "webhook.replayed",
      object_type: "webhook",
      object_id: endpoint.id,
      detail: { since, until, events, include_delivered, scheduled },
    });
    if (scheduled > 0) hint(tx, "deliveries");
    return { webhook_id: endpoint.id, since, until, scheduled, has_more: scheduled === maxAtOnce };
  });
}
