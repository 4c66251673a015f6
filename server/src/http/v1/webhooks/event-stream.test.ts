import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changeMember, changeMerchant, listTeam, revokeApiKey } from "#identity/index.ts";
import { listen } from "#test/support/app/listen.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { pageHeaders, signIn, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome } from "#test/support/webhooks/webhook-world.ts";
import { fanOut } from "#webhooks/index.ts";
import { streamsPerKey } from "./event-stream.ts";

const app = await testApp({ egress: await localEgress(), http: { perMinuteUnauthenticated: 10_000, streamLookMs: 300 } });
const origin = await listen(app);

/** Opens a stream and answers when its end was seen. */
async function follow(tenant: TestTenant, headers: Record<string, string>) {
  const answer = await fetch(`${origin}/api/v1/projects/${tenant.project_id}/events/stream`, {
    headers,
    signal: AbortSignal.timeout(60_000),
  });
  expect(answer.status).toBe(200);
  let ended = false;
  void (async () => {
    for await (const _ of answer.body as unknown as AsyncIterable<Uint8Array>);
  })()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  return { ended: () => ended };
}

/** A merchant's owner and a member, with a stream each. */
async function twoReaders() {
  const tenant = await app.tenant();
  const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  const li = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
  const streams = { owner: await follow(tenant, pageHeaders(owner.cookie)), li: await follow(tenant, pageHeaders(li.cookie)) };
  return { tenant, owner, li, streams };
}

const memberOf = async (tenant: TestTenant, { id }: Visitor) =>
  (await listTeam(app.ctx, { merchant_id: tenant.merchant_id, limit: 100 })).rows.find(({ person_id }) => person_id === id)?.id ?? "";

type Readers = Awaited<ReturnType<typeof twoReaders>>;

const ends: [what: string, work: (readers: Readers) => Promise<unknown>][] = [
  ["they sign out", ({ li }) => li.api.post("/api/auth/sign-out")],
  [
    "they end the session elsewhere",
    async ({ li }) => {
      const elsewhere = withHeaders(app, pageHeaders(await signIn(app, li.email, "203.0.113.90")));
      return elsewhere.post("/api/profile/sessions/end-others", {});
    },
  ],
  [
    "their password is changed",
    ({ li }) => li.api.post("/api/auth/change-password", { current_password: testPassword, new_password: "another good one" }),
  ],
  ["their role is changed", async ({ tenant, li }) => changeMember(app.ctx, { ...(await attempt(tenant, li)), role: "viewer" })],
  [
    "they are taken out of the team",
    async ({ tenant, owner, li }) => owner.api.delete(`/api/v1/merchant/members/${await memberOf(tenant, li)}`),
  ],
];

const attempt = async (tenant: TestTenant, who: Visitor) => ({
  ...{ merchant_id: tenant.merchant_id, member_id: await memberOf(tenant, who) },
  ...{ by_role: "owner" as const, if_version: null },
});

describe.concurrent("a stream of events ends within seconds", () => {
  // Tests that run at once each need their own `expect`: the shared one polls for whichever began last.
  test.for(ends)("for a person only, when %s", async ([, doIt], { expect }) => {
    const readers = await twoReaders();
    await doIt(readers);
    await expect.poll(readers.streams.li.ended).toBe(true);
    expect(readers.streams.owner.ended()).toBe(false);
  });

  test("for a key, when it is revoked or has expired", async ({ expect }) => {
    const tenant = await app.tenant();
    const [valid, revoked] = [await app.key(tenant), await app.key(tenant)];
    const expiring = await app.key(tenant, undefined, new Date(app.ctx.now().getTime() + 60_000));
    const [one, two, three] = await Promise.all(
      [valid, revoked, expiring].map(({ key }) => follow(tenant, { authorization: `Bearer ${key}` })),
    );
    await revokeApiKey(app.ctx, tenant, { id: revoked.id });
    await expect.poll(() => two?.ended()).toBe(true);
    expect(three?.ended()).toBe(false);
    app.clock.advance(60_001);
    await expect.poll(() => three?.ended()).toBe(true);
    expect(one?.ended()).toBe(false);
  });

  test("for a key, when it may no longer read events or no longer from that address", async ({ expect }) => {
    const tenant = await app.tenant();
    const owner = await visitor(app, { merchant_id: tenant.merchant_id });
    const changes = [
      { name: "renamed" },
      { allowed_ips: ["127.0.0.1", "::1"] },
      { permissions: ["webhooks:read"] },
      { permissions: ["orders:read"] },
      { allowed_ips: ["192.0.2.1"] },
    ];
    const keys = await Promise.all(changes.map(() => app.key(tenant)));
    const streams = await Promise.all(keys.map(({ key }) => follow(tenant, { authorization: `Bearer ${key}` })));
    for (const [index, body] of changes.entries()) {
      const path = `/api/v1/projects/${tenant.project_id}/api-keys/${keys[index]?.id}`;
      expect((await owner.api.call("PATCH", path, { body })).status).toBe(200);
    }
    await expect.poll(() => streams.map(({ ended }) => ended())).toEqual([false, false, false, true, true]);
  });

  test("for a person without a second step, when their team requires one", async ({ expect }) => {
    const { tenant, streams } = await twoReaders();
    const ofKey = await follow(tenant, { authorization: `Bearer ${tenant.key}` });
    await changeMerchant(app.ctx, { merchant_id: tenant.merchant_id, if_version: null, second_step_required: true });
    await expect.poll(() => [streams.owner.ended(), streams.li.ended()]).toEqual([true, true]);
    expect(ofKey.ended()).toBe(false);
  });
});

