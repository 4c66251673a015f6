import { expect, test } from "vitest";
import { listSetAsideJobs, releaseJobs } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { loseWorker } from "#test/support/webhooks/lost-workers.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { fanOut, listAttempts, retryAttempt } from "../../index.ts";
import { deliveryQueue } from "./claim.sql.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx } = app;

test("a delivery that is set aside stays with the operator when it is resent manually and fails, and its release sends it", async () => {
  const tenant = await app.tenant();
  let status = 500;
  const shop = await receiver((_one, response) => response.writeHead(status).end());
  const { id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  await fanOut(ctx);
  for (let death = 0; death < 2; death += 1) await loseWorker(app);
  const setAside = await listSetAsideJobs(ctx, deliveryQueue);
  expect(setAside).toMatchObject([{ deaths: 2 }]);
  const [lost] = (await listAttempts(ctx, tenant, { endpoint_id: id, limit: 1 })).rows;
  expect(lost).toMatchObject({ error_code: "worker_lost" });
  expect(await retryAttempt(ctx, tenant, { endpoint_id: id, attempt_id: lost?.id ?? "" })).toMatchObject({ response_status: 500 });
  expect(await listSetAsideJobs(ctx, deliveryQueue)).toEqual(setAside);
  status = 200;
  expect(await releaseJobs(ctx, deliveryQueue, [setAside[0]?.job ?? ""])).toBe(1);
  await handOf(ctx).deliver();
  expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "succeeded" }]);
});
