import { describe, expect, test } from "vitest";
import type { RouteEntry } from "#http/route-table.ts";
import { revokeApiKey } from "#identity/index.ts";
import { createOrder } from "#orders/index.ts";
import type { Answer, Api } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { ghostOf, type Ids } from "./ids.ts";
import { type RouteRequest, requests } from "./requests.ts";
import { buildWorld, type SeededTenant, tierLimits, worldGateways } from "./world.ts";

const unlimited = 1_000_000;
const app = await testApp({
  gateways: worldGateways,
  http: {
    ...{ perMinuteLive: unlimited, perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, perMinuteLinkReads: unlimited },
    ...{ perMinuteLinkReadsPerAddress: unlimited, perMinuteLinkInitiate: unlimited, perHourLinkProofs: unlimited, tierLimits },
  },
});
const server = await app.server();
const victim = await buildWorld(app);
const victimLive = await buildWorld(app, { merchant_id: victim.shop.merchant_id, livemode: true, project_id: victim.shop.project_id });
const sameOwner = await buildWorld(app, { merchant_id: victim.shop.merchant_id });
const otherOwner = await buildWorld(app);

const nameOf = (route: RouteEntry) => `${route.method} ${route.config.aliasOf ?? route.url}`;
const keyRoutes = server.routes.filter(({ url }) => /^\/(api\/)?v1\//.test(url));
const publicRoutes = server.routes.filter(({ url }) => /^\/(api\/public|pay|assets|recordings|u|c|o)\//.test(url));
const requestOf = (route: RouteEntry): RouteRequest => requests[nameOf(route)] ?? {};

/** Whose ids are used in each place of a request. */
interface Aim {
  project?: Ids;
  path: Ids;
  body?: Ids;
  cursor?: Ids;
}

/** Owners of the worlds, signed in: routes that are only for people are tried with them. */
const owners = new Map<SeededTenant, Api>();
for (const world of [victim, victimLive, sameOwner, otherOwner]) owners.set(world, await ownerOf(world));

async function ownerOf({ shop }: SeededTenant): Promise<Api> {
  return (await visitor(app, { merchant_id: shop.merchant_id })).in(shop.livemode ? "live" : "test");
}

const isForPeople = (route: RouteEntry) => route.config.scope === "session";

/** The credential that a caller would use on this route, from their own tenant. */
function credentialOf(route: RouteEntry, world: SeededTenant): Credential {
  return isForPeople(route) ? (owners.get(world) as Api) : world.shop.key;
}

/** A key, none, or a signed-in person. */
type Credential = string | null | Api;

async function send(route: RouteEntry, credential: Credential, aim: Aim): Promise<Answer> {
  const request = requestOf(route);
  const { path: ids, project = ids, body: bodyIds = ids } = aim;
  const values: Record<string, string> = { ...ids, projectId: project.projectId, id: request.id === undefined ? "" : ids[request.id] };
  const url = route.url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "").replace("*", ids.leave);
  const query = aim.cursor === undefined || request.cursor === undefined ? "" : `?starting_after=${aim.cursor[request.cursor]}`;
  const form = request.payload?.();
  const headers: Record<string, string> = {
    ...(route.method === "POST" ? { "idempotency-key": "same-for-all" } : {}),
    ...(form === undefined ? {} : { "content-type": form.type }),
  };
  const api = typeof credential === "string" || credential === null ? app.api(credential) : credential;
  return api.call(route.method, url + query, {
    headers,
    ...(form === undefined ? (request.body === undefined ? {} : { body: request.body(bodyIds) }) : { payload: form.payload }),
  });
}

/** What an attacker learns from a response, apart from what differs between any two requests and the ids that they sent themselves. */
function lesson(answer: Answer, sent: Ids): unknown {
  const ids = Object.values(sent).filter((id) => id.length > 12);
  const hide = (text: string) =>
    ids.reduce((all, id) => all.replaceAll(id, "…"), text.replaceAll(answer.headers["request-id"] ?? "none", "req"));
  const { "content-type": type, "www-authenticate": challenge, "retry-after": retry } = answer.headers;
  return { status: answer.status, body: hide(answer.text), headers: Object.keys(answer.headers).sort(), type, challenge, retry };
}

interface Attempt {
  what: string;
  key: Credential;
  /** Where the attacked ids are used; the rest is the attacker's own. */
  aim(ids: Ids): Aim;
  /** What it may be refused with. */
  statuses: number[];
}

interface Attack extends Attempt {
  applies(route: RouteEntry): boolean;
  /** The two environments of a project share its own id. */
  isOfProject?(route: RouteEntry): boolean;
}

const hasProject = (route: RouteEntry) => route.url.includes(":projectId");
const hasId = (route: RouteEntry) => route.url.includes(":id");
const namesIdInBody = (route: RouteEntry) => {
  const { body } = requestOf(route);
  return body !== undefined && JSON.stringify(body(victim.ids)) !== JSON.stringify(body(ghostOf(victim.ids)));
};
const hasCursor = (route: RouteEntry) => requestOf(route).cursor !== undefined;
const takesPath = (route: RouteEntry) => hasProject(route) || hasId(route);

/** Every place where a caller with their own tenant can specify another's object. */
function attacksOf(who: string, attacker: SeededTenant, key: Credential): Attack[] {
  const own = attacker.ids;
  return [
    { what: `${who}: their address`, key, aim: (ids) => ({ path: ids }), statuses: [403], applies: hasProject, isOfProject: () => true },
    {
      what: `${who}: their object`,
      key,
      aim: (ids) => ({ project: own, path: ids, body: own }),
      applies: hasId,
      statuses: [403, 404],
    },
    {
      what: `${who}: their object in the body`,
      key,
      aim: (ids) => ({ path: own, body: ids }),
      applies: namesIdInBody,
      statuses: [400, 403, 404, 409, 422],
    },
    {
      what: `${who}: their cursor`,
      key,
      aim: (ids) => ({ path: own, cursor: ids }),
      applies: hasCursor,
      isOfProject: (route) => requestOf(route).cursor === "projectId",
      statuses: [400],
    },
  ];
}

const sound = victim.shop.key;
const revoked = await app.key(victim.shop);
await revokeApiKey(app.ctx, victim.shop, { id: revoked.id });
const expired = await app.key(victim.shop, undefined, new Date(app.clock.now().getTime() + 1000));
app.clock.advance(2000);

const strangers: [what: string, key: string | null, code: string][] = [
  ["no key", null, "authentication_required"],
  ["garbage", "garbage", "api_key_invalid"],
  ["a key with a bad checksum", `${sound.slice(0, -1)}${sound.endsWith("A") ? "B" : "A"}`, "api_key_invalid"],
  ["a revoked key", revoked.key, "api_key_revoked"],
  ["an expired key", expired.key, "api_key_expired"],
];

/** Sends the same attack at an existing target and at a missing one: it must be refused and reveal nothing. Returns the refusal. */
async function expectNothing(route: RouteEntry, attack: Attempt, target: Ids): Promise<Answer> {
  const ghost = ghostOf(target);
  const real = await send(route, attack.key, attack.aim(target));
  const unreal = await send(route, attack.key, attack.aim(ghost));
  const about = `${route.method} ${route.url}, ${attack.what}: ${real.text.slice(0, 300)}`;
  expect(attack.statuses, about).toContain(real.status);
  expect(lesson(real, target), about).toEqual(lesson(unreal, ghost));
  return real;
}

/** The database as the last of these requests left it: it is read once for each route. */
let pending: string | null = null;

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = pending ?? (await fingerprintDatabase(app.ctx.db));
  pending = null;
  await work();
  pending = await fingerprintDatabase(app.ctx.db);
  expect(pending, "something was written").toBe(before);
}

