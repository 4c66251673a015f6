import { expect, test } from "vitest";
import { createPerson, inviteMember } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open", perMinuteUnauthenticated: 10_000 } });
const page = withHeaders(app, pageHeaders());
const weak = (param: string) => ({
  status: 400,
  body: { error: { code: "parameter_invalid", param, message: expect.stringContaining("too easy to guess") } },
});
const tokenIn = async (kind: string, email: string) =>
  new URL((await openNotices(app, kind, email)).at(-1)?.url ?? "").searchParams.get("token") ?? "";

test("no one signs up with a password that is easy to guess, known address or not", async () => {
  const li = await visitor(app);
  const texts: string[] = [];
  for (const email of ["tea.house@example.com", li.email]) {
    const reply = await page.post("/api/auth/sign-up/email", {
      email,
      name: "Li",
      merchant_name: "Harbour Lane",
      password: "Harbour-Lane!",
    });
    expect(reply).toMatchObject(weak("password"));
    texts.push(reply.text.replace(/req_\w+/, ""));
  }
  expect(texts[0]).toBe(texts[1]);
  expect(await openNotices(app, "email_verification", "tea.house@example.com")).toEqual([]);
});

test("no one changes theirs to one, and the session continues", async () => {
  const li = await visitor(app);
  const change = (new_password: string, current_password = "correct horse battery") =>
    li.api.post("/api/auth/change-password", { current_password, new_password });
  for (const text of ["aaaaaaaaaa", "1234567890", `${li.email}`]) expect(await change(text)).toMatchObject(weak("new_password"));
  expect(await change("another good one", "wrong")).toMatchObject({ status: 400, body: { error: { param: "current_password" } } });
  expect((await li.api.get("/api/profile/me")).status).toBe(200);
});

test("no one resets theirs to one, including their own address, and the emailed link is still valid for a better one", async () => {
  const email = "harbour.lane@example.com";
  await createPerson(app.ctx, { email, name: "Wu", password: "correct horse battery", passwordWork: "light" });
  await page.post("/api/auth/request-password-reset", { email });
  const token = await tokenIn("password_reset", email);
  for (const new_password of ["qwertyuiop", "harbourlane1"])
    expect(await page.post("/api/auth/reset-password", { token, new_password })).toMatchObject(weak("new_password"));
  expect((await page.post("/api/auth/sign-in/email", { email, password: "harbourlane1" })).status).toBe(401);
  expect((await page.post("/api/auth/reset-password", { token, new_password: "another good one" })).status).toBe(200);
});

test("no one joins with one, and the invitation stays open", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const by = { person_id: owner.id, name: "Li", role: "owner" } as const;
  const email = "guest@tea.example";
  await inviteMember(app.ctx, { merchant_id: shop.merchant_id, email, role: "viewer", language: "en", by });
  const token = await tokenIn("invitation", email);
  const join = (password: string) => page.post("/api/auth/accept-invitation", { token, name: "Guest", password });
  expect(await join("Corner Books 1")).toMatchObject(weak("password"));
  expect((await join("tea at seven, rain")).status).toBe(200);
});

test("the command line creates no account with one", async () => {
  const made = createPerson(app.ctx, { email: "op@example.com", name: "Op", password: "aaaaaaaaaa", passwordWork: "light" });
  await expect(made).rejects.toMatchObject({ code: "parameter_invalid", extras: { param: "password" } });
});
