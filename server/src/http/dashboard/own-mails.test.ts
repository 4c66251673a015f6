import { expect, test } from "vitest";
import { sendNotices } from "#notices/index.ts";
import { notice } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { pageHeaders, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn } from "#test/support/refusals/people-refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = peopleRefusalsIn(app);

/** A mail of the installation's own to an address; answers its id. */
async function ownMail(address: string): Promise<string> {
  const params = { language: "en", url: `${app.ctx.publicUrl}/dashboard/reset-password?token=s3cret` };
  await app.ctx.transact((tx) => notice(tx, app.ctx, { kind: "password_reset", recipient: address, params }));
  await sendNotices(app.ctx);
  const list = await operator.api.get(`/api/admin/emails?to=${encodeURIComponent(address)}`);
  return list.body.data[0].id;
}

const operator = await visitor(app, { is_operator: true });

refusals("GET /api/admin/emails", () => ({}), [
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=em_none", status: 400, code: "invalid_cursor" },
]);
refusals("GET /api/admin/emails/:id", async () => ({ params: { id: await ownMail("someone@corner.books") } }));

test("an operator finds the system emails and reads one, which is recorded in the audit log", async () => {
  const id = await ownMail("li@corner.books");
  const list = await operator.api.get("/api/admin/emails?to=li@corner.books");
  expect(list.body.data).toMatchObject([{ id, subject: "Choose a new password", to: "li@corner.books" }]);
  expect(list.text).not.toContain("s3cret");
  const reader = await visitor(app, { is_operator: true });
  const read = await reader.api.get(`/api/admin/emails/${id}`);
  expect(read).toMatchObject({ status: 200, body: { id, livemode: true } });
  expect(read.body.text).toContain("reset-password?token=s3cret");
  const log = await operator.api.get(`/api/admin/audit-log?object_id=${id}`);
  expect(log.body.data).toMatchObject([{ action: "own_mail.read", actor_id: reader.id }]);
});

test.each(["relay", "mx"] as const)("once email leaves by %s, no operator reads a link that opens an account", async (transport) => {
  const away = await testApp({ http: { perMinuteUnauthenticated: 10_000 }, mail: { transport } });
  const reader = await visitor(away, { is_operator: true });
  const url = `${away.ctx.publicUrl}/dashboard/any?token=s3cret`;
  const params: Record<string, object> = {
    password_reset: { url },
    email_verification: { url },
    invitation: { url, merchant_name: "Corner Books" },
    sign_up_again: { url: `${away.ctx.publicUrl}/dashboard/` },
    sign_in_alert: { at: "2026-11-20T08:00:00Z" },
  };
  const shown: Record<string, unknown> = {};
  for (const [kind, more] of Object.entries(params)) {
    const recipient = `${kind}@corner.books`;
    await away.ctx.transact((tx) => notice(tx, away.ctx, { kind, recipient, params: { language: "en", ...more } }));
    await sendNotices(away.ctx);
    const [found] = (await reader.api.get(`/api/admin/emails?to=${recipient}`)).body.data;
    const read = await reader.api.get(`/api/admin/emails/${found.id}`);
    expect(read.text).not.toContain("s3cret");
    shown[kind] = [read.body.body_withheld, read.body.body_expired, read.body.text !== null, read.body.html !== null];
  }
  const [withheld, open] = [
    [true, false, false, false],
    [false, false, true, true],
  ];
  expect(shown).toEqual({
    password_reset: withheld,
    email_verification: withheld,
    invitation: withheld,
    sign_up_again: open,
    sign_in_alert: open,
  });
});

test("a merchant's people and keys find none of them", async () => {
  const shop = await app.tenant({ livemode: true });
  const owner = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
  const id = await ownMail("owner@corner.books");
  expect((await app.api(shop.key).get("/v1/emails")).body.data).toEqual([]);
  expect((await app.api(shop.key).get(`/v1/emails/${id}`)).status).toBe(404);
  expect((await owner.in("live").get(`/v1/emails/${id}`)).status).toBe(404);
  expect((await owner.in("live").get(`/v1/emails/${id}/source`)).status).toBe(404);
  expect((await withHeaders(app, pageHeaders()).get(`/api/admin/emails/${id}`)).status).toBe(401);
});
