import { describe, expect, test } from "vitest";
import type { RouteEntry } from "#requests/route-table.ts";
import { apiOf } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { pageHeaders, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { access } from "./access.ts";
import { allowed, declared, findWrong, nameOf, needOf, openPremises, peopleSettings, send } from "./people.ts";

const app = await testApp(peopleSettings);
const server = await app.server();
const premises = await openPremises(app);
const { merchant_id, TEST: test_ } = premises;
const ofSurfaces = server.routes.filter(({ url }) => /^\/(api\/(v1|auth|profile|admin)|v1)\//.test(url));

describe("the table of roles and routes", () => {
  test("has a line for every route that people or keys reach, and none for others", () => {
    const names = ofSurfaces.map(({ method, url, config }) => `${method} ${config.aliasOf ?? url}`);
    expect(names.filter((name) => access[name] === undefined)).toEqual([]);
    expect(Object.keys(access).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("is what the routes declare, deprecated paths included", () => {
    expect(ofSurfaces.map((route) => [nameOf(route), declared(route)])).toEqual(ofSurfaces.map((route) => [nameOf(route), needOf(route)]));
  });

  // The most powerful roles are last, so that what they end existed for the others. Only developers may do less in LIVE; the long form has
  // every role in both environments. What is in the audit log doesn't depend on the role, and admins and owners may do everything.
  test.each([
    ["viewer", "LIVE"],
    ["accountant", "TEST"],
    ["reviewer", "LIVE"],
    ["developer", "TEST"],
    ["developer", "LIVE"],
    ["admin", "LIVE"],
    ["owner", "TEST"],
  ] as const)("holds for %ss in %s", async (role, environment) => {
    expect(await findWrong(premises, { role, environment, audits: role === "admin" || role === "owner" })).toEqual([]);
  });

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
    const { ids } = premises.LIVE;
    const person = await visitor(app, { merchant_id, is_operator: true });
    const guarded = ofSurfaces.filter((route) => needOf(route)?.confirmed !== false);
    expect(guarded.length).toBeGreaterThan(15);
    app.clock.advance(10 * 60_000 + 1);
    for (const route of guarded) {
      const { status, body } = await send(route, person.in("live"), ids);
      expect([nameOf(route), status, body?.error?.code]).toEqual([nameOf(route), 403, "fresh_session_required"]);
    }
    const confirmed = await person.api.post("/api/auth/confirm", { password: "correct horse battery" });
    expect(confirmed.status, confirmed.text).toBe(200);
    const route = guarded.find(({ url }) => url.endsWith("/collection-profiles/:channel")) as RouteEntry;
    const code = await send(route, person.in("live"), ids);
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