test("a key can have as many streams open as the guide says, and no more", async () => {
  const guide = readFileSync(new URL("../../../../../docs/webhooks.md", import.meta.url), "utf8");
  expect(guide).toContain(`A key can hold ${streamsPerKey} streams open.`);
  const tenant = await app.tenant();
  const { key } = await app.key(tenant);
  const open = () => fetch(`${origin}/api/v1/projects/${tenant.project_id}/events/stream`, { headers: { authorization: `Bearer ${key}` } });
  const streams = await Promise.all(Array.from({ length: streamsPerKey }, open));
  const beyond = await open();
  expect([
    streams.every(({ status }) => status === 200),
    beyond.status,
    ((await beyond.json()) as { error: { code: string } }).error.code,
  ]).toEqual([true, 429, "concurrency_limited"]);
  await Promise.all(streams.map(({ body }) => body?.cancel()));
});

test("a key that opens twice as many streams at once gets no more of them either, and has its places back when they are closed", async () => {
  const tenant = await app.tenant();
  const { key } = await app.key(tenant);
  const open = () => fetch(`${origin}/api/v1/projects/${tenant.project_id}/events/stream`, { headers: { authorization: `Bearer ${key}` } });
  const close = (streams: Response[]) => Promise.all(streams.map(({ body }) => body?.cancel()));
  const streams = await Promise.all(Array.from({ length: 2 * streamsPerKey }, open));
  const statuses = streams.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(streamsPerKey).fill(200), ...Array<number>(streamsPerKey).fill(429)]);
  await close(streams);
  await eventually("a stream opens again", async () => {
    const again = await open();
    await close([again]);
    return again.status === 200;
  });
});

/** Follows a stream from now on; the answer waits for so many events of it. */
async function readEvents(url: string, key: string): Promise<(count: number) => Promise<Record<string, unknown>[]>> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(60_000) });
  expect(answer.status).toBe(200);
  return async (count) => {
    let text = "";
    const parts = answer.body as unknown as AsyncIterable<Uint8Array>;
    const events = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    for await (const part of parts) {
      text += Buffer.from(part).toString("utf8");
      if (text.endsWith("\n\n") && events().length >= count) break;
    }
    return events();
  };
}

test("a test event is in no stream unless requested", async () => {
  const tenant = await app.tenant({ livemode: true });
  const project = `/api/v1/projects/${tenant.project_id}`;
  const shop = await receiver();
  const api = app.api(tenant.key);
  const { id } = (await api.post(`${project}/webhooks`, { url: `${shop.url}/hook`, events: ["*"] })).body;
  const open = (query: string) => readEvents(`${origin}${project}/events/stream${query}`, tenant.key);
  const [plain, withTests] = [await open(""), await open("?include=tests")];
  const { event_id } = (await api.post(`${project}/webhooks/${id}/test`, { event: "order.paid" })).body;
  // What comes after it shows that the stream has passed it by.
  await emitSome(app.ctx, tenant);
  await fanOut(app.ctx);
  const [first, second] = await withTests(2);
  expect([first, second]).toMatchObject([
    { id: event_id, test: true, livemode: false },
    { event: "order.paid", livemode: true },
  ]);
  expect(await plain(1)).toEqual([second]);
});
