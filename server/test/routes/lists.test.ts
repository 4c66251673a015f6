import { expect, test } from "vitest";
import { createApiKey } from "#identity/index.ts";
import { sendNotices } from "#notices/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { notice } from "#platform/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import { namedSchemas } from "#schemas/index.ts";
import type { Api } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testPay } from "#test/support/gateways/scripted/payment-methods.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { smsRoom } from "#test/support/messages/sms.ts";
import { makeAuthenticator } from "#test/support/people/authenticator.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { requests } from "./requests.ts";
import { buildWorld, tierLimits, worldGateways } from "./world.ts";

const unlimited = 1_000_000;
const app = await testApp({
  gateways: worldGateways,
  http: { perMinuteLive: unlimited, perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, tierLimits },
});
const server = await app.server();
const { shop, ids } = await buildWorld(app);
const [owner, operator] = [await visitor(app, { merchant_id: shop.merchant_id }), await visitor(app, { is_operator: true })];
const clients: Record<string, Api> = { session: owner.in("test"), person: owner.api, operator: operator.api };

interface Properties {
  properties?: Record<string, { enum?: string[] }>;
}

/** Every route that returns a list, found in the route table, so that a new list without a total fails here. */
const lists = server.routes.filter(({ method, schema, config }) => {
  const { properties } = ((schema?.response as Record<string, Properties> | undefined)?.[200] ?? {}) as Properties;
  return method === "GET" && config.aliasOf === undefined && properties?.["object"]?.enum?.[0] === "list";
});

/** `given` replaces `:id` if it isn't the one that requests usually use. */
function read(route: RouteEntry, query: Record<string, string>, given?: string) {
  const { id } = requests[`GET ${route.url}`] ?? {};
  const usual = id === undefined ? "" : ids[id];
  const values: Record<string, string> = {
    ...ids,
    id: given ?? (route.url.startsWith("/api/admin/merchants/:id/") ? shop.merchant_id : usual),
  };
  const path = route.url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "");
  const api = clients[route.config.scope ?? ""] ?? app.api(shop.key);
  return api.get(`${path}?${new URLSearchParams(query)}`);
}

const takes = (route: RouteEntry, name: string) => name in ((route.schema?.querystring as Properties | undefined)?.properties ?? {});

test("lists exist on all surfaces", () => {
  expect(lists.length).toBeGreaterThan(25);
  for (const surface of ["/api/v1/", "/v1/", "/api/admin/", "/api/profile/"])
    expect(lists.some(({ url }) => url.startsWith(surface))).toBe(true);
});

test.each(lists.map((route) => [route.url, route] as const))("%s counts what all its pages contain", async (_url, route) => {
  const page: Record<string, string> = takes(route, "limit") ? { limit: "1" } : {};
  let found = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const reply = await read(route, { ...page, include: "total_count", ...(cursor === undefined ? {} : { starting_after: cursor }) });
    expect(reply.status, reply.text).toBe(200);
    found += reply.body.data.length;
    cursor = reply.body.next_cursor;
    if (cursor === null) expect(reply.body.total_count).toBe(found);
  }
  expect((await read(route, page)).body).not.toHaveProperty("total_count");
});

/** Some lists ask for the cursor's row with their page, and separately only if the page is empty. */
test.each(lists.filter((route) => takes(route, "starting_after")).map((route) => [route.url, route] as const))(
  "%s refuses a cursor that names nothing, wherever it would be in the list",
  async (_url, route) => {
    const { data } = (await read(route, {})).body;
    const below = data[0] === undefined ? [] : [`${data[0].id}x`];
    for (const cursor of [...below, "0", "zzz"])
      for (const param of ["starting_after", "ending_before"]) {
        const reply = await read(route, { [param]: cursor });
        expect(reply, `${param}=${cursor}: ${reply.text}`).toMatchObject({
          status: 400,
          body: { error: { code: "invalid_cursor", param } },
        });
      }
  },
);

interface Shape {
  $ref?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
}

const named = namedSchemas(app.ctx) as Record<string, Shape>;

/** Where a response, or an object in it, has its fields in another order than its schema. */
function outOfOrder(value: unknown, shape: Shape, path: string): string[] {
  const { properties, items } = shape.$ref === undefined ? shape : (named[shape.$ref.slice(0, -1)] ?? {});
  if (Array.isArray(value)) return value.flatMap((one) => (items === undefined ? [] : outOfOrder(one, items, path)));
  if (value === null || typeof value !== "object" || properties === undefined) return [];
  const fields = Object.keys(value).filter((field) => field in properties);
  const ordered = Object.keys(properties).filter((field) => fields.includes(field));
  const inside = Object.entries(properties).flatMap(([name, part]) =>
    outOfOrder((value as Record<string, unknown>)[name], part, `${path}.${name}`),
  );
  return fields.join() === ordered.join() ? inside : [`${path} has ${fields.join(", ")}`, ...inside];
}

