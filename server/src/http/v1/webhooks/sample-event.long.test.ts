import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { eventNames } from "#webhooks/index.ts";
import { sampleData } from "./sample-event.ts";

const app = await testApp({ egress: await localEgress() });
const shop = await receiver();
const { key, project_id } = await app.tenant();
const api = app.api(key);
const webhooks = `/api/v1/projects/${project_id}/webhooks`;
const { id } = (await api.post(webhooks, { url: shop.url, events: ["*"] })).body;

test.each([...eventNames])("a test of %s sends its sample", async (event) => {
  expect((await api.post(`${webhooks}/${id}/test`, { event })).body).toMatchObject({ status: "succeeded" });
  const sample = event === "webhook.test" ? { webhook: { id } } : sampleData(event, app.ctx.now());
  const data = JSON.parse(JSON.stringify({ ...sample, project_id }));
  expect(JSON.parse(shop.received.at(-1)?.body.toString() ?? "")).toMatchObject({ event, test: true, livemode: false, data });
});
