import { allRoles, type Role } from "#identity/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import type { Answer, Api } from "#test/support/app/api.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { type Visitor, visitor } from "#test/support/people/visitors.ts";
import { access } from "./access.ts";
import type { Ids } from "./ids.ts";
import { requests } from "./requests.ts";
import { buildWorld, type SeededTenant, worldGateways } from "./world.ts";

type Environment = "TEST" | "LIVE";

const unlimited = 1_000_000;

/** Settings of an app whose routes people try. */
export const peopleSettings = {
  gateways: worldGateways,
  http: { perMinuteLive: unlimited, perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, burst: unlimited },
};

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
const may: Record<Role, Record<Environment, string[]>> = {
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

export const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`;

/** A route's line in the table; a deprecated path requires what its replacement requires. */
export function needOf({ method, url, config }: RouteEntry): { need: string; confirmed: boolean | "live" } | null {
  const line = access[`${method} ${config.aliasOf ?? url}`];
  if (line === undefined) return null;
  const [need = "", confirmed] = line.split(", ");
  return { need, confirmed: confirmed === "fresh in LIVE" ? "live" : confirmed === "fresh" };
}

/** A route's own declaration, in the words of the table. */
export function declared({ config: { scope = "", roles = [], confirmed = false } }: RouteEntry): ReturnType<typeof needOf> {
  return { need: scope !== "session" ? scope : roles.length === allRoles.length ? "everybody" : roles.join(" "), confirmed };
}

function isAllowed(route: RouteEntry, role: Role, environment: Environment): boolean {
  const { need } = needOf(route) ?? { need: "" };
  return need === "any_key" || need === "everybody" || need.split(" ").includes(role) || may[role][environment].includes(need);
}

/** Sends the request of a route's line. */
export function send(route: RouteEntry, api: Api, ids: Ids): Promise<Answer> {
  const request = requests[nameOf(route)] ?? {};
  const values: Record<string, string> = { ...ids, id: request.id === undefined ? "none" : ids[request.id] };
  const url = route.url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "");
  const form = request.payload?.();
  if (form !== undefined) return api.call(route.method, url, { payload: form.payload, headers: { "content-type": form.type } });
  return api.call(route.method, url, request.body === undefined ? {} : { body: request.body(ids) });
}

export const allowed = (status: number) => status !== 401 && status !== 403 && status < 500;

/** One project of a merchant, with one of everything in each environment. */
export type Premises = { app: TestApp; merchant_id: string } & Record<Environment, SeededTenant>;

export async function openPremises(app: TestApp): Promise<Premises> {
  const TEST = await buildWorld(app);
  const { merchant_id, project_id } = TEST.shop;
  return { app, merchant_id, TEST, LIVE: await buildWorld(app, { merchant_id, project_id, livemode: true }) };
}

interface Trying {
  role: Role;
  environment: Environment;
  /** Whether what the person does is looked for in the audit log. */
  audits: boolean;
}

interface Caller extends Pick<Trying, "audits"> {
  app: TestApp;
  person: Visitor;
  api: Api;
  ids: Ids;
}

/** Which routes let a new person of this role in against the table or keep them out, and what isn't in the audit log. */
export async function findWrong(premises: Premises, { role, environment, audits }: Trying): Promise<string[]> {
  const { app, merchant_id } = premises;
  const person = await visitor(app, { merchant_id, role });
  const caller = { app, person, audits, api: person.in(environment === "LIVE" ? "live" : "test"), ids: premises[environment].ids };
  const routes = (await app.server()).routes.filter(
    ({ url, config }) => /^\/(api\/)?v1\//.test(url) && config.aliasOf === undefined && !url.endsWith("/stream"),
  );
  const isAdmitting = (route: RouteEntry) => isAllowed(route, role, environment);
  const refusing = routes.filter((route) => !isAdmitting(route));
  return [...(await findOpen(caller, refusing)), ...(await findShut(caller, routes.filter(isAdmitting)))];
}

/** Which of these routes don't refuse the caller. Those that do leave nothing behind, so the database is compared once. */
async function findOpen({ app, api, ids }: Caller, routes: readonly RouteEntry[]): Promise<string[]> {
  const wrong: string[] = [];
  const before = await fingerprintDatabase(app.ctx.db);
  for (const route of routes) {
    const { status, body } = await send(route, api, ids);
    if (status !== 403 || body.error.code !== "permission_denied")
      wrong.push(`${nameOf(route)}: ${status} ${body?.error?.code ?? ""}, expected permission_denied`);
  }
  if ((await fingerprintDatabase(app.ctx.db)) !== before) wrong.push(...(await findWriting({ app, api, ids }, routes)));
  return wrong;
}

/** Which of these routes write although they refuse. */
async function findWriting({ app, api, ids }: Pick<Caller, "app" | "api" | "ids">, routes: readonly RouteEntry[]): Promise<string[]> {
  const wrong = ["a refused request left something behind"];
  for (const route of routes) {
    const before = await fingerprintDatabase(app.ctx.db);
    await send(route, api, ids);
    if ((await fingerprintDatabase(app.ctx.db)) !== before) wrong.push(`${nameOf(route)} left something behind`);
  }
  return wrong;
}

/** A domain checked again with the same result. */
const quiet = /\/domains\/:id\/verify$/;

/** Which of these routes don't let the caller in, and which of them write what isn't in the audit log. */
async function findShut({ app, person, audits, api, ids }: Caller, routes: readonly RouteEntry[]): Promise<string[]> {
  const wrong: string[] = [];
  const isAudited = ({ method, url }: RouteEntry) => method !== "GET" && !quiet.test(url);
  let left: string | null = null;
  // What isn't audited is first, so that each of the others starts from the database that the previous one left.
  for (const route of routes.toSorted((one, other) => Number(isAudited(one)) - Number(isAudited(other)))) {
    const before: string | null = audits && isAudited(route) ? (left ?? (await fingerprintDatabase(app.ctx.db))) : null;
    const answer = await send(route, api, ids);
    const code = answer.body?.error?.code;
    // TEST-only routes refuse LIVE for everyone.
    if (!allowed(answer.status) && code !== "environment_mismatch")
      wrong.push(`${nameOf(route)}: ${answer.status} ${code ?? ""}, expected to be let in`);
    if (before === null) continue;
    left = await fingerprintDatabase(app.ctx.db);
    if (left !== before && !(await isInLog(app, person.id, answer))) wrong.push(`${nameOf(route)} is not in the audit log`);
  }
  return wrong;
}

async function isInLog(app: TestApp, personId: string, { headers }: Answer): Promise<boolean> {
  const rows = await runStatement(
    app.ctx.db,
    "select 1 from audit_log where actor_id = ? and request_id = ?",
    personId,
    headers["request-id"],
  );
  return rows.length > 0;
}