/**
 * Adds the objects that the world lacks: a LIVE number, a member's key, a use of a flat path, a passkey, a system email, and attempts at a
 * message. Returns the messages.
 */
async function completeWorld(): Promise<{ email: string; sms: string }> {
  const members = (await owner.api.get("/api/v1/merchant/members?limit=100")).body.data as { id: string; person_id: string }[];
  const id = members.find((one) => one.id === ids.member)?.person_id ?? "";
  await createApiKey({ ...app.ctx, actor: { kind: "person", id } }, { ...shop, name: "till", permissions: ["orders:read"] });
  await app.api(shop.key).get("/api/v1/orders");
  await server.keys.flushUses();
  const { options } = (await owner.api.post("/api/auth/passkey/register-options")).body;
  await owner.api.post("/api/auth/passkey/register", { name: "Phone", response: makeAuthenticator().register(options) });
  const params = { language: "en", url: `${app.ctx.publicUrl}/dashboard/reset-password?token=s3cret` };
  await app.ctx.transact((tx) => notice(tx, app.ctx, { kind: "password_reset", recipient: "someone@corner.books", params }));
  await sendNotices(app.ctx);
  await assignNumber(app.ctx, { project_id: shop.project_id, value: "CORNER" });
  const room = mailRoom(app.ctx);
  const { email } = await room.send(shop, { to: "ada@corner-readers.com" });
  await room.settle();
  const texts = smsRoom(app.ctx);
  const sms = await texts.send(shop);
  await texts.settle();
  return { email: email.id, sms: sms.id };
}

/** An order with a started payment at a provider that can't be reached. */
async function orderAtProvider(): Promise<string> {
  const base = `/api/v1/projects/${shop.project_id}`;
  await app
    .api(shop.key)
    .post(`${base}/gateways/${testPay.gateway}/payments`, { reference: "AT-PROVIDER", amount_minor: 100, currency: "EUR" });
  return (await app.api(shop.key).get(`${base}/orders?reference=AT-PROVIDER`)).body.data[0].id;
}

test("in every list objects have their fields in the order of their schema", async () => {
  const faults: string[] = [];
  const without: string[] = [];
  const sent = await completeWorld();
  const paid = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/payment-sessions/${ids.session}`)).body.order_id as string;
  const pending = await orderAtProvider();
  const idIn = (url: string) => {
    if (url.endsWith("/gateway-payments")) return pending;
    if (url.endsWith("/emails/:id/attempts")) return sent.email;
    if (/\/sms\/:id\/(attempts|parts)$/.test(url)) return sent.sms;
    return url.includes("/orders/:id/") ? paid : undefined;
  };
  for (const route of lists) {
    const { data } = (await read(route, {}, idIn(route.url))).body;
    if (data.length === 0) without.push(route.url);
    const shape = ((route.schema?.response ?? {}) as Record<string, Shape>)[200] ?? {};
    faults.push(...outOfOrder(data, shape.properties?.["data"] ?? {}, route.url));
  }
  expect([...new Set(faults)]).toEqual([]);
  // A list without an object would prove nothing.
  expect(without).toEqual([]);
});

test.each(lists.filter((route) => takes(route, "created[lt]")).map((route) => [route.url, route] as const))(
  "%s counts what matches its filters",
  async (_url, route) => {
    expect((await read(route, { include: "total_count", "created[lt]": "2001-01-01T00:00:00Z" })).body).toMatchObject({
      data: [],
      total_count: 0,
    });
  },
);

/**
 * Filter values that no object can have, by the filter's name. The remaining filters take an object, a person or a word of the merchant's
 * own.
 */
const impossible: Record<string, string> = {
  ...Object.fromEntries(
    ["status", "kind", "channel", "trigger", "reason", "type", "event", "include", "expand[]", "format"].map((name) => [name, "odd"]),
  ),
  gateway: "wechat",
  currency: "ZZZ",
};

const filters = lists.flatMap((route) =>
  Object.keys(impossible).flatMap((name) => (takes(route, name) ? [[route.url, name, route] as const] : [])),
);

test("filters of closed sets are found on all surfaces", () => {
  for (const name of ["status", "gateway", "currency", "kind", "channel", "event"])
    expect(
      filters.some(([, found]) => found === name),
      name,
    ).toBe(true);
});

test.each(filters)("%s refuses a %s that doesn't exist, instead of an empty list", async (_url, name, route) => {
  const reply = await read(route, { [name]: impossible[name] ?? "" });
  expect(reply, reply.text).toMatchObject({ status: 400, body: { error: { code: "parameter_invalid", param: name } } });
});

test("an unknown gateway is refused with the list of known ones", async () => {
  const { body } = await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/orders?gateway=wechat`);
  expect(body.error.message).toBe(
    "gateway must be one of wechatpay, alipay, testpay (wechat is the name of the collection profile behind wechatpay).",
  );
});
