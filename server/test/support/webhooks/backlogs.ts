import type { TestApp } from "#test/support/app/test-app.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { changeEndpoint } from "#webhooks/index.ts";
import { endpointAt } from "./webhook-world.ts";
import { insertBacklog, listDeliveryStates } from "./webhooks.sql.ts";

/** More pending deliveries than one statement skips. */
export const backlogCount = 1_100;

/** Opens endpoints with a backlog, whose receiver responds with a status. */
export const backlogsIn =
  ({ ctx, clock, tenant: openTenant }: TestApp) =>
  async (status = 200) => {
    const tenant = await openTenant();
    const shop = await receiver((_one, response) => response.writeHead(status).end());
    const { id } = await endpointAt(ctx, tenant, shop.url);
    await insertBacklog(ctx.db, tenant, { endpoint_id: id, count: backlogCount, now: ctx.now() });
    clock.advance(1);
    const skipped = async () => (await listDeliveryStates(ctx.db, tenant)).filter((one) => one.state === "skipped").length;
    const enable = (status: "enabled" | "disabled") => changeEndpoint(ctx, tenant, { id, if_version: null, status });
    return { tenant, shop, id, skipped, enable };
  };
