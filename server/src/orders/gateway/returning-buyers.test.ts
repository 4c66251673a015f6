import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { reportPayment } from "../payment/report-payment.ts";
import { watchPayments } from "./process-payments.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;

const open = async () => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return { shop, ...(await shop.started()) };
};
type Open = Awaited<ReturnType<typeof open>>;
const page = (token: string, query = "") => app.api().get(`/pay/${token}${query}`, { headers: { accept: "text/html" } });
const report = (shop: GatewayShop, order_id: string) => reportPayment(ctx, shop.tenant, { order_id });
const pollsOf = (id: string) => gateway.calls.filter(({ verb, reference }) => verb === "query" && reference === id).length;
/** Lets time pass with the page open, and returns the seconds of these in which the provider was asked. */
const polled = async ({ session, order }: Open, seconds: readonly number[], happens: (second: number) => Promise<unknown>) => {
  const asked: number[] = [];
  let now = 0;
  for (const second of seconds) {
    clock.advance((second - now) * 1_000);
    now = second;
    await happens(second);
    if (second % 20 === 10) await watchPayments(ctx, [order]);
    const before = pollsOf(session.id);
    await pollDue(app);
    if (pollsOf(session.id) > before) asked.push(second);
  }
  return asked;
};

/** Those before and after each query, and those in which the page says that it is still open. */
const watched = [0, 1, 2, 3, 4, 9, 10, 11, 29, 30, 31, 49, 50, 51, 52, 53, 54, 58, 59, 60, 61, 70, 78, 79, 80, 81, 90, 100];

test.each<{ name: string; come: (opened: Open) => Promise<unknown>; asked: number[] }>([
  { name: "returns from the provider", come: ({ token }) => page(token, "?back=paid"), asked: [1, 3, 10, 30, 51, 53, 60, 80] },
  { name: "reports the payment", come: ({ shop, order }) => report(shop, order.id), asked: [1, 3, 10, 30, 50, 52, 59, 79] },
])("a buyer who $name has the provider asked from the beginning again, although the page was open before", async ({ come, asked }) => {
  const opened = await open();
  const happens = async (second: number) => {
    if (second === 0) await page(opened.token);
    if (second === 50) await come(opened);
  };
  expect(await polled(opened, watched, happens)).toEqual(asked);
});

test("a buyer who returns while the provider is being asked has it asked again soon", async () => {
  const opened = await open();
  await page(opened.token);
  for (const ms of [1_000, 2_000, 7_000]) {
    clock.advance(ms);
    await pollDue(app);
  }
  clock.advance(20_000);
  gateway.meanwhile = async (verb, reference) => {
    if (verb === "query" && reference === opened.session.id) await page(opened.token, "?back=paid");
  };
  await pollDue(app);
  gateway.meanwhile = null;
  const before = pollsOf(opened.session.id);
  clock.advance(2_000);
  await pollDue(app);
  expect(pollsOf(opened.session.id)).toBe(before + 1);
});

test("a buyer who reloads the page and reports the payment every second has the provider asked eight times a minute at most", async () => {
  const opened = await open();
  const happens = async (second: number) => {
    await page(opened.token, "?back=paid");
    if (second % 2 === 0) await report(opened.shop, opened.order.id);
  };
  const asked = await polled(opened, [...Array(121).keys()], happens);
  const perMinute = Array.from({ length: 2 }, (_, at) => asked.filter((second) => second >= at * 60 && second < (at + 1) * 60).length);
  expect([Math.min(...perMinute), Math.max(...perMinute)]).toEqual([7, 7]);
});
