import { expect, test } from "vitest";
import { sendNotices } from "#notices/index.ts";
import { notice } from "#platform/index.ts";
import { house } from "#test/house.ts";
import { peopleRefusalsIn } from "#test/people-refusals.ts";
import { pageHeaders, visitor, withHeaders } from "#test/visitors.ts";

const home = await house({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = peopleRefusalsIn(home);

/** A mail of the installation's own to an address; answers its id. */
async function ownMail(address: string): Promise<string> {
  const params = { language: "en", url: `${home.ctx.publicUrl}/dashboard/reset-password?token=s3cret` };
  await home.ctx.transact((tx) => notice(tx, home.ctx, { kind: "password_reset", recipient: address, params }));
  await sendNotices(home.ctx);
  const list = await operator.api.get(`/api/admin/emails?to=${encodeURIComponent(address)}`);
  return list.body.data[0].id;
}

const operator = await visitor(home, { is_operator: true });

refusals("GET /api/admin/emails", () => ({}), [
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=em_none", status: 400, code: "invalid_cursor" },
]);
refusals("GET /api/admin/emails/:id", async () => ({ params: { id: await ownMail("someone@corner.books") } }));

test("an operator finds the installation's own mails and reads one, which the audit log remembers", async () => {
  const id = await ownMail("li@corner.books");
  const list = await operator.api.get("/api/admin/emails?to=li@corner.books");
  expect(list.body.data).toMatchObject([{ id, subject: "Choose a new password", to: "li@corner.books" }]);
  expect(list.text).not.toContain("s3cret");
  const reader = await visitor(home, { is_operator: true });
  const read = await reader.api.get(`/api/admin/emails/${id}`);
  expect(read).toMatchObject({ status: 200, body: { id, livemode: true } });
  expect(read.body.text).toContain("reset-password?token=s3cret");
  const log = await operator.api.get(`/api/admin/audit-log?object_id=${id}`);
  expect(log.body.data).toMatchObject([{ action: "own_mail.read", actor_id: reader.id }]);
});

test("a merchant's people and keys find none of them", async () => {
  const shop = await home.tenant({ livemode: true });
  const owner = await visitor(home, { merchant_id: shop.merchant_id, role: "owner" });
  const id = await ownMail("owner@corner.books");
  expect((await home.api(shop.key).get("/v1/emails")).body.data).toEqual([]);
  expect((await home.api(shop.key).get(`/v1/emails/${id}`)).status).toBe(404);
  expect((await owner.in("live").get(`/v1/emails/${id}`)).status).toBe(404);
  expect((await owner.in("live").get(`/v1/emails/${id}/source`)).status).toBe(404);
  expect((await withHeaders(home, pageHeaders()).get(`/api/admin/emails/${id}`)).status).toBe(401);
});
