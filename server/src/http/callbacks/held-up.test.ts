import { expect, test } from "vitest";
import { type GatewayShop, gatewayShop } from "#test/gateway-shop.ts";
import { house } from "#test/house.ts";
import { payingGateway, type SentCallback } from "#test/paying-gateway.ts";

const gateway = payingGateway();
const limit = 3;
/** Every request comes from one address, as a provider's do. */
const home = await house({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: limit } });
const forged: SentCallback = { headers: { "content-type": "application/json", "x-testpay-signature": "0" }, payload: "{}" };

let made = 0;
const open = async (): Promise<GatewayShop & { credential: string }> => {
  const shop = await gatewayShop(home);
  return { ...shop, credential: await shop.account(`tp_${(made += 1)}`) };
};
const send = async (to: string | null, { headers, payload }: SentCallback) =>
  (await home.api().call("POST", `/api/payments/testpay/webhook${to === null ? "" : `/${to}`}`, { headers, payload })).status;
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

test("who sends an account what it doesn't believe is held up there, and callbacks of other accounts from the same address are not", async () => {
  const [misled, other] = [await open(), await open()];
  expect(await sendMany(limit + 1, () => send(misled.credential, forged))).toEqual([401, 401, 401, 429]);
  expect(await send(misled.credential, await paid(misled)), "until its minute is over").toBe(429);
  expect(await send(other.credential, await paid(other))).toBe(200);
  expect(await send(null, await paid(other)), "at the address that all accounts share").toBe(200);
  home.clock.advance(60_000);
  expect(await send(misled.credential, await paid(misled))).toBe(200);
});

test("who sends what nobody expects is held up with that alone", async () => {
  const shop = await open();
  expect(await sendMany(limit + 1, () => send(`gc_${String((made += 1)).padStart(26, "0")}`, forged))).toEqual([404, 404, 404, 429]);
  expect(await send(null, forged)).toBe(429);
  expect(await send(shop.credential, await paid(shop))).toBe(200);
});
