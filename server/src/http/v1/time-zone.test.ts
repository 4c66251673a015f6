import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { findProject } from "#projects/index.ts";
import { updateProjectRow } from "#projects/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp({ startsAt: "2026-11-20T17:30:00Z" });

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["asia/shanghai", "Asia/Shanghai"],
  ["ASIA/KOLKATA", "Asia/Kolkata"],
  ["utc", "UTC"],
  ["etc/gmt+8", "Etc/GMT+8"],
])("a project stores the time zone %s as %s", async (given, expected) => {
  const shop = await app.tenant();
  const li = await visitor(app, { merchant_id: shop.merchant_id });
  const path = `/api/v1/projects/${shop.project_id}`;
  expect(await li.api.call("PATCH", path, { body: { settings: { time_zone: given } } })).toMatchObject({
    status: 200,
    body: { settings: { time_zone: expected } },
  });
  expect((await li.api.get(path)).body.settings).toEqual({ time_zone: expected });
  expect((await li.api.call("PATCH", path, { body: { settings: {} } })).body.settings).toEqual({});
});

test("exports and figures use the project's time zone, unless the query specifies another one", async () => {
  const shop = await app.tenant();
  const li = await visitor(app, { merchant_id: shop.merchant_id });
  const api = app.api(shop.key);
  const { order } = await createOrder(app.ctx, shop, { amount_minor: 1000, currency: "CNY" });
  await simulatePayment(app.ctx, shop, { order_id: order.id, outcome: "paid" });
  const read = async (query: string) => {
    const figures = await api.get(`/api/v1/projects/${shop.project_id}/figures?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z${query}`);
    const csv = await api.get(`/api/v1/transactions?format=csv${query}`);
    const [, row = ""] = csv.text.trimEnd().split("\r\n");
    return [figures.body.time_zone, figures.body.days[0].day, ...row.split(",").slice(-2)];
  };
  const set = async (settings: object) => {
    expect((await li.api.call("PATCH", `/api/v1/projects/${shop.project_id}`, { body: { settings } })).status).toBe(200);
    return read("");
  };
  expect(await read("")).toEqual(["Asia/Shanghai", "2026-11-21", "2026-11-21 01:30:00", "Asia/Shanghai"]);
  expect(await set({ time_zone: "america/new_york" })).toEqual([
    "America/New_York",
    "2026-11-20",
    "2026-11-20 12:30:00",
    "America/New_York",
  ]);
  expect(await read("&time_zone=pacific/auckland")).toEqual(["Pacific/Auckland", "2026-11-21", "2026-11-21 06:30:00", "Pacific/Auckland"]);
  expect(await set({})).toEqual(["Asia/Shanghai", "2026-11-21", "2026-11-21 01:30:00", "Asia/Shanghai"]);
});

test("a zone that another machine accepted and this one doesn't know counts as none", async () => {
  const shop = await app.tenant();
  const project = await findProject(app.ctx.db, shop.project_id);
  if (project === null) throw new Error("no project");
  await app.ctx.transact((tx) => updateProjectRow(tx, { ...project, settings: { time_zone: "Mars/Olympus_Mons" } }));
  const { order } = await createOrder(app.ctx, shop, { amount_minor: 1000, currency: "CNY" });
  await simulatePayment(app.ctx, shop, { order_id: order.id, outcome: "paid" });
  const api = app.api(shop.key);
  const figures = await api.get(`/api/v1/projects/${shop.project_id}/figures`);
  expect(figures, figures.text).toMatchObject({ status: 200, body: { time_zone: "Asia/Shanghai" } });
  for (const path of ["/api/v1/transactions?format=csv", "/api/v1/wallets?format=csv"]) {
    const csv = await api.get(path);
    expect([csv.status, csv.text.trimEnd().split(",").at(-1)], csv.text).toEqual([200, "Asia/Shanghai"]);
  }
});
