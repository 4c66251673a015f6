import { expect, test } from "vitest";
import { updatePlanning } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { insertDeliveries } from "#webhooks/delivery/fan-out.sql.ts";
import { insertManyEndpoints } from "./endpoints.sql.ts";
import { onClient, type Plan, plansOf } from "./plans.sql.ts";

const app = await testApp();

test("an event's endpoints are read without the receivers of callbacks and the deleted endpoints of its project", async () => {
  const { project_id, livemode } = await app.tenant();
  const events = Array.from({ length: 50 }, (_, n) => ({
    ...{ project_id, livemode, id: `evt_${n}`, event: "order.paid", sequence: n, callback_url: null },
  }));
  await onClient(app.superuserUrl, async (client) => {
    const fanOut = async (): Promise<Plan | undefined> => {
      const plans = await plansOf(client, async (tx) => {
        await updatePlanning(tx);
        await insertDeliveries(tx, events);
      });
      return plans.at(-1);
    };
    await insertManyEndpoints(client, { project_id, livemode }, { living: 3, removed: 0, receivers: 0 });
    const before = await fanOut();
    await insertManyEndpoints(client, { project_id, livemode }, { living: 0, removed: 20_000, receivers: 20_000 });
    const after = await fanOut();
    expect(after?.indexes).toContain("webhook_endpoints_registered");
    expect(after?.blocks).toBeLessThan((before?.blocks ?? 0) + 10 * events.length);
  });
});
