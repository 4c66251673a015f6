import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createPaymentPoller } from "./process-payments.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
/** As many as a process asks about at once. */
const atOnce = 32;

test("a provider that leaves one project's queries unanswered delays no other project's", async () => {
  const [stuck, other] = [await gatewayShop(app), await gatewayShop(app)];
  await stuck.account("tp_stuck");
  await other.account("tp_other");
  const waiting = new Set<string>();
  for (let made = 0; made < atOnce + 8; made += 1) waiting.add((await stuck.started()).session.id);
  const { session } = await other.started();
  const answered = Promise.withResolvers<void>();
  gateway.meanwhile = (_verb, reference) => (waiting.has(reference) ? answered.promise : undefined);
  const pollCount = (wanted: (reference: string) => boolean) =>
    gateway.calls.filter(({ verb, reference }) => verb === "query" && wanted(reference)).length;
  app.clock.advance(300_000);
  const poller = createPaymentPoller();
  for (let started = 1; started > 0; ) started = await poller.run(app.ctx);
  const ofStuck = (reference: string) => waiting.has(reference);
  await eventually(
    "as many are asked about as is possible",
    () => pollCount(ofStuck) >= atOnce && pollCount((reference) => reference === session.id) === 1,
  );
  expect(pollCount(ofStuck), "the rest of the first one's has to wait").toBe(atOnce);
  answered.resolve();
  await poller.idle();
  for (let started = 1; started > 0; await poller.idle()) started = await poller.run(app.ctx);
  expect(pollCount(ofStuck)).toBe(waiting.size);
  await poller.finish(app.ctx);
});
