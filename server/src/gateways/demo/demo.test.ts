import { describe, expect, test } from "vitest";
import { openDatabase, type Tenant } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { choose, demoGateways, gatewayNames, orderNow, startDemoPayment } from "#test/support/gateways/simulated/demo-shop.ts";
import { createCredential } from "../account/create-credential.ts";
import { createDemo } from "../account/create-demo.ts";
import { removeCredential } from "../account/remove-credential.ts";
import { tidyGateways } from "../account/tidy-gateways.ts";
import { callGateway } from "../call/call-gateway.ts";
import { openAccount } from "../call/open-account.ts";
import type { DemoPlace } from "./documents.sql.ts";
import { enterDemo } from "./enter-demo.ts";

const app = await testApp({ gateways: demoGateways, http: { perMinuteLinkReadsPerAddress: 10_000 } });
const { ctx } = app;
const [gateway = ""] = gatewayNames;
const placeOf = ({ project_id, livemode }: Tenant, id: string): DemoPlace => ({ project_id, livemode, id, gateway });
const documents = async (id: string) =>
  runStatement<{ kind: string; lasting: boolean }>(
    ctx.db,
    "select kind, lasting from gateway_demo_documents where credential_id = ? order by place",
    id,
  );

async function open() {
  const shop = await app.tenant();
  const { credential } = await createDemo(ctx, shop, { gateway });
  return { shop, id: credential.id, place: placeOf(shop, credential.id) };
}

describe("what a simulated provider remembers", () => {
  test("is the same for every process, one piece of work at a time", async () => {
    const { place } = await open();
    const database = openDatabase({ url: app.url, max: 2, ...patience });
    const other = contextOn(database, { now: ctx.now, files: ctx.files, gateways: demoGateways });
    const count = (on: typeof ctx) =>
      enterDemo(on, place, async (_simulator, { documents: stored }) => {
        const seen = (await stored.get<number>("count", "of pieces")) ?? 0;
        await stored.put("count", "of pieces", seen + 1);
        return seen;
      });
    const seen = await Promise.all(Array.from({ length: 12 }, (_, index) => count(index % 2 === 0 ? ctx : other)));
    expect(seen.map((one) => (one.error === null ? one.value : one.error)).sort((left, right) => Number(left) - Number(right))).toEqual(
      Array.from({ length: 12 }, (_, index) => index),
    );
    await database.close();
  });

  test("is in the order in which it was first written, and what was rewritten stays in its place", async () => {
    const { place } = await open();
    const { error, ...result } = await enterDemo(ctx, place, async (_simulator, { documents: stored }) => {
      for (const key of ["b", "a", "c"]) await stored.put("thing", key, { key, zeta: 1, alpha: null });
      await stored.put("thing", "b", { key: "b, again" });
      return [await stored.list("thing"), await stored.get("thing", "none"), JSON.stringify(await stored.get("thing", "a"))];
    });
    expect(error).toBeNull();
    expect(result).toMatchObject({
      value: [[{ key: "b, again" }, { key: "a" }, { key: "c" }], null, '{"key":"a","zeta":1,"alpha":null}'],
    });
  });

  test("is stored if the response is lost after a request was carried out, and its callbacks are sent", async () => {
    const { place } = await open();
    const lost = await enterDemo(ctx, place, async (_simulator, world) => {
      await world.documents.put("thing", "done", true);
      await world.send({ url: "http://localhost/x", headers: {}, body: "told", accepts: () => true, again: null, retrySeconds: [] });
      throw new TypeError("fetch failed");
    });
    expect(lost).toMatchObject({ error: new TypeError("fetch failed"), callbacks: [{ body: "told" }] });
    expect((await documents(place.id)).map(({ kind }) => kind)).toContain("thing");
  });

  test("is discarded if the database fails, however the simulator handles that", async () => {
    const { place } = await open();
    const broken = enterDemo(ctx, place, async (_simulator, world) => {
      await world.documents.put("thing", "first", true);
      await world.documents.put("thing", "far too large", "x".repeat(1_048_577)).catch(() => {});
    });
    await expect(broken).rejects.toThrow(/check constraint/);
    expect((await documents(place.id)).map(({ kind }) => kind)).not.toContain("thing");
  });

  test("is deleted after two weeks, except the account itself; and all of it after the account was removed", async () => {
    const { shop, place } = await open();
    const payment = await startDemoPayment(app, shop, gateway);
    app.clock.advance(14 * 86_400_000 + 1);
    while ((await tidyGateways(ctx)) > 0);
    expect((await documents(place.id)).every(({ lasting }) => lasting)).toBe(true);
    expect((await app.api().get(payment.page)).status).toBe(404);
    expect((await choose(app, (await startDemoPayment(app, shop, gateway)).page, "paid")).status).toBe(303);
    await removeCredential(ctx, shop, { gateway, id: place.id, if_version: null });
    app.clock.advance(14 * 86_400_000 + 1);
    while ((await tidyGateways(ctx)) > 0);
    expect(await documents(place.id)).toEqual([]);
  });

  test("is bounded: the oldest is deleted first, and the account never", async () => {
    const { shop, place } = await open();
    const lasting = (await documents(place.id)).length;
    await runStatement(
      ctx.db,
      `insert into gateway_demo_documents (project_id, livemode, credential_id, kind, key, value, lasting, written_at)
       select ?, false, ?, 'old', 'number ' || n, 'null', false, app_now() from generate_series(1, 5000) n`,
      shop.project_id,
      place.id,
    );
    await enterDemo(ctx, place, (_simulator, world) => world.documents.put("new", "one", true));
    const stored = await documents(place.id);
    expect(stored.length).toBe(5_000 + lasting);
    expect(stored.at(-1)).toEqual({ kind: "new", lasting: false });
  });
});

