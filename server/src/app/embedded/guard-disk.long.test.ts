import { pino } from "pino";
import { expect, it } from "vitest";
import { migrate } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { withServer } from "#test/support/database/postgres.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { migrationsFolder } from "../migrations.ts";
import { guardDisk } from "./guard-disk.ts";

it("while the disk is full every write gets 503 and reads continue; once there is room writes are accepted again", async () => {
  await withServer(async (url) => {
    await migrate(url, migrationsFolder);
    const app = await testApp({ own: { url, drop: async () => {} } });
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const api = app.api(shop.key);
    const orders = `/api/v1/projects/${shop.project_id}/orders`;
    const order = (await api.post(orders, { amount_minor: 100, currency: "CNY" })).body;
    const room = { bytes: 1_000 };
    const guard = guardDisk({ url, log: pino({ level: "silent" }), reserveBytes: 500, freeBytes: async () => room.bytes, everyMs: 5 });
    const write = () => api.post(orders, { amount_minor: 100, currency: "CNY" });
    expect((await write()).status).toBe(201);
    room.bytes = 400;
    await eventually("writes are refused", async () => (await write()).status === 503);
    expect(await write()).toMatchObject({ body: { error: { code: "service_unavailable" } }, headers: { "retry-after": "1" } });
    expect((await api.get(`${orders}/${order.id}`)).status).toBe(200);
    expect((await api.get(orders)).body.data.length).toBeGreaterThanOrEqual(2);
    expect((await app.api(null).get(`/pay/${order.payment_link.token}`)).status).toBe(200);
    expect((await owner.api.get(orders)).status).toBe(200);
    expect((await app.api(null).get("/readyz")).status).toBe(200);
    // A little room is not enough: it would soon be gone.
    room.bytes = 510;
    expect((await write()).status).toBe(503);
    room.bytes = 1_000;
    await eventually("writes are taken again", async () => (await write()).status === 201);
    await guard.stop();
  });
});
