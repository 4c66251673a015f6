import { expect, test } from "vitest";
import { addMember, createMerchant, createPerson, inviteMember } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const shop = await app.tenant();
const operator = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
const by = { person_id: operator.id, name: "Li", role: "owner" } as const;

for (let n = 0; n < 5; n += 1) {
  const person = await createPerson(app.ctx, {
    email: `colleague${n}@example.com`,
    name: "Wu",
    password: testPassword,
    passwordWork: "light",
  });
  await addMember(app.ctx, { merchant_id: shop.merchant_id, person_id: person.id, role: "viewer" });
  await inviteMember(app.ctx, { merchant_id: shop.merchant_id, email: `guest${n}@example.com`, role: "viewer", language: "en", by });
  const { tenant, order } = await payShop(app);
  const { order: made } = await order({ amount_minor: 5000 });
  const base = `/api/v1/projects/${tenant.project_id}/orders/${made.id}`;
  await app.api(tenant.key).post(`${base}/payments`, { gateway: "wechatpay" });
  await app.api(tenant.key).post(`${base}/voucher`, { transaction_reference: "4200002156" });
}

/** Every id of a list, two at a time. */
async function walk(path: string, cursor: "starting_after" | "ending_before", from?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = from ?? null, more = true; more; ) {
    const { status, body, text } = await operator.api.get(`${path}?limit=2${next === null ? "" : `&${cursor}=${next}`}`);
    expect(status, text).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(2);
    const page = body.data.map(({ id }: { id: string }) => id);
    if (cursor === "starting_after") ids.push(...page);
    else ids.unshift(...page);
    next = body.next_cursor;
    more = body.has_more;
    expect(more).toBe(next !== null);
  }
  return ids;
}

test.each(["/api/v1/merchant/members", "/api/v1/merchant/invitations", "/api/admin/merchants", "/api/admin/proofs"])(
  "%s is paged both ways",
  async (path) => {
    const all = ((await operator.api.get(`${path}?limit=100`)).body.data as { id: string }[]).map(({ id }) => id);
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect(await walk(path, "starting_after")).toEqual(all);
    expect(await walk(path, "ending_before", all.at(-1))).toEqual(all.slice(0, -1));
    for (const cursor of ["starting_after", "ending_before"]) {
      expect(await operator.api.get(`${path}?${cursor}=mer_none`)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_cursor", param: cursor } },
      });
    }
    const both = await operator.api.get(`${path}?starting_after=${all[0]}&ending_before=${all[1]}`);
    expect(both).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict" } } });
    expect((await operator.api.get(`${path}?limit=101`)).status).toBe(400);
  },
);

test("a cursor of another merchant is invalid", async () => {
  const other = await app.tenant();
  const stranger = await visitor(app, { merchant_id: other.merchant_id });
  const [foreign] = (await operator.api.get("/api/v1/merchant/members")).body.data;
  expect(await stranger.api.get(`/api/v1/merchant/members?starting_after=${foreign.id}`)).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_cursor" } },
  });
});

test("a merchant is found by its id, whatever others are called", async () => {
  const { merchant_id } = await app.tenant();
  for (let n = 0; n < 3; n += 1) await createMerchant(app.ctx, { display_name: `${merchant_id} ${n}` });
  expect(await operator.api.get(`/api/admin/merchants/${merchant_id}`)).toMatchObject({ status: 200, body: { id: merchant_id } });
});

test("the audit log respects each of its four time bounds", async () => {
  const at = app.ctx.now();
  const count = async (bound: string, instant: Date) =>
    (await operator.api.get(`/api/v1/merchant/audit-log?limit=100&action=member&created[${bound}]=${instant.toISOString()}`)).body.data
      .length;
  const all = await count("gte", at);
  expect(all).toBeGreaterThan(0);
  expect([await count("gt", at), await count("lt", at), await count("lte", at)]).toEqual([0, 0, all]);
});
