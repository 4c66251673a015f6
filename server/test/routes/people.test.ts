import { describe, expect, test } from "vitest";
import type { RouteEntry } from "#http/route-table.ts";
import { allRoles, type Role } from "#identity/index.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { pageHeaders, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { access } from "./access.ts";
import type { Ids } from "./ids.ts";
import { requests } from "./requests.ts";
import { buildWorld, worldGateways } from "./world.ts";

const unlimited = 1_000_000;
const app = await testApp({
  gateways: worldGateways,
  http: { perMinuteLive: unlimited, perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, burst: unlimited },
});
const server = await app.server();
const test_ = await buildWorld(app);
const live = await buildWorld(app, { merchant_id: test_.shop.merchant_id, project_id: test_.shop.project_id, livemode: true });
const merchant_id = test_.shop.merchant_id;

/** The contract's table, written out: what each role may request of a route, by the permission or the roles that the route specifies. */
const reads = [
  "orders:read",
  "payments:read",
  "webhooks:read",
  "emails:read",
  "sms:read",
  "calls:read",
  "domains:read",
  "suppressions:read",
];
const builds = [
  ...["orders:write", "payments:write", "webhooks:write", "emails:write", "sms:write", "calls:write"],
  ...["domains:write", "suppressions:write", ...reads],
];
const all = [...builds, "collection_profiles:write", "reviews:write", "refunds:write", "receipts:write"];
const may: Record<Role, { TEST: string[]; LIVE: string[] }> = {
  owner: { TEST: all, LIVE: all },
  admin: { TEST: all, LIVE: all },
  developer: { TEST: all, LIVE: builds },
  reviewer: {
    TEST: ["orders:read", "payments:read", "payments:write", "reviews:write", "receipts:write"],
    LIVE: ["orders:read", "payments:read", "payments:write", "reviews:write", "receipts:write"],
  },
  accountant: { TEST: ["orders:read", "payments:read", "refunds:write"], LIVE: ["orders:read", "payments:read", "refunds:write"] },
  viewer: { TEST: reads, LIVE: reads },
};
const ofSurfaces = server.routes.filter(({ url }) => /^\/(api\/(v1|auth|profile|admin)|v1)\//.test(url));
const routes = server.routes.filter(
  ({ url, config }) => /^\/(api\/)?v1\//.test(url) && config.aliasOf === undefined && !url.endsWith("/stream"),
);
const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`;

/** A route's line in the table; a deprecated path requires what its replacement requires. */
function needOf({ method, url, config }: RouteEntry): { need: string; confirmed: boolean | "live" } | null {
  const line = access[`${method} ${config.aliasOf ?? url}`];
  if (line === undefined) return null;
  const [need = "", confirmed] = line.split(", ");
  return { need, confirmed: confirmed === "fresh in LIVE" ? "live" : confirmed === "fresh" };
}

/** A route's own declaration, in the words of the table. */
function declared({ config: { scope = "", roles = [], confirmed = false } }: RouteEntry): ReturnType<typeof needOf> {
  return { need: scope !== "session" ? scope : roles.length === allRoles.length ? "everybody" : roles.join(" "), confirmed };
}

function isAllowed(route: RouteEntry, role: Role, environment: "TEST" | "LIVE"): boolean {
  const { need } = needOf(route) ?? { need: "" };
  return need === "any_key" || need === "everybody" || need.split(" ").includes(role) || may[role][environment].includes(need);
}

function send(route: RouteEntry, api: Api, ids: Ids) {
  const request = requests[nameOf(route)] ?? {};
  const values: Record<string, string> = { ...ids, id: request.id === undefined ? "none" : ids[request.id] };
  const url = route.url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "");
  const form = request.payload?.();
  if (form !== undefined) return api.call(route.method, url, { payload: form.payload, headers: { "content-type": form.type } });
  return api.call(route.method, url, request.body === undefined ? {} : { body: request.body(ids) });
}

/** A domain checked again with the same result. */
const quiet = /\/domains\/:id\/verify$/;
async function isAudited(personId: string, { headers }: Answer): Promise<boolean> {
  const rows = await runStatement(
    app.ctx.db,
    "select 1 from audit_log where actor_id = ? and request_id = ?",
    personId,
    headers["request-id"],
  );
  return rows.length > 0;
}

const allowed = (status: number) => status !== 401 && status !== 403 && status < 500;

describe("the table of roles and routes", () => {
  test("has a line for every route that people or keys reach, and none for others", () => {
    const names = ofSurfaces.map(({ method, url, config }) => `${method} ${config.aliasOf ?? url}`);
    expect(names.filter((name) => access[name] === undefined)).toEqual([]);
    expect(Object.keys(access).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("is what the routes declare, deprecated paths included", () => {
    expect(ofSurfaces.map((route) => [nameOf(route), declared(route)])).toEqual(ofSurfaces.map((route) => [nameOf(route), needOf(route)]));
  });

  // The most powerful roles are last, so that what they end existed for the others.
  for (const role of [...allRoles].reverse()) {
    test.each(["TEST", "LIVE"] as const)(`holds for ${role}s in %s`, async (environment) => {
      const person = await visitor(app, { merchant_id, role });
      const api = person.in(environment === "LIVE" ? "live" : "test");
      const { ids } = environment === "LIVE" ? live : test_;
      const wrong: string[] = [];
      let before = await fingerprintDatabase(app.ctx.db);
      for (const route of routes) {
        const expected = isAllowed(route, role, environment);
        const answer = await send(route, api, ids);
        // TEST-only routes refuse LIVE for everyone.
        const isElsewhere = answer.body?.error?.code === "environment_mismatch";
        const fits = expected
          ? allowed(answer.status) || isElsewhere
          : answer.status === 403 && answer.body.error.code === "permission_denied";
        if (!fits)
          wrong.push(
            `${nameOf(route)}: ${answer.status} ${answer.body?.error?.code ?? ""}, expected ${expected ? "to be let in" : "permission_denied"}`,
          );
        const after = await fingerprintDatabase(app.ctx.db);
        const isWritten = after !== before;
        before = after;
        if (isWritten && !expected) wrong.push(`${nameOf(route)} left something behind`);
        if (isWritten && expected && route.method !== "GET" && !quiet.test(route.url) && !(await isAudited(person.id, answer)))
          wrong.push(`${nameOf(route)} is not in the audit log`);
      }
      expect(wrong).toEqual([]);
    });
  }

  test("has only people for routes that require people", async () => {
    const operator = await visitor(app, { is_operator: true });
    const member = await visitor(app, { merchant_id, role: "owner" });
    const key = app.api(test_.shop.key);
    const ofPeople = server.routes.filter(
      ({ config }) => ["person", "operator"].includes(config.scope ?? "") && config.confirmed !== true && config.aliasOf === undefined,
    );
    expect(ofPeople.length).toBeGreaterThan(12);
    const wrong: string[] = [];
    for (const route of ofPeople.filter(({ url }) => !/sign-out|end-others/.test(url))) {
      const codes: string[] = [];
      for (const api of [apiOf(app.server, null), key, member.api, operator.api]) {
        const { status, body } = await send(route, api, test_.ids);
        codes.push(status === 401 || status === 403 ? body.error.code : status < 500 ? "in" : String(status));
      }
      const forOperators = route.config.scope === "operator";
      const expected = ["authentication_required", "session_required", forOperators ? "permission_denied" : "in", "in"];
      if (codes.join() !== expected.join()) wrong.push(`${nameOf(route)}: ${codes.join()}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("a fresh session", () => {
  test("is required to change keys, secrets, LIVE codes, endpoints, members, settings and two-step sign-in, and for every act of operators", async () => {
    const world = await buildWorld(app, { livemode: true });
    const person = await visitor(app, { merchant_id: world.shop.merchant_id, is_operator: true });
    const guarded = ofSurfaces.filter((route) => needOf(route)?.confirmed !== false);
    expect(guarded.length).toBeGreaterThan(15);
    app.clock.advance(10 * 60_000 + 1);
    for (const route of guarded) {
      const { status, body } = await send(route, person.in("live"), world.ids);
      expect([nameOf(route), status, body?.error?.code]).toEqual([nameOf(route), 403, "fresh_session_required"]);
    }
    const confirmed = await person.api.post("/api/auth/confirm", { password: "correct horse battery" });
    expect(confirmed.status, confirmed.text).toBe(200);
    const code = await send(
      guarded.find(({ url }) => url.endsWith("/collection-profiles/:channel")) as RouteEntry,
      person.in("live"),
      world.ids,
    );
    expect(allowed(code.status), code.text).toBe(true);
    expect((await person.api.post("/api/auth/confirm", { password: "wrong" })).status).toBe(400);
  });
});

describe("a page of another site", () => {
  const writing = server.routes.filter(
    ({ method, url, config }) => method !== "GET" && /^\/(api\/(v1|auth|profile|admin)|v1)\//.test(url) && config.aliasOf === undefined,
  );
  const forged: [what: string, headers: Record<string, string | undefined>, payload: string][] = [
    [
      "a form",
      { origin: "https://evil.example", "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
      "a=b",
    ],
    [
      "a form of a sibling",
      { origin: "http://evil.localhost:8080", "sec-fetch-site": "same-site", "content-type": "application/json" },
      "{}",
    ],
    ["JSON as text", { "content-type": "text/plain" }, '{"name":"x"}'],
    ["a script without an origin", { origin: undefined, "content-type": "application/json" }, "{}"],
    ["a sandboxed frame", { origin: "null", "content-type": "application/json" }, "{}"],
    ["another port", { origin: "http://localhost:3000", "content-type": "application/json" }, "{}"],
    ["a script of another site", { origin: "https://evil.example", "content-type": "application/json" }, "{}"],
  ];

  test.each(forged)("can't act in a visitor's name with %s", async (_what, headers, payload) => {
    const owner = await visitor(app, { merchant_id, is_operator: true });
    const sent = Object.fromEntries(
      Object.entries({ ...pageHeaders(owner.cookie), ...headers }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const api = withHeaders(app, sent);
    const before = await fingerprintDatabase(app.ctx.db);
    const wrong: string[] = [];
    for (const route of writing) {
      const url = route.url.replace(/:(\w+)/g, (_all, name: string) => ({ ...test_.ids, id: "x" })[name as "order"] ?? "x");
      const { status, body } = await api.call(route.method, url, { payload });
      if (status !== 403 || body?.error?.code !== "origin_not_allowed") wrong.push(`${nameOf(route)}: ${status} ${body?.error?.code}`);
    }
    expect(wrong).toEqual([]);
    expect(await fingerprintDatabase(app.ctx.db)).toBe(before);
  });
});
