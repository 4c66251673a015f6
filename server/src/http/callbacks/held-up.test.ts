import { expect, test, vi } from "vitest";
import type { GatewayAdapter } from "#gateways/index.ts";
import { createCallbackApplier } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const limit = 3;
/** Every request comes from one address, as a provider's do. */
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: limit } });
const forged: SentCallback = { headers: { "content-type": "application/json", "x-testpay-signature": "0" }, payload: "{}" };

let made = 0;
const open = async (): Promise<GatewayShop & { credential: string }> => {
  const shop = await gatewayShop(app);
  return { ...shop, credential: await shop.account(`tp_${(made += 1)}`) };
};
const send = async (to: string | null, { headers, payload }: SentCallback) =>
  (await app.api().call("POST", `/api/payments/testpay/webhook${to === null ? "" : `/${to}`}`, { headers, payload })).status;
const sendMany = async (count: number, work: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push(await work());
  return statuses;
};
const paid = async (shop: GatewayShop) => {
  const { session } = await shop.started();
  gateway.pay(session.id);
  return gateway.callback(session.id);
};

test("a sender of implausible callbacks to an account is slowed down there, but callbacks of other accounts from the same address aren't", async () => {
  const [misled, other] = [await open(), await open()];
  expect(await sendMany(limit + 1, () => send(misled.credential, forged))).toEqual([401, 401, 401, 429]);
  expect(await send(misled.credential, await paid(misled)), "until its minute is over").toBe(429);
  expect(await send(other.credential, await paid(other))).toBe(200);
  expect(await send(null, await paid(other)), "at the address that all accounts share").toBe(200);
  app.clock.advance(60_000);
  expect(await send(misled.credential, await paid(misled))).toBe(200);
});

test("a sender of unexpected callbacks is only slowed down for those", async () => {
  const shop = await open();
  expect(await sendMany(limit + 1, () => send(`gc_${String((made += 1)).padStart(26, "0")}`, forged))).toEqual([404, 404, 404, 429]);
  expect(await send(null, forged)).toBe(429);
  expect(await send(shop.credential, await paid(shop))).toBe(200);
});

/** A provider with unsigned callbacks: they name a payment by the provider's id. */
const unsigned: GatewayAdapter = {
  ...gateway.adapter,
  open: (fields, given) => ({
    ...gateway.adapter.open(fields, given),
    async verify(_call, { body }) {
      const { account: providerId, reference: event } = JSON.parse(body.toString()) as { account: string; reference: string };
      return {
        ok: true,
        dedupeKey: event,
        event: "hint",
        report: { kind: "ask", about: { reference: null, providerId } },
        unproven: providerId,
      };
    },
  }),
};

test("a payment whose callbacks prove nothing is queried ten times a minute, and once more when the minute is over", async () => {
  const there = await testApp({ gateways: { adapters: [unsigned] } });
  const shop = await gatewayShop(there);
  const credential = await shop.account("tp_unsigned");
  const { order, session } = await shop.started();
  const providerId = gateway.payments.get(session.id)?.providerId;
  const hint = (event: number, account = providerId) =>
    there
      .api()
      .call("POST", `/api/payments/testpay/webhook/${credential}`, { payload: JSON.stringify({ account, reference: `evt_${event}` }) });
  const queries = gateway.countOf("query");
  for (let event = 0; event < 40; event += 1) expect(await hint(event)).toMatchObject({ status: 200, text: "OK" });
  expect(gateway.countOf("query")).toBe(queries + 10);
  gateway.pay(session.id);
  await hint(41);
  const stored = () =>
    runStatement<{ state: string }>(there.ctx.db, "select state from gateway_callbacks where credential_id = ? order by id", credential);
  expect((await stored()).map(({ state }) => state)).toEqual([...Array.from({ length: 10 }, () => "done"), "due"]);
  there.clock.advance(60_000);
  const applier = createCallbackApplier();
  await applier.run(there.ctx);
  await applier.idle();
  await applier.finish(there.ctx);
  expect(await runStatement(there.ctx.db, "select status from orders where id = ?", order.id)).toEqual([{ status: "paid" }]);
});

test("a callback that proves nothing and identifies no payment of the account is acknowledged, and leaves only a stray", async () => {
  const there = await testApp({ gateways: { adapters: [unsigned] }, http: { perMinuteUnauthenticated: 2 } });
  const [shop, other] = [await gatewayShop(there), await gatewayShop(there)];
  const credential = await shop.account("tp_hints");
  await other.account("tp_theirs");
  const theirs = gateway.payments.get((await other.started()).session.id)?.providerId;
  const hint = (account: string | null | undefined) =>
    there.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { payload: JSON.stringify({ account, reference: "evt_1" }) });
  expect(await hint("pay_nobody")).toMatchObject({ status: 200, text: "OK" });
  expect(await hint(theirs)).toMatchObject({ status: 200, text: "OK" });
  expect(await hint("pay_nobody")).toMatchObject({ status: 429 });
  expect(await runStatement(there.ctx.db, "select from gateway_callbacks where credential_id = ?", credential)).toHaveLength(0);
  const strays = await runStatement<{ reason: string }>(
    there.ctx.db,
    "select reason from gateway_strays where credential_id = ?",
    credential,
  );
  expect(strays.map(({ reason }) => reason)).toEqual(["nobody", "nobody"]);
});

test("each refused callback is counted, and logged in one line a minute if its sender is slowed down", async () => {
  const there = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 2 } });
  const warned = vi.spyOn(there.ctx.log, "warn");
  const shop = await gatewayShop(there);
  const credential = await shop.account("tp_flooded");
  const post = (to: string, payload: string) =>
    there.api().call("POST", `/api/payments/testpay/webhook/${to}`, { headers: forged.headers, payload });
  for (let sent = 0; sent < 9; sent += 1) await post(credential, "{}");
  for (let sent = 0; sent < 5; sent += 1) await post(`gc_${sent}`, "{}");
  expect((await post(credential, "x".repeat(300_000))).status).toBe(413);
  const server = await there.server();
  const { values = [] } = (await server.metrics.registry.getSingleMetric("tillpost_gateway_callbacks_total")?.get()) ?? {};
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels["outcome"], value]))).toEqual({
    signature: 2,
    nobody: 2,
    limited: 10,
    too_large: 1,
  });
  await server.close();
  const lines = warned.mock.calls.map(([about, message]) => [message, about] as unknown as [string, unknown]);
  expect(lines.filter(([message]) => message === "a callback was refused")).toHaveLength(4);
  expect(lines.filter(([message]) => message === "callbacks were refused").map(([, about]) => about)).toEqual([
    { reason: "limited", gateway: "testpay", credential, refused: 7 },
    { reason: "limited", gateway: "testpay", credential: null, refused: 3 },
    { reason: "too_large", gateway: "testpay", refused: 1 },
  ]);
});
