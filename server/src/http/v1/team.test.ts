import { describe, expect, test } from "vitest";
import { addMember, createPerson, inviteMember, type Role } from "#identity/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, signIn, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp();
const refusals = refusalsIn(app);
const members = "/api/v1/merchant/members";
const invitations = "/api/v1/merchant/invitations";
let count = 0;

async function colleague(shop: TestTenant) {
  count += 1;
  const person = await createPerson(app.ctx, {
    email: `colleague${count}@example.com`,
    name: "Wu",
    password: testPassword,
    passwordWork: "light",
  });
  const { id } = await addMember(app.ctx, { merchant_id: shop.merchant_id, person_id: person.id, role: "viewer" });
  return { params: { id }, body: { role: "reviewer" } };
}

async function guest(shop: TestTenant) {
  count += 1;
  const by = { person_id: "usr_x", name: "Li", role: "owner" } as const;
  const { id } = await inviteMember(app.ctx, {
    merchant_id: shop.merchant_id,
    email: `guest${count}@example.com`,
    role: "viewer",
    language: "en",
    by,
  });
  return { params: { id } };
}

const cursors = { name: "a cursor that names nothing", query: "starting_after=mem_none", status: 400, code: "invalid_cursor" } as const;

refusals("GET /api/v1/merchant/members", () => ({}), [cursors]);
refusals("PATCH /api/v1/merchant/members/:id", colleague, [
  { name: "a role that is none", body: { role: "emperor" }, status: 400, code: "parameter_invalid", param: "role" },
  { name: "an old version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
]);
refusals("DELETE /api/v1/merchant/members/:id", async (shop) => ({ params: (await colleague(shop)).params }), [
  { name: "an old version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
  {
    name: "a key that they never made",
    query: "revoke_api_keys=key_none",
    status: 400,
    code: "parameter_invalid",
    param: "revoke_api_keys",
  },
]);
refusals("GET /api/v1/merchant/members/:id/api-keys", async (shop) => ({ params: (await colleague(shop)).params }));
refusals("GET /api/v1/merchant/invitations", () => ({}), [cursors]);
refusals("POST /api/v1/merchant/invitations", () => ({ body: { email: "new@example.com", role: "viewer" } }), [
  { name: "an address that is none", body: { email: "new", role: "viewer" }, status: 400, code: "parameter_invalid", param: "email" },
]);
refusals("DELETE /api/v1/merchant/invitations/:id", guest);

describe("the team", () => {
  test("retains an owner, and protects owners from admins", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    const admin = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
    const list = (await owner.api.get(members)).body.data as { id: string; person_id: string }[];
    const idOf = (personId: string) => list.find(({ person_id }) => person_id === personId)?.id ?? "";
    const change = (who: typeof owner, id: string, role: string) => who.api.call("PATCH", `${members}/${id}`, { body: { role } });
    expect(await change(owner, idOf(owner.id), "admin")).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict" } } });
    expect(await change(admin, idOf(owner.id), "viewer")).toMatchObject({ status: 403, body: { error: { code: "permission_denied" } } });
    expect(await change(admin, idOf(admin.id), "owner")).toMatchObject({ status: 403 });
    expect(await admin.api.post(invitations, { email: "x@example.com", role: "owner" })).toMatchObject({ status: 403 });
    expect(await admin.api.delete(`${members}/${idOf(owner.id)}`)).toMatchObject({ status: 403 });
    expect(await change(owner, idOf(admin.id), "owner")).toMatchObject({ status: 200, body: { role: "owner", version: 2 } });
    app.clock.advance(24 * 3_600_000);
    await admin.api.post("/api/auth/confirm", { password: testPassword });
    expect((await change(admin, idOf(owner.id), "viewer")).status).toBe(200);
    expect((await owner.api.post(invitations, { email: "y@example.com", role: "viewer" })).status).toBe(403);
  });

  test("prevents admins from changing people whom an owner invited as owners", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    const admin = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
    const invite = (who: typeof owner, role: string) => who.api.post(invitations, { email: "next@example.com", role });
    const { id } = (await invite(owner, "owner")).body;
    const denied = { status: 403, body: { error: { code: "permission_denied" } } };
    expect(await admin.api.delete(`${invitations}/${id}`)).toMatchObject(denied);
    expect(await invite(admin, "viewer")).toMatchObject(denied);
    expect((await admin.api.get(invitations)).body.data).toMatchObject([{ id, role: "owner" }]);
    expect((await owner.api.delete(`${invitations}/${id}`)).status).toBe(200);
    expect((await invite(admin, "viewer")).status).toBe(201);
  });

  test("sees the keys that a removed member created, and ends the selected ones in the same step", async () => {
    const shop = await app.tenant();
    const [owner, developer] = [
      await visitor(app, { merchant_id: shop.merchant_id }),
      await visitor(app, { merchant_id: shop.merchant_id, role: "developer" }),
    ];
    const keys = `/api/v1/projects/${shop.project_id}/api-keys`;
    const make = async (who: Visitor, environment: "test" | "live", name: string) =>
      (await who.in(environment).post(keys, { name, permissions: ["orders:read"], environment })).body as { id: string; secret: string };
    const [web, till, ended, foreign] = [
      await make(developer, "live", "Web shop"),
      await make(developer, "test", "Till"),
      await make(developer, "test", "Old"),
      await make(owner, "test", "Owner's"),
    ];
    await developer.in("test").delete(`${keys}/${ended.id}`);
    const { id } = (await owner.api.get(members)).body.data.find(({ person_id }: { person_id: string }) => person_id === developer.id);
    const namesOf = (list: { name: string; livemode: boolean }[]) => list.map(({ name, livemode }) => [name, livemode]);
    const listed = (await owner.api.get(`${members}/${id}/api-keys`)).body;
    expect(namesOf(listed.data)).toEqual([
      ["Till", false],
      ["Web shop", true],
    ]);
    expect(JSON.stringify(listed)).not.toContain(web.secret);
    const works = async (secret: string) => (await app.api(secret).get("/api/v1/orders")).status;
    expect(await owner.api.delete(`${members}/${id}?revoke_api_keys=${web.id}&revoke_api_keys=${foreign.id}`)).toMatchObject({
      status: 400,
    });
    expect([await works(web.secret), await works(till.secret)]).toEqual([200, 200]);
    const removed = await owner.api.delete(`${members}/${id}?revoke_api_keys=${web.id}`);
    expect(removed, removed.text).toMatchObject({ status: 200, body: { id, deleted: true, revoked_api_keys: [web.id] } });
    expect(namesOf(removed.body.api_keys)).toEqual([["Till", false]]);
    expect([await works(web.secret), await works(till.secret), await works(foreign.secret)]).toEqual([401, 200, 200]);
    const actions = (await owner.api.get("/api/v1/merchant/audit-log?limit=5")).body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["member.removed", "api_key.revoked"]));
  });

  test("keeps one of two owners who remove each other concurrently", async () => {
    const shop = await app.tenant();
    const [one, two] = [await visitor(app, { merchant_id: shop.merchant_id }), await visitor(app, { merchant_id: shop.merchant_id })];
    const list = (await one.api.get(members)).body.data as { id: string; person_id: string }[];
    const idOf = (personId: string) => list.find(({ person_id }) => person_id === personId)?.id ?? "";
    const answers = await Promise.all([one.api.delete(`${members}/${idOf(two.id)}`), two.api.delete(`${members}/${idOf(one.id)}`)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("grows by an invitation that works once, only for its address, and not after it was replaced or revoked", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const email = "guest@tea.example";
    const tokens = async () => (await openNotices(app, "invitation", email)).map(({ url }) => new URL(url).searchParams.get("token"));
    expect((await owner.api.post(invitations, { email, role: "reviewer" })).status).toBe(201);
    const second = await owner.api.post(invitations, { email, role: "reviewer", language: "zh" });
    const [replaced, token] = await tokens();
    const page = withHeaders(app, pageHeaders());
    const gone = { status: 400, body: { error: { code: "parameter_invalid", param: "token" } } };
    expect(await page.post("/api/auth/invitation", { token: replaced })).toMatchObject(gone);
    expect((await page.post("/api/auth/invitation", { token })).body).toMatchObject({
      email,
      role: "reviewer",
      language: "zh",
      has_account: false,
    });
    const stranger = withHeaders(app, pageHeaders((await visitor(app)).cookie));
    expect(await stranger.post("/api/auth/accept-invitation", { token })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict" } },
    });
    const accept = { token, name: "Guest", password: testPassword };
    const both = await Promise.all([page.post("/api/auth/accept-invitation", accept), page.post("/api/auth/accept-invitation", accept)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const cookie = await signIn(app, email, "203.0.113.77");
    const me = await withHeaders(app, pageHeaders(cookie)).get("/api/profile/me");
    expect(me.body).toMatchObject({ language: "zh", memberships: [{ merchant_id: shop.merchant_id, role: "reviewer" }] });
    expect((await owner.api.delete(`${invitations}/${second.body.id}`)).status).toBe(404);
  });

  test("doesn't grow by an invitation of someone who was removed or may not invite any more", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    const page = withHeaders(app, pageHeaders());
    const leave = async (role: Role, newRole: Role, work: (path: string) => Promise<{ status: number }>) => {
      const inviter = await visitor(app, { merchant_id: shop.merchant_id, role });
      const email = `asked-by-${inviter.id.slice(-6)}@tea.example`;
      const { id } = (await inviter.api.post(invitations, { email, role: newRole })).body;
      const member = (await owner.api.get(members)).body.data.find(({ person_id }: { person_id: string }) => person_id === inviter.id);
      expect((await work(`${members}/${member.id}`)).status).toBe(200);
      return { id, token: new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token") };
    };
    const remove = (path: string) => owner.api.delete(path);
    const become = (role: Role) => (path: string) => owner.api.call("PATCH", path, { body: { role } });
    const dead = [
      await leave("admin", "admin", remove),
      await leave("admin", "viewer", become("developer")),
      await leave("owner", "owner", become("admin")),
    ];
    const remaining = [await leave("owner", "viewer", become("admin")), await leave("admin", "viewer", become("owner"))];
    const gone = { status: 400, body: { error: { code: "parameter_invalid", param: "token" } } };
    for (const { token } of dead) {
      expect(await page.post("/api/auth/invitation", { token })).toMatchObject(gone);
      expect(await page.post("/api/auth/accept-invitation", { token, name: "Guest", password: testPassword })).toMatchObject(gone);
    }
    const open = (await owner.api.get(invitations)).body.data.map(({ id }: { id: string }) => id);
    expect(open.toSorted()).toEqual(remaining.map(({ id }) => id).toSorted());
    const log = (await owner.api.get("/api/v1/merchant/audit-log?action=invitation.revoked")).body.data;
    expect(log.map(({ object_id }: { object_id: string }) => object_id).toSorted()).toEqual(dead.map(({ id }) => id).toSorted());
    for (const { token } of remaining)
      expect((await page.post("/api/auth/accept-invitation", { token, name: "Guest", password: testPassword })).status).toBe(200);
  });

  test("doesn't grow by an invitation that survived its sender's removal unnoticed", async () => {
    const shop = await app.tenant();
    const email = "unseen@tea.example";
    const by = { person_id: "usr_gone", name: "Li", role: "owner" } as const;
    await inviteMember(app.ctx, { merchant_id: shop.merchant_id, email, role: "viewer", language: "en", by });
    const token = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token");
    const accepted = await withHeaders(app, pageHeaders()).post("/api/auth/accept-invitation", {
      token,
      name: "Guest",
      password: testPassword,
    });
    expect(accepted).toMatchObject({ status: 400, body: { error: { code: "parameter_invalid", param: "token" } } });
  });

  test("doesn't grow by an invitation older than seven days", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const email = "late@tea.example";
    await owner.api.post(invitations, { email, role: "viewer" });
    const token = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token");
    app.clock.advance(7 * 86_400_000);
    const page = withHeaders(app, pageHeaders());
    const gone = { status: 400, body: { error: { code: "parameter_invalid", param: "token" } } };
    expect(await page.post("/api/auth/invitation", { token })).toMatchObject(gone);
    expect(await page.post("/api/auth/accept-invitation", { token, name: "Late", password: testPassword })).toMatchObject(gone);
  });
});

test("owners are notified by email of every new, changed and removed owner and admin, including the removed one, and of no one else", async () => {
  const shop = await app.tenant();
  const [owner, other] = [await visitor(app, { merchant_id: shop.merchant_id }), await visitor(app, { merchant_id: shop.merchant_id })];
  const viewer = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
  const noticesOf = async (who: Visitor) =>
    (await openNotices(app, "team_changed", who.id)) as unknown as { email: string; before: string; after: string }[];
  const list = (await owner.api.get(members)).body.data as { id: string; person_id: string }[];
  const path = (who: Visitor) => `${members}/${list.find(({ person_id }) => person_id === who.id)?.id ?? ""}`;
  const become = (who: Visitor, role: string) => owner.api.call("PATCH", path(who), { body: { role } });
  const before = (await noticesOf(owner)).length;
  for (const role of ["reviewer", "admin", "owner", "admin", "viewer"]) expect((await become(viewer, role)).status).toBe(200);
  expect((await owner.api.delete(path(other))).status).toBe(200);
  const changes = (await noticesOf(owner)).slice(before).map(({ email, before: from, after }) => [email, from, after]);
  expect(changes).toEqual([
    [viewer.email, "reviewer", "admin"],
    [viewer.email, "admin", "owner"],
    [viewer.email, "owner", "admin"],
    [viewer.email, "admin", "viewer"],
    [other.email, "owner", null],
  ]);
  expect((await noticesOf(other)).at(-1)).toMatchObject({ email: other.email, before: "owner", after: null });
  expect((await noticesOf(viewer)).map(({ after }) => after)).toEqual(["admin"]);
});

test.each(["viewer", "owner"] as const)("the role %s that a member already has changes nothing and isn't audited", async (role) => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const other = await visitor(app, { merchant_id: shop.merchant_id, role });
  const find = async () => (await owner.api.get(members)).body.data.find(({ person_id }: { person_id: string }) => person_id === other.id);
  const before = await find();
  const notices = await openNotices(app, "team_changed", owner.id);
  expect(await owner.api.call("PATCH", `${members}/${before.id}`, { body: { role } })).toMatchObject({ status: 200, body: before });
  expect(await owner.api.call("PATCH", `${members}/${before.id}`, { body: { role }, headers: { "if-match": "7" } })).toMatchObject({
    status: 409,
  });
  expect(await find()).toEqual(before);
  expect((await owner.api.get("/api/v1/merchant/audit-log?action=member.role_changed")).body.data).toEqual([]);
  expect(await openNotices(app, "team_changed", owner.id)).toEqual(notices);
});

test("the cookie of a session is inaccessible to scripts and other sites", async () => {
  const li = await visitor(app);
  const reply = await withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", { email: li.email, password: testPassword });
  const [line = ""] = [reply.headers["set-cookie"] ?? []].flat() as string[];
  expect(line).toMatch(/^__Host-tillpost\.session_token=[^;]+;/);
  for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(line).toContain(part);
  expect(line).not.toContain("Domain");
  const token = decodeURIComponent(cookiesOf(reply.headers).split("=")[1] ?? "").split(".")[0] ?? "";
  expect(token.length).toBeGreaterThanOrEqual(32);
  expect(reply.text).not.toContain(token);
});
