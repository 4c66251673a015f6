import { describe, expect, test } from "vitest";
import type { RouteEntry } from "#http/route-table.ts";
import { allScopes } from "#identity/index.ts";
import { type Answer, apiOf } from "#test/support/app/api.ts";
import type { TenantOptions, TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { type PersonCase, personAs, refusalsOfPeople } from "./refusals-of-people.ts";

/** What a request to the route contains in addition to its key. */
export interface Sent {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Sent as is, with the content type of `headers`. */
  payload?: string | Buffer;
  headers?: Record<string, string>;
}

/** A request that the route would accept: created for each tenant that it is tried with. */
export type Good = (shop: TestTenant) => Promise<Sent> | Sent;

/** One way to be refused: the good request with some members replaced. */
export interface Refusal extends Sent {
  name: string;
  status: number;
  code: string;
  param?: string;
  /** Brings the tenant into the state that refuses; what it returns replaces members of the request too. */
  given?: (shop: TestTenant, good: Sent) => Promise<Sent | undefined> | Sent | undefined;
  tenant?: TenantOptions;
}

/**
 * Tests in one table everything that a v1 route refuses. What follows from its declaration (no key, no permission, another project, an
 * object of another tenant, unknown parameters, an unverified merchant) is added automatically. Every refusal must leave the database as it
 * was.
 */
export function refusalsIn(app: TestApp): (route: string, good: Good, rows?: Refusal[]) => void {
  return (route, good, rows = []) => {
    describe(route, () => {
      test("refuses what its declaration says, leaving nothing behind", async () => {
        const server = await app.server();
        const entry = server.routes.find(({ method, url }) => `${method} ${url}` === route);
        if (entry === undefined) throw new Error(`there is no route ${route}`);
        for (const row of declared(entry)) await refuse({ app, route, good }, row);
      });
      for (const row of rows) {
        test(`refuses ${row.name} with ${row.status} ${row.code}, leaving nothing behind`, () => refuse({ app, route, good }, row));
      }
    });
  };
}

interface Case {
  app: TestApp;
  route: string;
  good: Good;
}

interface DeclaredRefusal extends Refusal, PersonCase {
  key?: "none" | "wrong" | "others" | "own";
  project?: "other";
  object?: "of another tenant" | "of the other environment";
}

async function refuse({ app, route, good }: Case, row: DeclaredRefusal): Promise<void> {
  const shop = await app.tenant(row.tenant);
  const owner =
    row.object === undefined
      ? shop
      : await app.tenant(row.object === "of another tenant" ? {} : { merchant_id: shop.merchant_id, livemode: !shop.livemode });
  const made = await good(owner);
  const given = (await row.given?.(shop, made)) ?? {};
  const send = await prepare(app, {
    route,
    shop,
    sent: { ...made, ...given, ...pick(row), headers: { ...made.headers, ...given.headers, ...row.headers } },
    row,
  });
  const before = await fingerprintDatabase(app.ctx.db);
  const answer = await send();
  const about = `${row.name}: ${answer.text.slice(0, 500)}`;
  expect(answer.status, about).toBe(row.status);
  expect(answer.body?.error?.code, about).toBe(row.code);
  if (row.param !== undefined) expect(answer.body.error.param, about).toBe(row.param);
  expect(answer.headers["request-id"], about).toBe(answer.body.error.request_id);
  expect(answer.headers["x-ratelimit-limit"], about).toBeDefined();
  expect(await fingerprintDatabase(app.ctx.db), `${row.name} left something behind`).toBe(before);
}

function pick({ params, query, body, payload, headers }: Sent): Sent {
  return Object.fromEntries(Object.entries({ params, query, body, payload, headers }).filter(([, value]) => value !== undefined));
}

async function prepare(
  app: TestApp,
  given: { route: string; shop: TestTenant; sent: Sent; row: DeclaredRefusal },
): Promise<() => Promise<Answer>> {
  const { route, shop, sent, row } = given;
  const [method = "", template = ""] = route.split(" ");
  const other = row.project === "other" ? await app.tenant() : shop;
  const names: Record<string, string> = { projectId: other.project_id, ...sent.params };
  const path = template.replace(/:(\w+)/g, (_all, name: string) => names[name] ?? `missing-${name}`);
  const key =
    row.key === "none"
      ? null
      : row.key === "wrong"
        ? `${shop.key.slice(0, -1)}${shop.key.endsWith("A") ? "B" : "A"}`
        : await keyOf(app, { route, shop, row });
  const entry = await entryOf(app, route);
  if (entry?.config.scope === "session" && row.key === undefined) {
    const api = await personAs(app, { shop, entry, row });
    const { body, payload, headers } = sent;
    const options = {
      ...(payload === undefined ? (body === undefined ? {} : { body }) : { payload }),
      ...(headers === undefined ? {} : { headers }),
    };
    return () => api.call(method, sent.query === undefined ? path : `${path}?${sent.query}`, options);
  }
  const { body, payload, headers } = sent;
  const options = {
    ...(payload === undefined ? (body === undefined ? {} : { body }) : { payload }),
    ...(headers === undefined ? {} : { headers }),
  };
  return () => apiOf(app.server, key).call(method, sent.query === undefined ? path : `${path}?${sent.query}`, options);
}

async function keyOf(app: TestApp, given: { route: string; shop: TestTenant; row: DeclaredRefusal }): Promise<string> {
  if (given.row.key !== "others") return given.shop.key;
  const entry = await entryOf(app, given.route);
  return (
    await app.key(
      given.shop,
      allScopes.filter((scope) => scope !== entry?.config.scope && entry?.config.alsoScopes?.includes(scope) !== true),
    )
  ).key;
}

async function entryOf(app: TestApp, route: string): Promise<RouteEntry | undefined> {
  return (await app.server()).routes.find(({ method, url }) => `${method} ${url}` === route);
}

/** The refusals that follow from how a route is declared. */
function declared(entry: RouteEntry): DeclaredRefusal[] {
  const { url, config, schema, method } = entry;
  const forPeople = config.scope === "session";
  const rows: DeclaredRefusal[] = [
    { name: "no key", key: "none", status: 401, code: "authentication_required" },
    { name: "a key with a typing error", key: "wrong", status: 401, code: "api_key_invalid" },
  ];
  if (forPeople) rows.push(...refusalsOfPeople(entry));
  else if (config.scope !== "any_key")
    rows.push({ name: "a key with every other permission", key: "others", status: 403, code: "permission_denied" });
  if (url.includes(":projectId"))
    rows.push({ name: "the address of another project", project: "other", status: 403, code: "project_mismatch", param: "projectId" });
  if (config.movesMoney === true)
    rows.push({
      name: "LIVE money of an unverified merchant",
      tenant: { livemode: true, verified: false },
      status: 403,
      code: "merchant_not_verified",
    });
  if (url.includes(":id")) {
    rows.push({ name: "an object of another tenant", object: "of another tenant", status: 404, code: "resource_missing" });
    if (url.includes(":projectId") || !forPeople)
      rows.push({ name: "an object of the other environment", object: "of the other environment", status: 404, code: "resource_missing" });
    rows.push({
      name: "an id that names nothing",
      given: (_shop, { params }) => ({ params: { ...params, id: "zzz" } }),
      status: 404,
      code: "resource_missing",
    });
  }
  if (schema?.querystring !== undefined)
    rows.push({ name: "an unknown parameter", query: "colour=blue", status: 400, code: "parameter_unknown", param: "colour" });
  if (schema?.body !== undefined && method !== "GET")
    rows.push(...(forPeople ? ofBodies.filter(({ status }) => status !== 415) : ofBodies));
  if (method === "POST")
    rows.push({
      name: "an Idempotency-Key that is none",
      headers: { "idempotency-key": "a b" },
      status: 400,
      code: "idempotency_key_invalid",
    });
  return rows;
}

const json = { "content-type": "application/json" };

const ofBodies: DeclaredRefusal[] = [
  {
    name: "an unknown field",
    given: (_shop, good) => ({ body: { ...(good.body as object), colour: "blue" } }),
    status: 400,
    code: "parameter_unknown",
    param: "colour",
  },
  { name: "a body that is no JSON", payload: "{", headers: json, status: 400, code: "invalid_json" },
  { name: "a body that is no object", payload: "[]", headers: json, status: 400, code: "parameter_invalid" },
  {
    name: "a body of another type",
    payload: "a=b",
    headers: { "content-type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
  },
];
