import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createOrder } from "#orders/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import {
  attackedSettings,
  credentialOf,
  hasCursor,
  keepOut,
  lesson,
  nameOf,
  namesIn,
  oneInTurn,
  openTenants,
  send,
  takesPath,
  tryTokens,
} from "./attacks.ts";
import { ghostOf } from "./ids.ts";
import { requests } from "./requests.ts";
import type { SeededTenant } from "./world.ts";

const app = await testApp(attackedSettings);
const tenants = await openTenants(app);
const { keyRoutes, publicRoutes, victim, victimLive, sameOwner, otherOwner } = tenants;
/** The database before the attacks. */
const untouched = await fingerprintDatabase(app.ctx.db);
const urlOf = (route: RouteEntry) => `${route.method} ${route.url}`;

/** Made of the routes that replace them, all of which are attacked: of these every second one is, others in each run. */
const deprecated = keyRoutes.filter(({ config }) => config.aliasOf !== undefined);
/** Drawn separately from who attacks: otherwise each of them would always meet the same one of two alike attackers. */
const half = randomInt(2);
const isInTurn = (route: RouteEntry) => deprecated.indexOf(route) % 2 === half;
const attacked = keyRoutes
  .map((route, place) => ({ route, share: oneInTurn(place) }))
  .filter(({ route }) => !deprecated.includes(route) || isInTurn(route));

describe("every route", () => {
  test("has a line in the table of requests, and no line lacks its route", () => {
    const documented = new Set([...keyRoutes, ...publicRoutes].map(nameOf));
    expect([...documented].filter((name) => requests[name] === undefined)).toEqual([]);
    expect(Object.keys(requests).filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe.each(attacked.map(({ route, share }) => [urlOf(route), route, share] as const))("%s", (_name, route, share) => {
  test("reveals nothing to strangers, keys without the permission and other tenants", () => keepOut(tenants, route, share));
});

describe.each(publicRoutes.map((route) => [urlOf(route), route] as const))("%s", (_name, route) => {
  test("responds the same to a token that never existed and to one that is nearly right", () => tryTokens(tenants, route));
});

test("none of these attacks wrote anything", async () => {
  const after = await fingerprintDatabase(app.ctx.db);
  // Each is tried again by itself only if something was written.
  expect(after === untouched ? [] : ["something was written, by one of:", ...(await listWriting())]).toEqual([]);
});

async function listWriting(): Promise<string[]> {
  const attacks = [
    ...attacked.map(({ route, share }) => ({ route, attack: () => keepOut(tenants, route, share) })),
    ...publicRoutes.map((route) => ({ route, attack: () => tryTokens(tenants, route) })),
  ];
  const writing: string[] = [];
  for (const { route, attack } of attacks) {
    const before = await fingerprintDatabase(app.ctx.db);
    await attack();
    if ((await fingerprintDatabase(app.ctx.db)) !== before) writing.push(urlOf(route));
  }
  return writing;
}

/** A flat path that writes is its nested route, which is tried. A stream has no end to wait for. */
const tried = keyRoutes.filter(({ method, url, config }) => (method === "GET" || config.aliasOf === undefined) && !url.endsWith("/stream"));
/** What ends something runs last, so that it existed for all others; changing a member also ends the invitations that they sent. */
const ending = [/\/cancel$/, /^DELETE/, /members/];
const rank = (route: RouteEntry) => ending.findLastIndex((name) => name.test(nameOf(route)));
/** Every second one, the others in another run. */
const inOrder = tried.filter((_route, place) => place % 2 === half).toSorted((one, other) => rank(one) - rank(other));

describe("the owner is admitted, so that the refusals above prove something", () => {
  // What is written is the other owner's: no attack on the victim follows.
  const own = otherOwner;
  test.each(inOrder.map((route) => [urlOf(route), route] as const))("%s", async (_name, route) => {
    const reads = route.method === "GET";
    const isAboutOrders = /\/orders\/:id/.test(nameOf(route)) || namesIn(route, own.ids);
    const ids = reads ? victim.ids : { ...own.ids, ...(isAboutOrders ? { order: await newOrder(own) } : {}) };
    const credential = credentialOf(tenants, route, reads ? victim : own);
    const answer = await send(app, route, { credential, aim: { path: ids } });
    expect([401, 403, 404, 405, 500].includes(answer.status), answer.text).toBe(false);
    if (hasCursor(route) && !takesPath(route))
      expect((await send(app, route, { credential, aim: { path: ids, cursor: ids } })).status).toBe(200);
  });
});

async function newOrder({ shop }: SeededTenant): Promise<string> {
  return (await createOrder(app.ctx, shop, { amount_minor: 9900, currency: "CNY" })).order.id;
}

describe("Idempotency-Key", () => {
  test("of one tenant means nothing to another, on the flat path too", async () => {
    const headers = { "idempotency-key": "shared" };
    const body = { amount_minor: 100, currency: "CNY" };
    const first = await app.api(victim.shop.key).post("/api/v1/orders", body, { headers });
    const others = [sameOwner.shop.key, otherOwner.shop.key, victimLive.shop.key];
    for (const key of others) {
      const same = await app.api(key).post("/api/v1/orders", body, { headers });
      expect(same.status, same.text).toBe(201);
      expect(same.headers["idempotent-replayed"]).toBeUndefined();
      expect(same.body.id).not.toBe(first.body.id);
    }
    const ownPath = `/api/v1/projects/${otherOwner.ids.projectId}/orders`;
    const changed = await app.api(otherOwner.shop.key).post(ownPath, { ...body, amount_minor: 101 }, { headers });
    expect(changed.status).toBe(422);
    expect(changed.text).not.toContain(first.body.id);
  });
});

test("a picture's signed URL only opens that picture, and only for its time", async () => {
  const shop = await app.tenant();
  const upload = await app
    .api(shop.key)
    .upload(`/api/v1/projects/${shop.project_id}/assets/upload`, await photo(32, 32), { purpose: "payment_proof" });
  const address = new URL(upload.body.url as string);
  const open = (id: string) => app.api().get(`/assets/${id}${address.search}`);
  expect((await open(upload.body.id)).status).toBe(200);
  expect(lesson(await open(victim.ids.asset), victim.ids)).toEqual(lesson(await open(ghostOf(victim.ids).asset), ghostOf(victim.ids)));
  expect((await open(victim.ids.asset)).status).toBe(403);
  app.clock.advance(16 * 60_000);
  expect((await open(upload.body.id)).status).toBe(403);
});
