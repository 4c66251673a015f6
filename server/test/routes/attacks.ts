import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { revokeApiKey } from "#identity/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import type { Answer, Api } from "#test/support/app/api.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { ghostOf, type Ids } from "./ids.ts";
import { type RouteRequest, requests } from "./requests.ts";
import { buildWorld, type SeededTenant, tierLimits, worldGateways } from "./world.ts";

const unlimited = 1_000_000;
/** Settings of an app that is attacked: no limit refuses an attack before its route does. */
export const attackedSettings = {
  gateways: worldGateways,
  http: {
    ...{ perMinuteLive: unlimited, perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, perMinuteLinkReads: unlimited },
    ...{ perMinuteLinkReadsPerAddress: unlimited, perMinuteLinkInitiate: unlimited, perHourLinkProofs: unlimited, tierLimits },
  },
};

export const nameOf = (route: RouteEntry) => `${route.method} ${route.config.aliasOf ?? route.url}`;
const requestOf = (route: RouteEntry): RouteRequest => requests[nameOf(route)] ?? {};

/** Whose ids are used in each place of a request. */
interface Aim {
  project?: Ids;
  path: Ids;
  body?: Ids;
  cursor?: Ids;
}

/** A key, none, or a signed-in person. */
type Credential = string | null | Api;

/** Who attacks, from which tenant, and whose ids. */
type Attacker = [who: string, attacker: SeededTenant, target: Ids];
type Stranger = [what: string, key: string | null, code: string];

/** A victim in both environments, another project of its merchant, another merchant, and everyone who tries to reach the victim. */
export interface Tenants {
  app: TestApp;
  keyRoutes: RouteEntry[];
  publicRoutes: RouteEntry[];
  victim: SeededTenant;
  victimLive: SeededTenant;
  sameOwner: SeededTenant;
  otherOwner: SeededTenant;
  /** The owners, signed in: routes that are only for people are tried with them. */
  owners: Map<SeededTenant, Api>;
  strangers: Stranger[];
  /** In groups of those who are alike. */
  attackers: Attacker[][];
  callsOnly: string;
  domainsOnly: string;
  /** The database as the last attacks left it: it is read once for each route. */
  left: string | null;
}

