import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { changeEndpoint, createSender, fanOut, findEndpoint, listAttempts } from "../../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx } = app;

test.each([410, 500, 200])("a %s from an earlier address neither changes nor disables the endpoint", async (status) => {
  const tenant = await app.tenant();
  const open: (() => void)[] = [];
  const former = await receiver((_one, response) => open.push(() => response.writeHead(status).end()));
  const { id } = await endpointAt(ctx, tenant, former.url);
  await emitSome(ctx, tenant);
  await fanOut(ctx);
  const sender = createSender();
  await sender.run(ctx);
  await former.until(1);
  const changed = await changeEndpoint(ctx, tenant, { id, if_version: null, url: `${former.url}/new` });
  for (const answer of open) answer();
  await sender.finish(ctx);
  const { rows } = await listAttempts(ctx, tenant, { endpoint_id: id, limit: 10 });
  expect(rows).toMatchObject([{ response_status: status, url: former.url }]);
  expect(await findEndpoint(ctx, tenant, id)).toEqual(changed);
});