const [callsOnly, domainsOnly] = [await app.key(victim.shop, ["calls:write"]), await app.key(victim.shop, ["domains:read"])];
const isOpenToCalls = ({ config: { scope, alsoScopes = [] } }: RouteEntry) =>
  [scope, ...alsoScopes].some((one) => one?.startsWith("calls:") === true);
const attackers: [who: string, attacker: SeededTenant, target: Ids][] = [
  ["another project of the owner", sameOwner, victim.ids],
  ["another owner", otherOwner, victim.ids],
  ["another owner, at LIVE", otherOwner, victimLive.ids],
  ["a TEST key at LIVE objects", victim, victimLive.ids],
  ["a LIVE key at TEST objects", victimLive, victim.ids],
];

describe("every route", () => {
  test("has a line in the table of requests, and no line lacks its route", () => {
    const documented = new Set([...keyRoutes, ...publicRoutes].map(nameOf));
    expect([...documented].filter((name) => requests[name] === undefined)).toEqual([]);
    expect(Object.keys(requests).filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe.each(keyRoutes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("reveals nothing to strangers, keys without the permission and other tenants, and writes nothing", () =>
    expectUnchanged(async () => {
      for (const [what, key, code] of strangers) {
        const answer = await expectNothing(route, { what, key, aim: (ids) => ({ path: ids }), statuses: [401] }, victim.ids);
        expect(answer.body.error.code, what).toBe(code);
      }
      await keepUnpermittedOut(route);
      for (const of of attackers) await keepTenantOut(route, of);
      await keepPersonOut(route);
    }));
});

async function keepUnpermittedOut(route: RouteEntry): Promise<void> {
  if (route.config.scope === "any_key") return;
  const { key } = isOpenToCalls(route) ? domainsOnly : callsOnly;
  const aim = (ids: Ids) => ({ project: victim.ids, path: ids });
  await expectNothing(route, { what: "wrong scope", key, aim, statuses: [403] }, victim.ids);
}

async function keepTenantOut(route: RouteEntry, [who, attacker, target]: (typeof attackers)[number]): Promise<void> {
  const shared = attacker.shop.project_id === target.projectId;
  // A person belongs to the merchant and reaches all of it: both environments of every project.
  if (isForPeople(route) && attacker.shop.merchant_id === victim.shop.merchant_id) return;
  for (const attack of attacksOf(who, attacker, credentialOf(route, attacker))) {
    if (attack.applies(route) && !(shared && attack.isOfProject?.(route) === true)) await expectNothing(route, attack, target);
  }
}

async function keepPersonOut(route: RouteEntry): Promise<void> {
  // Routes that only admit people were already tried by a person: another owner.
  if (isForPeople(route)) return;
  for (const { ids } of [victim, victimLive])
    for (const attack of attacksOf("a person of another merchant", otherOwner, owners.get(otherOwner) as Api))
      if (attack.applies(route)) await expectNothing(route, attack, ids);
}

describe.each(publicRoutes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("responds the same to a token that never existed and to one that is nearly right, and writes nothing", () =>
    expectUnchanged(async () => {
      const ghost = ghostOf(victim.ids);
      const tokens = [ghost.token, "garbage", victim.ids.token.toUpperCase(), victim.ids.token.slice(0, -1)];
      const answers = await Promise.all(tokens.map((token) => send(route, null, { path: { ...ghost, token } })));
      for (const answer of answers) {
        expect(answer.status, answer.text).toBe(answers[0]?.status);
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
        expect(answer.status, answer.text).toBeLessThan(500);
      }
    }));
});

/** A flat path that writes is its nested route, which is tried. A stream has no end to wait for. */
const tried = keyRoutes.filter(({ method, url, config }) => (method === "GET" || config.aliasOf === undefined) && !url.endsWith("/stream"));
/** What ends something runs last, so that it existed for all others; changing a member also ends the invitations that they sent. */
const ending = [/\/cancel$/, /^DELETE/, /members/];
const rank = (route: RouteEntry) => ending.findLastIndex((name) => name.test(nameOf(route)));
const inOrder = tried.toSorted((one, other) => rank(one) - rank(other));

describe("the owner is admitted, so that the refusals above prove something", async () => {
  const own = await buildWorld(app);
  owners.set(own, await ownerOf(own));
  test.each(inOrder.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", async (_name, route) => {
    const ids = route.method === "GET" ? victim.ids : { ...own.ids, order: await newOrder(own) };
    const credential = credentialOf(route, route.method === "GET" ? victim : own);
    const answer = await send(route, credential, { path: ids });
    expect([401, 403, 404, 405, 500].includes(answer.status), answer.text).toBe(false);
    if (hasCursor(route) && !takesPath(route)) expect((await send(route, credential, { path: ids, cursor: ids })).status).toBe(200);
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
  const own = await buildWorld(app);
  const upload = await app
    .api(own.shop.key)
    .upload(`/api/v1/projects/${own.ids.projectId}/assets/upload`, await photo(32, 32), { purpose: "payment_proof" });
  const address = new URL(upload.body.url as string);
  const open = (id: string) => app.api().get(`/assets/${id}${address.search}`);
  expect((await open(upload.body.id)).status).toBe(200);
  expect(lesson(await open(victim.ids.asset), victim.ids)).toEqual(lesson(await open(ghostOf(victim.ids).asset), ghostOf(victim.ids)));
  expect((await open(victim.ids.asset)).status).toBe(403);
  app.clock.advance(16 * 60_000);
  expect((await open(upload.body.id)).status).toBe(403);
});
