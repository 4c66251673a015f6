import { describe, expect, test } from "vitest";
import { allScopes } from "#identity/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import type { TenantOptions, TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { once, refuserOf, type Trial } from "./leave-nothing.ts";
import { type People, type PersonCase, peopleOf, refusalsOfPeople } from "./refusals-of-people.ts";

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
    const tried = { app, route, good };
    const trial: Trial<DeclaredRefusal, World> = {
      app,
      begin: () => once(() => senderOf(tried)),
      prepare: (row, world) => prepare(tried, row, world),
    };
    const refuse = refuserOf(trial);
    describe(route, () => {
      test("refuses what its declaration says, leaving nothing behind", async () => {
        await refuse.all(declared(await entryOf(app, route)));
      });
      refuse.each(rows);
    });
  };
}

interface Tried {
  app: TestApp;
  route: string;
  good: Good;
}

interface DeclaredRefusal extends Refusal, PersonCase {
  key?: "none" | "wrong" | "others" | "own";
  project?: "other";
  object?: "of another tenant" | "of the other environment";
}

/** A tenant, its good request, and its people. */
interface Sender {
  shop: TestTenant;
  made: Sent;
  people: People;
}

type World = () => Promise<Sender>;

async function senderOf({ app, route, good }: Tried, tenant?: TenantOptions): Promise<Sender> {
  const shop = await app.tenant(tenant);
  return { shop, made: await good(shop), people: peopleOf(app, { shop, entry: await entryOf(app, route) }) };
}

async function prepare(tried: Tried, row: DeclaredRefusal, usual: World): Promise<() => Promise<void>> {
  const { app, route, good } = tried;
  const sender = row.tenant === undefined ? await usual() : await senderOf(tried, row.tenant);
  const { shop } = sender;
  const made = row.object === undefined ? sender.made : await good(await ownerElsewhere(app, shop, row.object));
  const given = (await row.given?.(shop, made)) ?? {};
  const sent: Sent = { ...made, ...given, ...pick(row), headers: { ...made.headers, ...given.headers, ...row.headers } };
  const [method = "", template = ""] = route.split(" ");
  const other = row.project === "other" ? await app.tenant() : shop;
  const names: Record<string, string> = { projectId: other.project_id, ...sent.params };
  const path = template.replace(/:(\w+)/g, (_all, name: string) => names[name] ?? `missing-${name}`);
  const api = await apiFor(tried, row, sender);
  const { body, payload, headers = {}, query } = sent;
  const options = { headers, ...(payload === undefined ? (body === undefined ? {} : { body }) : { payload }) };
  return async () => {
    if (row.as === "stale") app.clock.advance(10 * 60_000 + 1);
    expectRefusal(await api.call(method, query === undefined ? path : `${path}?${query}`, options), row);
  };
}

/** The tenant that has the object which another one names. */
function ownerElsewhere(app: TestApp, shop: TestTenant, object: "of another tenant" | "of the other environment"): Promise<TestTenant> {
  return app.tenant(object === "of another tenant" ? {} : { merchant_id: shop.merchant_id, livemode: !shop.livemode });
}

function expectRefusal(answer: Answer, row: DeclaredRefusal): void {
  const about = `${row.name}: ${answer.text.slice(0, 500)}`;
  expect(answer.status, about).toBe(row.status);
  expect(answer.body?.error?.code, about).toBe(row.code);
  if (row.param !== undefined) expect(answer.body.error.param, about).toBe(row.param);
  expect(answer.headers["request-id"], about).toBe(answer.body.error.request_id);
  expect(answer.headers["x-ratelimit-limit"], about).toBeDefined();
}

function pick({ params, query, body, payload, headers }: Sent): Sent {
  return Object.fromEntries(Object.entries({ params, query, body, payload, headers }).filter(([, value]) => value !== undefined));
}

async function apiFor({ app, route }: Tried, row: DeclaredRefusal, { shop, people }: Sender): Promise<Api> {
  const { config } = await entryOf(app, route);
  if (config.scope === "session" && row.key === undefined) return people(row);
  if (row.key === "none") return apiOf(app.server, null);
  if (row.key === "wrong") return apiOf(app.server, `${shop.key.slice(0, -1)}${shop.key.endsWith("A") ? "B" : "A"}`);
  if (row.key !== "others") return apiOf(app.server, shop.key);
  const others = allScopes.filter((scope) => scope !== config.scope && config.alsoScopes?.includes(scope) !== true);
  return apiOf(app.server, (await app.key(shop, others)).key);
}

async function entryOf(app: TestApp, route: string): Promise<RouteEntry> {
  const entry = (await app.server()).routes.find(({ method, url }) => `${method} ${url}` === route);
  if (entry === undefined) throw new Error(`there is no route ${route}`);
  return entry;
}

/** The refusals that follow from how a route is declared, last that of a session that is no longer fresh: it moves the clock of all. */
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
  return rows.toSorted((one, other) => Number(one.as === "stale") - Number(other.as === "stale"));
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
