import { recordAudit } from "#audit/index.ts";
import { apiVersion } from "#events/index.ts";
import { type Ctx, gatherFaults, platformErrors, refuseCardNumbers, seal, type Tenant } from "#platform/index.ts";
import { checkEvents } from "../event-names.ts";
import { redactUrl } from "../redact-url.ts";
import { endpointPlace, makeSecret } from "./secrets.ts";
import { type EndpointRow, insertEndpoint, lockEndpointCount } from "./sql.ts";

export interface EndpointInput {
  url: string;
  events: string[];
  description?: string | null;
}

/** An endpoint with its new secret; null when an earlier request's response is repeated. */
export interface NewEndpoint {
  endpoint: EndpointRow;
  secret: string | null;
}

const maxEndpoints = 16;

/** Creates an endpoint. Throws url_not_allowed, parameter_invalid for an event that does not exist, limit_reached after sixteen. */
export async function createEndpoint(ctx: Ctx, tenant: Tenant, input: EndpointInput): Promise<NewEndpoint> {
  let events: string[] = [];
  await gatherFaults([
    () => ctx.egress.check(input.url, "url"),
    () => (events = checkEvents(input.events)),
    () => refuseCardNumbers({ description: input.description }),
  ]);
  const secret = makeSecret();
  const endpoint = await ctx.transact(async (tx) => {
    if ((await lockEndpointCount(tx, tenant)) >= maxEndpoints) {
      throw platformErrors.limit_reached({ message: `A project can have up to ${maxEndpoints} webhook endpoints in each environment.` });
    }
    const id = ctx.id("we");
    const row = await insertEndpoint(tx, {
      project_id: tenant.project_id,
      livemode: tenant.livemode,
      id,
      url: input.url,
      events,
      description: input.description ?? null,
      secret: seal(ctx.masterKeys, endpointPlace(id), secret),
      secret_last4: secret.slice(-4),
      api_version: apiVersion,
      created_at: ctx.now(),
    });
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "webhook.created",
      object_type: "webhook",
      object_id: id,
      detail: { url: redactUrl(input.url), events },
    });
    return row;
  });
  return { endpoint, secret: ctx.claim?.replayed === true ? null : secret };
}
