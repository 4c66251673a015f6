import { describe, expect, test } from "vitest";
import type { RouteEntry } from "#requests/route-table.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { pageHeaders, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { once, refuserOf, type Trial } from "./leave-nothing.ts";
import type { Sent } from "./refusals.ts";

/** Who tries a route: an owner of this shop, and an operator if one is required. */
export interface Trier {
  me: Visitor;
  shop: TestTenant;
}

type Good = (by: Trier) => Promise<Sent> | Sent;

interface PersonRefusal extends Sent {
  name: string;
  status: number;
  code: string;
  param?: string;
  as?: "nobody" | "a key" | "another site" | "a member" | "stale";
  given?: (by: Trier, good: Sent) => Sent;
}

/**
 * Like `refusalsIn`, for people's routes outside the API: the refusals from their declaration are added automatically, and nothing may be
 * left behind.
 */
export function peopleRefusalsIn(app: TestApp): (route: string, good: Good, rows?: PersonRefusal[]) => void {
  return (route, good, rows = []) => {
    const trial: Trial<PersonRefusal, World> = {
      app,
      begin: () => once(() => senderOf(app, good)),
      prepare: (row, world) => prepare({ app, route }, row, world),
    };
    const refuse = refuserOf(trial);
    describe(route, () => {
      test("refuses what its declaration says, leaving nothing behind", async () => {
        const entry = (await app.server()).routes.find(({ method, url }) => `${method} ${url}` === route);
        if (entry === undefined) throw new Error(`there is no route ${route}`);
        await refuse.all(declared(entry));
      });
      refuse.each(rows);
    });
  };
}

/** Who tries a route, and the request that it would accept. */
interface Sender extends Trier {
  made: Sent;
}

type World = () => Promise<Sender>;

async function senderOf(app: TestApp, good: Good): Promise<Sender> {
  const shop = await app.tenant();
  const me = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
  return { me, shop, made: await good({ me, shop }) };
}

async function prepare({ app, route }: { app: TestApp; route: string }, row: PersonRefusal, world: World): Promise<() => Promise<void>> {
  const { me, shop, made } = await world();
  const given = row.given?.({ me, shop }, made) ?? {};
  const { params, query, body, payload, headers } = { ...made, ...given, ...present(row) };
  const [method = "", template = ""] = route.split(" ");
  const path =
    template.replace(/:(\w+)/g, (_all, name: string) => params?.[name] ?? `missing-${name}`) + (query === undefined ? "" : `?${query}`);
  const api = await apiAs(app, { me, shop, row });
  const options = { headers: { ...headers }, ...(payload === undefined ? (body === undefined ? {} : { body }) : { payload }) };
  return async () => {
    if (row.as === "stale") app.clock.advance(10 * 60_000 + 1);
    expectRefusal(await api.call(method, path, options), row);
  };
}

function expectRefusal(answer: Answer, row: PersonRefusal): void {
  const about = `${row.name}: ${answer.text.slice(0, 400)}`;
  expect([answer.status, answer.body?.error?.code], about).toEqual([row.status, row.code]);
  if (row.param !== undefined) expect(answer.body.error.param, about).toBe(row.param);
  expect(answer.headers["x-ratelimit-limit"], about).toBeDefined();
}

function present({ params, query, body, payload, headers }: Sent): Sent {
  return Object.fromEntries(Object.entries({ params, query, body, payload, headers }).filter(([, value]) => value !== undefined));
}

async function apiAs(app: TestApp, { me, shop, row }: Trier & { row: PersonRefusal }): Promise<Api> {
  if (row.as === "nobody") return withHeaders(app, pageHeaders());
  if (row.as === "a key") return apiOf(app.server, shop.key);
  if (row.as === "a member") return (await visitor(app, { merchant_id: shop.merchant_id })).api;
  if (row.as === "another site")
    return withHeaders(app, pageHeaders(me.cookie, { origin: "https://evil.example", "sec-fetch-site": "cross-site" }));
  return me.api;
}

function declared({ config, schema, method, url }: RouteEntry): PersonRefusal[] {
  const rows: PersonRefusal[] = [];
  if (method !== "GET" || config.scope !== "public")
    rows.push({ name: "a page of another site", as: "another site", status: 403, code: "origin_not_allowed" });
  if (config.scope !== "public") {
    rows.push({ name: "nobody", as: "nobody", status: 401, code: "authentication_required" });
    rows.push({ name: "an API key", as: "a key", status: 403, code: "session_required" });
  }
  if (config.scope === "operator")
    rows.push({ name: "a member who is no operator", as: "a member", status: 403, code: "permission_denied" });
  if (url.includes(":id")) rows.push({ name: "an id that names nothing", params: { id: "zzz" }, status: 404, code: "resource_missing" });
  if (schema?.querystring !== undefined)
    rows.push({ name: "an unknown parameter", query: "colour=blue", status: 400, code: "parameter_unknown", param: "colour" });
  if (schema?.body !== undefined) rows.push(...ofBodies);
  // The last one: it moves the clock, which all share.
  if (config.confirmed === true)
    rows.push({ name: "a session that is not fresh", as: "stale", status: 403, code: "fresh_session_required" });
  return rows;
}

const ofBodies: PersonRefusal[] = [
  {
    name: "an unknown field",
    given: (_by, good) => ({ body: { ...(good.body as object), colour: "blue" } }),
    status: 400,
    code: "parameter_unknown",
    param: "colour",
  },
  { name: "a body that is no JSON", payload: "{", headers: { "content-type": "application/json" }, status: 400, code: "invalid_json" },
  {
    name: "JSON that a form could send",
    payload: "{}",
    headers: { "content-type": "text/plain" },
    status: 403,
    code: "origin_not_allowed",
  },
];