export async function openTenants(app: TestApp): Promise<Tenants> {
  const { routes } = await app.server();
  const victim = await buildWorld(app);
  const { merchant_id, project_id } = victim.shop;
  const victimLive = await buildWorld(app, { merchant_id, project_id, livemode: true });
  const sameOwner = await buildWorld(app, { merchant_id });
  const otherOwner = await buildWorld(app);
  const owners = new Map<SeededTenant, Api>();
  for (const world of [victim, victimLive, sameOwner, otherOwner]) owners.set(world, await ownerOf(app, world));
  return {
    ...{ app, victim, victimLive, sameOwner, otherOwner, owners },
    keyRoutes: routes.filter(({ url }) => /^\/(api\/)?v1\//.test(url)),
    publicRoutes: routes.filter(({ url }) => /^\/(api\/public|pay|assets|recordings|u|c|o)\//.test(url)),
    strangers: await strangersTo(app, victim),
    attackers: [
      [["another project of the owner", sameOwner, victim.ids]],
      [
        ["another owner", otherOwner, victim.ids],
        ["another owner, at LIVE", otherOwner, victimLive.ids],
      ],
      [
        ["a TEST key at LIVE objects", victim, victimLive.ids],
        ["a LIVE key at TEST objects", victimLive, victim.ids],
      ],
    ],
    callsOnly: (await app.key(victim.shop, ["calls:write"])).key,
    domainsOnly: (await app.key(victim.shop, ["domains:read"])).key,
    left: null,
  };
}

/** The owner of a world, signed in. */
async function ownerOf(app: TestApp, { shop }: SeededTenant): Promise<Api> {
  return (await visitor(app, { merchant_id: shop.merchant_id })).in(shop.livemode ? "live" : "test");
}

async function strangersTo(app: TestApp, { shop }: SeededTenant): Promise<Stranger[]> {
  const revoked = await app.key(shop);
  await revokeApiKey(app.ctx, shop, { id: revoked.id });
  const expired = await app.key(shop, undefined, new Date(app.clock.now().getTime() + 1000));
  app.clock.advance(2000);
  const mistyped = `${shop.key.slice(0, -1)}${shop.key.endsWith("A") ? "B" : "A"}`;
  return [
    ["no key", null, "authentication_required"],
    ["garbage", "garbage", "api_key_invalid"],
    ["a key with a bad checksum", mistyped, "api_key_invalid"],
    ["a revoked key", revoked.key, "api_key_revoked"],
    ["an expired key", expired.key, "api_key_expired"],
  ];
}

const isForPeople = (route: RouteEntry) => route.config.scope === "session";

/** The credential that a caller would use on this route, from their own tenant. */
export function credentialOf({ owners }: Tenants, route: RouteEntry, world: SeededTenant): Credential {
  return isForPeople(route) ? (owners.get(world) as Api) : world.shop.key;
}

/** Sends the request of a route's line, with ids of one or several tenants. */
export async function send(app: TestApp, route: RouteEntry, given: { credential: Credential; aim: Aim }): Promise<Answer> {
  const { credential, aim } = given;
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
export function lesson(answer: Answer, sent: Ids): unknown {
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
export const hasCursor = (route: RouteEntry) => requestOf(route).cursor !== undefined;
export const takesPath = (route: RouteEntry) => hasProject(route) || hasId(route);

/** Whether the request of a route's line names an object of these ids, or only the one in its path. */
export function namesIn(route: RouteEntry, ids: Ids): boolean {
  const { body } = requestOf(route);
  return body !== undefined && JSON.stringify(body(ids)) !== JSON.stringify(body(missingOf(ids)));
}

const missing = new WeakMap<Ids, Ids>();

/** Missing ids in place of these. */
function missingOf(ids: Ids): Ids {
  const others = missing.get(ids) ?? ghostOf(ids);
  missing.set(ids, others);
  return others;
}

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
      applies: (route) => namesIn(route, own),
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

/** Sends the same attack at an existing target and at a missing one: it must be refused and reveal nothing. Returns the refusal. */
async function expectNothing({ app }: Tenants, route: RouteEntry, { attack, target }: { attack: Attempt; target: Ids }): Promise<Answer> {
  const ghost = missingOf(target);
  const real = await send(app, route, { credential: attack.key, aim: attack.aim(target) });
  const unreal = await send(app, route, { credential: attack.key, aim: attack.aim(ghost) });
  const learned = [lesson(real, target), lesson(unreal, ghost)] as const;
  // Nearly always so; expecting it thousands of times takes longer than comparing.
  if (attack.statuses.includes(real.status) && JSON.stringify(learned[0]) === JSON.stringify(learned[1])) return real;
  const about = `${route.method} ${route.url}, ${attack.what}: ${real.text.slice(0, 300)}`;
  expect(attack.statuses, about).toContain(real.status);
  expect(learned[0], about).toEqual(learned[1]);
  return real;
}

/** Which of several alike attackers try a route. */
type Share = <T>(among: readonly T[]) => readonly T[];

const start = randomInt(60);

/** One of them, another one for each route and in each run; the long form tries all of them on every route. */
export function oneInTurn(place: number): Share {
  return (among) => among.slice((start + place) % among.length).slice(0, 1);
}

/** Tries a route with strangers, keys without the permission and other tenants, each of which must be refused and learn nothing. */
export async function keepOut(tenants: Tenants, route: RouteEntry, share: Share): Promise<void> {
  const { victim, victimLive } = tenants;
  for (const [what, key, code] of share(tenants.strangers)) {
    const attack = { what, key, aim: (ids: Ids) => ({ path: ids }), statuses: [401] };
    const answer = await expectNothing(tenants, route, { attack, target: victim.ids });
    expect(answer.body.error.code, what).toBe(code);
  }
  await keepUnpermittedOut(tenants, route);
  for (const attacker of tenants.attackers.flatMap((group) => share(group))) await keepTenantOut(tenants, route, attacker);
  for (const { ids } of share([victim, victimLive])) await keepPersonOut(tenants, route, ids);
}

const isOpenToCalls = ({ config: { scope, alsoScopes = [] } }: RouteEntry) =>
  [scope, ...alsoScopes].some((one) => one?.startsWith("calls:") === true);

async function keepUnpermittedOut(tenants: Tenants, route: RouteEntry): Promise<void> {
  if (route.config.scope === "any_key") return;
  const { victim, callsOnly, domainsOnly } = tenants;
  const aim = (ids: Ids) => ({ project: victim.ids, path: ids });
  const attack = { what: "wrong scope", key: isOpenToCalls(route) ? domainsOnly : callsOnly, aim, statuses: [403] };
  await expectNothing(tenants, route, { attack, target: victim.ids });
}

async function keepTenantOut(tenants: Tenants, route: RouteEntry, [who, attacker, target]: Attacker): Promise<void> {
  const shared = attacker.shop.project_id === target.projectId;
  // A person belongs to the merchant and reaches all of it: both environments of every project.
  if (isForPeople(route) && attacker.shop.merchant_id === tenants.victim.shop.merchant_id) return;
  for (const attack of attacksOf(who, attacker, credentialOf(tenants, route, attacker))) {
    if (attack.applies(route) && !(shared && attack.isOfProject?.(route) === true)) await expectNothing(tenants, route, { attack, target });
  }
}

async function keepPersonOut(tenants: Tenants, route: RouteEntry, target: Ids): Promise<void> {
  // Routes that only admit people were already tried by a person: another owner.
  if (isForPeople(route)) return;
  const { otherOwner, owners } = tenants;
  for (const attack of attacksOf("a person of another merchant", otherOwner, owners.get(otherOwner) as Api))
    if (attack.applies(route)) await expectNothing(tenants, route, { attack, target });
}

/** Tries a public route with tokens that name nothing, all of which must be refused alike. */
export async function tryTokens({ app, victim }: Tenants, route: RouteEntry): Promise<void> {
  const ghost = ghostOf(victim.ids);
  const tokens = [ghost.token, "garbage", victim.ids.token.toUpperCase(), victim.ids.token.slice(0, -1)];
  const answers = await Promise.all(tokens.map((token) => send(app, route, { credential: null, aim: { path: { ...ghost, token } } })));
  for (const answer of answers) {
    expect(answer.status, answer.text).toBe(answers[0]?.status);
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    expect(answer.status, answer.text).toBeLessThan(500);
  }
}

/** Only the long form compares the database after each route: a row that one attack inserts and another deletes is only seen so. */
export async function expectUnchanged(tenants: Tenants, work: () => Promise<unknown>): Promise<void> {
  const before = tenants.left ?? (await fingerprintDatabase(tenants.app.ctx.db));
  tenants.left = null;
  await work();
  tenants.left = await fingerprintDatabase(tenants.app.ctx.db);
  expect(tenants.left, "something was written").toBe(before);
}