test.each(gatewayNames)(
  "a demo account of %s asks no one who they are: a real app returns nothing for a simulated provider",
  async (name) => {
    const shop = await app.tenant();
    const { credential } = await createDemo(ctx, shop, { gateway: name });
    expect((await openAccount(ctx, shop, credential.id)).account.buyerIdentity ?? null).toBeNull();
  },
);

test.each([
  ["of LIVE", (place: DemoPlace) => ({ ...place, livemode: true })],
  ["of another project", (place: DemoPlace) => ({ ...place, project_id: "prj_00000000000000000000000000" })],
  ["that is not there", (place: DemoPlace) => ({ ...place, id: "gc_00000000000000000000000000" })],
  ["of another gateway", (place: DemoPlace) => ({ ...place, gateway: gatewayNames[1] ?? "" })],
])("an account %s has no simulated provider", async (_what, change) => {
  const { place } = await open();
  await expect(enterDemo(ctx, change(place), async () => "reached")).rejects.toThrow("this is no demo account");
});

test("an account with a real provider has no simulated one", async () => {
  const shop = await app.tenant();
  const fields = { secret_key: `sk_test_${"a".repeat(40)}`, webhook_secret: `whsec_${"b".repeat(32)}` };
  const { id } = await createCredential(ctx, shop, { gateway, fields });
  await expect(enterDemo(ctx, placeOf(shop, id), async () => "reached")).rejects.toThrow("this is no demo account");
});

test("a call reaches only the simulated provider, and is recorded like any other", async () => {
  const { shop, place } = await open();
  const opened = await openAccount(ctx, shop, place.id);
  const ask = (url: string) =>
    callGateway(ctx, { opened, verb: "check", reference: null }, async (_account, call) => (await call.fetch(url)).status);
  expect(await ask(`http://localhost:8080/simulator/${place.id}/v1/nothing`)).toBe(401);
  await expect(ask("https://api.stripe.com/v1/account")).rejects.toMatchObject({ kind: "unknown_outcome" });
  const [attempt] = await runStatement<{ exchanges: object[] }>(
    ctx.db,
    "select exchanges from gateway_attempts where credential_id = ? order by id",
    place.id,
  );
  expect(attempt?.exchanges).toMatchObject([{ method: "GET", status: 401, url: `localhost:8080/simulator/${place.id}/v1/nothing` }]);
});

test("a payment whose response was lost is found again by the same request, and requested once", async () => {
  const { shop, place } = await open();
  await enterDemo(ctx, place, (simulator, world) => simulator.breakNext(world, "lost_answer"));
  const payment = await startDemoPayment(app, shop, gateway);
  const sessions = (await documents(place.id)).filter(({ kind }) => kind === "checkout.session");
  expect(sessions).toHaveLength(1);
  await choose(app, payment.page, "paid");
  expect((await orderNow(app, shop, payment.order_id)).status).toBe("paid");
});

test("a payment without a callback is known once the provider is queried", async () => {
  const { shop } = await open();
  const payment = await startDemoPayment(app, shop, gateway);
  await choose(app, payment.page, "silent");
  expect((await orderNow(app, shop, payment.order_id)).status).toBe("unpaid");
  app.clock.advance(300_001);
  await pollDue(app);
  expect((await orderNow(app, shop, payment.order_id)).status).toBe("paid");
});

test("a callback that isn't accepted at first is sent again", async () => {
  let refused = 0;
  const flaky = await testApp({
    gateways: {
      ...demoGateways,
      deliver: async (given, callback) => {
        refused += 1;
        return refused === 1 ? { status: 500, headers: {}, body: "" } : ((await demoGateways.deliver?.(given, callback)) ?? null);
      },
    },
  });
  const shop = await flaky.tenant();
  const payment = await startDemoPayment(flaky, shop, gateway);
  await choose(flaky, payment.page, "paid");
  expect(refused).toBeGreaterThan(1);
  expect((await orderNow(flaky, shop, payment.order_id)).status).toBe("paid");
});
