import { afterAll, expect, test } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { openDatabase } from "#platform/index.ts";
import { apiOf } from "#test/support/app/api.ts";
import { contextOn } from "#test/support/app/context.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pageHeaders, visitor } from "#test/support/people/visitors.ts";
import { requests } from "./requests.ts";
import { buildWorld, worldGateways } from "./world.ts";

const unlimited = 1_000_000;
const app = await testApp({
  gateways: worldGateways,
  http: { perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, burst: unlimited },
});
const { shop, ids } = await buildWorld(app);
const owner = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
// As on a standby, no connection opened from now on may write.
await app.asSuperuser((db) =>
  runStatement(db, `alter database ${new URL(app.url).pathname.slice(1)} set default_transaction_read_only = on`),
);
const standby = openDatabase({ url: app.url, max: 8 });
const server = await buildApp({
  ctx: contextOn(standby, { now: () => app.clock.now(), files: app.ctx.files }),
  database: standby,
  settings: (await app.server()).runtime.settings,
});
afterAll(async () => {
  await server.close();
  await standby.close();
});

test.each([
  ["a key", { authorization: `Bearer ${shop.key}` }],
  ["a signed-in person", pageHeaders(owner.cookie, { origin: app.ctx.publicUrl, "tillpost-environment": "test" })],
])("on a standby every request of %s is served from the data, refused, or gets 503: none gets 500", async (_who, headers) => {
  const api = apiOf(async () => server, null);
  const faults: string[] = [];
  let unavailable = 0;
  // Streams don't end on their own, and the dashboard isn't built here.
  const routes = server.routes.filter(({ url }) => !/(stream|\/pay\/:token\/events)$|^\/dashboard/.test(url));
  for (const { method, url } of routes) {
    const request = requests[`${method} ${url}`] ?? {};
    const values: Record<string, string> = { ...ids, id: request.id === undefined ? "none" : ids[request.id] };
    const form = request.payload?.();
    const answer = await api.call(method, url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "none").replace("*", ids.leave), {
      headers: { ...headers, ...(form === undefined ? {} : { "content-type": form.type }) },
      ...(form === undefined ? { body: request.body?.(ids) ?? (method === "GET" ? undefined : {}) } : { payload: form.payload }),
    });
    if (answer.status === 503 && answer.headers["retry-after"] !== undefined) unavailable += 1;
    else if (answer.status >= 500) faults.push(`${method} ${url}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  expect(faults).toEqual([]);
  expect(unavailable).toBeGreaterThan(40);
});
