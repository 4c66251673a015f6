import { describe, expect, test } from "vitest";
import type { Role } from "#identity/index.ts";
import { accountFields, worldGateways } from "#test/routes/world.ts";
import type { Api } from "#test/support/app/api.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, signIn, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ gateways: worldGateways });
const members = "/api/v1/merchant/members";
const invitations = "/api/v1/merchant/invitations";
let count = 0;

const emailIn = (notice: object) => ("email" in notice ? String(notice.email) : "");

describe("a new owner in addition to others", () => {
  const denied = { status: 403, body: { error: { code: "permission_denied", reason: "new_owner" } } };
  const join = async (shop: TestTenant, inviter: Visitor, role: Role = "owner") => {
    count += 1;
    const email = `new-owner${count}@example.com`;
    expect((await inviter.api.post(invitations, { email, role })).status).toBe(201);
    const token = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token");
    const page = withHeaders(app, pageHeaders());
    expect((await page.post("/api/auth/accept-invitation", { token, name: "Wu", password: testPassword })).status).toBe(200);
    const enter = async () => {
      const cookie = await signIn(app, email, `203.0.113.${count}`);
      return (environment: string) => withHeaders(app, pageHeaders(cookie, { "tillpost-environment": environment }));
    };
    const member = (await inviter.api.get(members)).body.data.find((one: { email: string }) => one.email === email);
    return { email, enter, member, path: `/api/v1/projects/${shop.project_id}` };
  };
  const code = { qr_payload: "wxp://f2f0TILLPOSTdemoTILLPOSTdemoTILLPOSTdemo", payee_name: "Tea (*u)" };

  test.each(["owner", "admin"] as const)(
    "who joins by an invitation as %s is reported by email to every owner there, and to no one else",
    async (role) => {
      const shop = await app.tenant();
      const owners = [await visitor(app, { merchant_id: shop.merchant_id }), await visitor(app, { merchant_id: shop.merchant_id })];
      const admin = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
      const { email, member } = await join(shop, owners[0] as Visitor, role);
      const reviewer = await join(shop, owners[1] as Visitor, "reviewer");
      const noticesOf = async (id: string) =>
        (await openNotices(app, "team_changed", id)).filter((one) => [email, reviewer.email].includes(emailIn(one)));
      const news = { before: null, after: role, email, new_owner_until: member.new_owner_until };
      for (const { id } of owners) expect(await noticesOf(id)).toMatchObject([news]);
      for (const id of [admin.id, member.person_id]) expect(await noticesOf(id)).toEqual([]);
      expect(member.new_owner_until === null).toBe(role !== "owner");
    },
  );

  test("changes no LIVE code, LIVE key, LIVE gateway account or owner for a day, and all of them after it", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const other = await visitor(app, { merchant_id: shop.merchant_id });
    const { enter, member, path } = await join(shop, owner);
    expect(member.new_owner_until).toBe(new Date(app.clock.now().getTime() + 24 * 3_600_000).toISOString());
    const list = (await owner.api.get(members)).body.data as { id: string; person_id: string }[];
    const idOf = (person: Visitor) => list.find(({ person_id }) => person_id === person.id)?.id ?? "";
    const open = (await owner.api.post(invitations, { email: `asked${count}@example.com`, role: "owner" })).body.id;
    const attempt = async () => {
      const wu = await enter();
      const key = { name: "Till", permissions: ["orders:read"] };
      return {
        testKey: await wu("test").post(`${path}/api-keys`, key),
        key: await wu("live").post(`${path}/api-keys`, key),
        testAccount: await wu("test").post(`${path}/gateways/testpay/credentials`, { fields: accountFields({ livemode: false }) }),
        account: await wu("live").post(`${path}/gateways/testpay/credentials`, { fields: accountFields({ livemode: true }) }),
        testCode: await wu("test").put(`${path}/collection-profiles/wechat`, code),
        code: await wu("live").put(`${path}/collection-profiles/wechat`, code),
        invitation: await wu("live").post(invitations, { email: `more${count}@example.com`, role: "owner" }),
        withdrawal: await wu("live").delete(`${invitations}/${open}`),
        demotion: await wu("live").call("PATCH", `${members}/${idOf(owner)}`, { body: { role: "admin" } }),
        removal: await wu("live").delete(`${members}/${idOf(other)}`),
        viewer: await wu("live").post(invitations, { email: `viewer${count}@example.com`, role: "viewer" }),
      };
    };
    const early = await attempt();
    for (const name of ["key", "account", "code", "invitation", "withdrawal", "demotion", "removal"] as const)
      expect([name, early[name]]).toMatchObject([name, denied]);
    for (const name of ["testKey", "testAccount", "testCode", "viewer"] as const) expect(early[name].status, name).toBeLessThan(300);
    app.clock.advance(24 * 3_600_000 - 60_000);
    expect(await (await enter())("live").post(`${path}/api-keys`, { name: "Till", permissions: [] })).toMatchObject(denied);
    app.clock.advance(60_000);
    const late = await attempt();
    for (const [name, { status, text }] of Object.entries(late)) expect(status, `${name}: ${text}`).toBeLessThan(300);
  });

  test("doesn't bypass the day by giving the role up, and one who was promoted waits too", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const admin = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
    const { enter, member, path } = await join(shop, owner);
    const wu = await enter();
    expect((await wu("live").call("PATCH", `${members}/${member.id}`, { body: { role: "admin" } })).status).toBe(200);
    expect(await wu("live").put(`${path}/collection-profiles/wechat`, code)).toMatchObject(denied);
    const promoted = (await owner.api.get(members)).body.data.find(({ person_id }: { person_id: string }) => person_id === admin.id);
    expect((await admin.in("live").put(`${path}/collection-profiles/wechat`, code)).status).toBe(200);
    expect((await owner.api.call("PATCH", `${members}/${promoted.id}`, { body: { role: "owner" } })).status).toBe(200);
    expect(await admin.in("live").put(`${path}/collection-profiles/alipay`, code)).toMatchObject(denied);
  });

  test("creates no LIVE key by a request in TEST", async () => {
    const shop = await app.tenant();
    const { enter, path } = await join(shop, await visitor(app, { merchant_id: shop.merchant_id }));
    const key = { name: "Till", permissions: ["orders:read"], environment: "live" };
    expect(await (await enter())("test").post(`${path}/api-keys`, key)).toMatchObject(denied);
    app.clock.advance(24 * 3_600_000);
    expect((await (await enter())("test").post(`${path}/api-keys`, key)).status).toBe(201);
  });

  test("bypasses the day through no one whom they invite or promote", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const viewer = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
    const { enter, member, path } = await join(shop, owner);
    const next = await join(shop, { ...owner, api: (await enter())("live") }, "admin");
    expect(next.member).toMatchObject({ role: "admin", new_owner_until: member.new_owner_until });
    const key = { name: "Till", permissions: ["orders:read"] };
    const tries = async (who: (environment: string) => Api) => [
      await who("live").put(`${path}/collection-profiles/wechat`, code),
      await who("live").post(`${path}/api-keys`, key),
      await who("test").post(`${path}/api-keys`, { ...key, environment: "live" }),
    ];
    for (const reply of await tries(await next.enter())) expect(reply).toMatchObject(denied);
    const list = (await owner.api.get(members)).body.data as { id: string; person_id: string }[];
    const id = list.find(({ person_id }) => person_id === viewer.id)?.id;
    expect((await (await next.enter())("live").call("PATCH", `${members}/${id}`, { body: { role: "admin" } })).status).toBe(200);
    for (const reply of await tries((environment) => viewer.in(environment as "test"))) expect(reply).toMatchObject(denied);
    app.clock.advance(24 * 3_600_000);
    for (const { status, text } of await tries(await next.enter())) expect(status, text).toBeLessThan(300);
  });
});
