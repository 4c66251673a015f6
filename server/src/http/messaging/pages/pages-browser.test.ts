import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import { clickSignerOf, clickUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { findSuppressed } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { expectAccessible, openBrowser, phone, screenshot } from "#test/support/browser/browser.ts";
import { mailRoom } from "#test/support/mail/mail.ts";

const app = await testApp();
const browser = await openBrowser();
const address = "ada.of.a.rather.long.name@corner-readers.com";

test("a reader unsubscribes on a phone, in either language and color, without a script", async () => {
  const server = await app.server();
  const origin = await server.listen({ port: 0, host: "127.0.0.1" });
  for (const [locale, colorScheme, button, done] of [
    ["en-GB", "light", "Unsubscribe", "You're unsubscribed"],
    ["zh-CN", "dark", "退订", "已退订"],
  ] as const) {
    const shop = await app.tenant({ livemode: locale === "en-GB" });
    const { email } = await mailRoom(app.ctx).send(shop, { to: address });
    const { pathname } = new URL(unsubscribeUrl(app.ctx, { tenant: shop, email_id: email.id, address }));
    const page = await browser.page({ ...phone, locale, colorScheme, javaScriptEnabled: true });
    const refused: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
    await page.goto(origin + pathname);
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await screenshot(page, `unsubscribe-${locale}`);
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("heading", { name: done }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `unsubscribed-${locale}`);
    expect(refused).toEqual([]);
    expect((await findSuppressed(app.ctx.db, shop, { channel: emailChannel, addresses: [address] })).get(address)?.reason).toBe(
      "unsubscribe",
    );
  }
  const page = await browser.page();
  await page.goto(`${origin}/u/x`);
  await page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, "unsubscribe-unknown");
});

test("a link that leads elsewhere shows where, in either language and color, on a phone and on a desktop", async () => {
  const server = await app.server();
  const origin = server.server.listening
    ? `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    : await server.listen({ port: 0, host: "127.0.0.1" });
  const shop = await app.tenant();
  const target = `https://books.example.com/a-rather-long-way/${"chapter-".repeat(20)}?b=c&d=%3Cscript%3E`;
  const { pathname } = new URL(clickUrl(clickSignerOf(app.ctx, { tenant: shop, email_id: "em_1", recipient_id: "dlv_1" }), target));
  for (const [locale, colorScheme, device, note] of [
    ["en-GB", "light", phone, "Continue only if you know the sender"],
    ["zh-CN", "dark", { viewport: { width: 1440, height: 900 } }, "仅在认识发件方时继续"],
  ] as const) {
    const page = await browser.page({ ...device, locale, colorScheme });
    await page.goto(origin + pathname);
    await page.getByText(note).waitFor();
    await expectAccessible(page);
    await screenshot(page, `leaving-${locale}`);
    const box = page.locator(".target");
    expect(await box.textContent()).toBe(target);
    // It's visually distinct from the sentences around it, complete, and within the column.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.target')).borderTopStyle")).toBe("solid");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.getByRole("link", { name: "books.example.com" }).getAttribute("href")).toBe(target);
  }
});
