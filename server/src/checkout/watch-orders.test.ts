import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, it } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { openDatabase } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { watchOrders } from "./watch-orders.ts";

const at = await testApp({
  http: { perMinuteLinkReads: 10_000, perMinuteLinkReadsPerAddress: 10_000, streamsPerAddress: 1_000 },
});
let origin: string;
let shop: PayShop;
const open: IncomingMessage[] = [];

beforeAll(async () => {
  const app = await at.server();
  await app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  shop = await payShop(at);
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.destroy();
});

/** A page's stream; `heard` collects the states it receives. */
async function follow(token: string): Promise<{ status: number; states: string[] }> {
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}/api/public/pay/${token}/events`, { agent: false }, resolve).once("error", reject);
  });
  open.push(stream);
  const states: string[] = [];
  stream.on("data", (chunk: Buffer) => {
    for (const [, data] of chunk.toString().matchAll(/event: state\ndata: (.*)\n/g)) states.push(JSON.parse(data ?? "").state);
  });
  stream.on("error", () => {});
  return { status: stream.statusCode ?? 0, states };
}

/** One with its own connections, so that its polls can be counted. */
function meteredWatch() {
  let polls = 0;
  const database = openDatabase({ url: at.url, max: 1, probe: () => void (polls += 1) });
  const watch = watchOrders({ ...at.ctx, db: database.db }, 10);
  const close = () => {
    watch.close();
    return database.close();
  };
  return { watch, polls: () => polls, close };
}

it("notifies an open page of a change automatically, and no other page", async () => {
  const orders = await Promise.all(Array.from({ length: 10 }, () => shop.order()));
  const pages = await Promise.all(orders.map(({ token }) => follow(token)));
  await expect.poll(() => pages.every(({ states }) => states[0] === "choose")).toBe(true);
  await simulatePayment(at.ctx, shop.tenant, { order_id: orders[0]?.order.id ?? "" });
  await expect.poll(() => pages[0]?.states).toEqual(["choose", "paid"]);
  expect(pages.slice(1).every(({ states }) => states.length === 1)).toBe(true);
});

it("runs one query per tick for all pages together", async () => {
  const orders = await Promise.all(Array.from({ length: 60 }, () => shop.order()));
  const [all, meter] = [meteredWatch(), meteredWatch()];
  for (const { order } of orders) all.watch.watch(order, () => {});
  for (const { order } of orders.slice(0, 1)) meter.watch.watch(order, () => {});
  await expect.poll(meter.polls).toBeGreaterThan(10);
  // A question for each page would be 600 by now; the two do not poll in step.
  expect(all.polls()).toBeLessThan(300);
  await Promise.all([all.close(), meter.close()]);
});

it("queries nothing while no one listens", async () => {
  const [quiet, meter] = [meteredWatch(), meteredWatch()];
  const { order } = await shop.order();
  const stop = quiet.watch.watch(order, () => {});
  await expect.poll(quiet.polls).toBeGreaterThan(0);
  stop();
  const before = quiet.polls();
  meter.watch.watch(order, () => {});
  await expect.poll(meter.polls).toBeGreaterThan(10);
  // A poll that was already due may still come.
  expect(quiet.polls() - before).toBeLessThanOrEqual(1);
  await Promise.all([quiet.close(), meter.close()]);
});

it("opens five streams per link and refuses the sixth, until one ends", async () => {
  const { token } = await shop.order();
  const five = await Promise.all(Array.from({ length: 5 }, () => follow(token)));
  expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await follow(token)).status).toBe(429);
  open[0]?.destroy();
  await expect.poll(async () => (await follow(token)).status).toBe(200);
});
