import { describe, expect, test } from "vitest";
import { listen } from "../../../server/test/support/app/listen.ts";
import { testApp } from "../../../server/test/support/app/test-app.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const {
  app,
  browser,
  look: { onPhone, ...look },
  say,
  origin,
} = await dashboardApp({ http: { signUp: "open" } });
const sending = await testApp({ http: { perMinuteUnauthenticated: 10_000, signUp: "open" }, mail: { transport: "relay" } });
const noMail = say("This server doesn't send email yet", "此服务器尚未启用邮件发送");
/** The root of a project's screens. */
const rootOf = (url: string) => (url.split(/[?#]/, 1)[0] ?? "").replace(/\/$/, "");

describe("if no email leaves the server, everyone who relies on it sees that", () => {
  test("before signing up, resetting a password, and on an expired link", async () => {
    const { page } = await openDashboard(browser, { origin, look, onPhone });
    for (const path of ["sign-up", "forgot-password", "verify-email?token=none"]) {
      await page.goto(`${origin}/dashboard/${path}`);
      await page.getByText(noMail).waitFor();
      await expectAccessible(page);
    }
    await page.goto(`${origin}/dashboard/forgot-password`);
    await page.getByLabel(say("Email", "邮箱")).fill("li@tea.example");
    await page.getByRole("button", { name: say("Send link", "发送链接") }).click();
    await page.getByRole("button", { name: say("Send link", "发送链接") }).waitFor({ state: "detached" });
    expect(await page.locator("main").textContent()).not.toContain(say("on its way", "已发送"));
    const elsewhere = await listen(sending);
    await page.goto(`${elsewhere}/dashboard/forgot-password`);
    await page.getByText(say("We'll email you a link", "我们会")).waitFor();
    expect(await page.getByText(noMail).count()).toBe(0);
  });

  test("above LIVE messages and batches, in lists and individually", async () => {
    const shop = await app.tenant({ livemode: true });
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const mail = { from: "shop@tillpost.example", to: "ada@lovelace.dev", subject: "Hi", text: "Hi" };
    const batch = await app.api(shop.key).post("/v1/emails/batch", [mail]);
    expect(batch.status, batch.text).toBe(201);
    const { page } = await openDashboard(browser, { origin, look, onPhone, email: owner.email });
    await page.goto(`${origin}/dashboard`);
    await page.waitForURL(/\/dashboard\/.+/);
    const root = rootOf(page.url()).replace(/\/test(?=\/|$)/, "/live");
    for (const path of ["messages", `messages/${batch.body.data[0].id}`, "batches", `batches/${batch.body.batch_id}`]) {
      await page.goto(`${root}/${path}`);
      await page.locator("main .note").getByText(noMail).waitFor();
      await expectAccessible(page);
    }
    await page.goto(`${root.replace(/\/live$/, "/test")}/batches`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText(noMail).count()).toBe(0);
  });

  test("in invitations, LIVE messages, the system emails and the health page; operators with what to do", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
    const { page } = await openDashboard(browser, { origin, look, onPhone, email: owner.email });
    await page.goto(`${origin}/dashboard`);
    await page.waitForURL(/\/dashboard\/.+/);
    const root = rootOf(page.url());
    await page.goto(`${root}/team?invite=1`);
    await page.getByRole("dialog").getByText(noMail).waitFor();
    await expectAccessible(page);
    for (const path of ["operator/mails", "operator/health"]) {
      await page.goto(`${root}/${path}`);
      await page.getByText(noMail).waitFor();
      await page.getByText("EMAIL_TRANSPORT").waitFor();
    }
    expect((await owner.api.get("/api/admin/health")).body.mail_transport).toBe("outbox");
  });
});

test("an unverified merchant sees that in LIVE before a form is filled, with a link to the verification", async () => {
  const shop = await app.tenant({ verified: false });
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const unverified = say("Your business isn't verified yet", "您的商户尚未通过审核");
  const { page } = await openDashboard(browser, { origin, look, onPhone, email: owner.email });
  await page.goto(`${origin}/dashboard`);
  await page.waitForURL(/\/dashboard\/.+/);
  const root = rootOf(page.url());
  await page.goto(`${root}/orders?new=1`);
  await page.getByRole("dialog").getByLabel(say("Amount", "金额")).waitFor();
  const live = root.replace(/\/test(?=\/|$)/, "/live");
  expect(live).not.toBe(root);
  await page.goto(`${live}/orders?new=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText(unverified).waitFor();
  expect(await dialog.getByRole("textbox").count()).toBe(0);
  expect(await dialog.getByRole("button", { name: say("Create", "新建") }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByRole("link").click();
  await page.waitForURL(/\/settings#verification$/);
  await page.locator("#verification").waitFor();
  for (const path of ["orders", "messages", "batches"]) {
    await page.goto(`${live}/${path}`);
    await page.locator("main .note").getByText(unverified).waitFor();
    expect(await page.locator("main .code-block, main pre").count()).toBe(0);
  }
});
