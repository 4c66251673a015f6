import { describe, expect, test } from "vitest";
import { inviteMember } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open" } });
const name = "support@bank.com (Bank)";
const refused = (param: string) => ({
  status: 400,
  body: { error: { code: "parameter_invalid", param, message: "A name can't contain an email address." } },
});

describe("a name that appears in emails contains no one's address", () => {
  test("of people and businesses, on every route", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
    const page = withHeaders(app, pageHeaders());
    const person = { email: "mallory@tea.example", password: testPassword };
    const both = await page.post("/api/auth/sign-up/email", { ...person, name, merchant_name: name });
    expect(both).toMatchObject(refused("name"));
    expect(both.body.error.details.map(({ param }: { param: string }) => param)).toEqual(["name", "merchant_name"]);
    expect(await page.post("/api/auth/sign-up/email", { ...person, name: "Mallory", merchant_name: name })).toMatchObject(
      refused("merchant_name"),
    );
    expect(await owner.api.call("PATCH", "/api/profile/me", { body: { name } })).toMatchObject(refused("name"));
    expect(await owner.api.call("PATCH", "/api/v1/merchant", { body: { display_name: name } })).toMatchObject(refused("display_name"));
    const by = { person_id: owner.id, name: "Li", role: "owner" } as const;
    await inviteMember(app.ctx, { merchant_id: shop.merchant_id, email: "guest@tea.example", role: "viewer", language: "en", by });
    const token = new URL((await openNotices(app, "invitation", "guest@tea.example"))[0]?.url ?? "").searchParams.get("token");
    expect(await page.post("/api/auth/accept-invitation", { token, name, password: testPassword })).toMatchObject(refused("name"));
    expect((await page.post("/api/auth/accept-invitation", { token, name: "Guest @ Tea", password: testPassword })).status).toBe(200);
  });

  test("of projects and what buyers see of them", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const projects = "/api/v1/projects";
    expect(await owner.api.post(projects, { name, default_currency: "CNY" })).toMatchObject(refused("name"));
    const change = (body: object) => owner.api.call("PATCH", `${projects}/${shop.project_id}`, { body });
    expect(await change({ name })).toMatchObject(refused("name"));
    expect(await change({ settings: { branding: { display_name: name } } })).toMatchObject(refused("settings.branding.display_name"));
  });

  test("of API keys, whose names are emailed to the owners", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const keys = `/api/v1/projects/${shop.project_id}/api-keys`;
    const key = { name: "shop.example 2", permissions: ["orders:read"], environment: "test" };
    expect(await owner.api.post(keys, { ...key, name })).toMatchObject(refused("name"));
    const made = await owner.api.post(keys, key);
    expect(made.status).toBe(201);
    expect(await owner.api.call("PATCH", `${keys}/${made.body.id}`, { body: { name } })).toMatchObject(refused("name"));
  });

  test("of senders and recipients of email", async () => {
    const shop = await app.tenant();
    const mail = { from: `"${name}" <shop@tillpost.example>`, to: "ada@lovelace.dev", subject: "Hi", text: "Hi" };
    expect(await app.api(shop.key).post("/v1/emails", mail)).toMatchObject(refused("from"));
    const own = { ...mail, from: '"shop@tillpost.example" <shop@tillpost.example>' };
    expect((await app.api(shop.key).post("/v1/emails", own)).status).toBe(201);
  });
});
