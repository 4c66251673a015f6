import { afterAll, expect, test } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { createOrder } from "#orders/index.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { testApp } from "#test/support/app/test-app.ts";

const few = 2;
const app = await testApp({ http: { perMinuteUnauthenticated: few, perHourLinkProofs: few, perMinuteLinkInitiate: few } });
const shop = await app.tenant();
const token = (await createOrder(app.ctx, shop, { amount_minor: 1_000, currency: "CNY" })).link?.token;
const gone = openDatabase({ url: "postgres://postgres@127.0.0.1:1/none", max: 1 });
const server = await buildApp({
  ctx: contextOn(gone, { now: () => new Date(), files: app.ctx.files }),
  database: gone,
  settings: (await app.server()).runtime.settings,
});
afterAll(async () => {
  await server.close();
  await gone.close(1);
});

test.each([
  ["a key that cannot be looked up", { method: "GET", url: "/api/v1/merchant", headers: { authorization: `Bearer ${shop.key}` } }],
  [
    "a proof that cannot be stored",
    { method: "POST", url: `/api/public/pay/${token}/voucher`, payload: { transaction_reference: "4200001234" } },
  ],
  ["a payment that cannot be started", { method: "POST", url: `/api/public/pay/${token}/initiate`, payload: { gateway: "alipay" } }],
] as const)(
  "%s counts for nothing while the database is unavailable, so that it isn't refused for too many tries",
  async (_what, request) => {
    const answers = [];
    for (let tries = 0; tries < few + 3; tries += 1) answers.push(await server.inject({ ...request }));
    const shown = answers.map(({ statusCode, headers }) => [statusCode, headers["retry-after"], headers["x-ratelimit-remaining"]]);
    expect(shown).toEqual(Array.from({ length: few + 3 }, () => [503, "1", String(few)]));
  },
);
