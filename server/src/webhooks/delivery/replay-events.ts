import { recordAudit } from "#identity/index.ts";
import { type Ctx, hint, platformErrors, type Tenant } from "#platform/index.ts";
import { holdEndpoint } from "../endpoint/find-endpoint.ts";
import { insertReplayed } from "./fan-out.sql.ts";

const longestMs = 30 * 86_400_000;
const mostAtOnce = 20_000;
const apartMs = 20;

export interface Replay {
  webhook_id: string;
  since: Date;
  scheduled: number;
  /** More remain than one call takes: call again. */
  has_more: boolean;
}

/** Schedules again what an endpoint subscribes to and has not received since an instant, with the same ids, fifty a second. Throws parameter_invalid beyond 30 days. */
export function replayEvents(ctx: Ctx, tenant: Tenant, input: { endpoint_id: string; since: Date }): Promise<Replay> {
  const now = ctx.now();
  if (now.getTime() - input.since.getTime() > longestMs || input.since > now) {
    throw platformErrors.parameter_invalid({ param: "since", message: "since must be an instant of the last 30 days." });
  }
  return ctx.transact(async (tx) => {
    const endpoint = await holdEndpoint(tx, ctx, { tenant, id: input.endpoint_id });
    const scheduled = await insertReplayed(tx, endpoint, { since: input.since, now, limit: mostAtOnce, apartMs });
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "webhook.replayed",
      object_type: "webhook",
      object_id: endpoint.id,
      detail: { since: input.since, scheduled },
    });
    if (scheduled > 0) hint(tx, "deliveries");
    return { webhook_id: endpoint.id, since: input.since, scheduled, has_more: scheduled === mostAtOnce };
  });
}
