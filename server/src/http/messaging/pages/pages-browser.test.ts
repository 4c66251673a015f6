import { expect, test } from "vitest";
import { findSuppressed, unsubscribeUrl } from "#messaging/index.ts";
import { expectAccessible, openBrowser, phone, screenshot } from "#test/browser.ts";
import { house } from "#test/house.ts";
import { mailRoom } from "#test/mail.ts";

const home = await house();
const browser = await openBrowser();
const address = "ada.of.a.rather.long.name@corner-readers.com";

test("a reader unsubscribes on a phone, in either language and colour, without a script", async () => {
  const app = await home.app();
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  for (const [locale, colorScheme, button, done] of [
    ["en-GB", "light", "Unsubscribe", "You are unsubscribed"],
    ["zh-CN", "dark", "退订", "已退订"],
  ] as const) {
    const shop = await home.tenant({ livemode: locale === "en-GB" });
    const { email } = await mailRoom(home.ctx).send(shop, { to: address });
    const { pathname } = new URL(unsubscribeUrl(home.ctx, { tenant: shop, email_id: email.id, address }));
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
    expect((await findSuppressed(home.ctx.db, shop, { channel: "email", addresses: [address], now: home.ctx.now() })).get(address)?.reason).toBe("unsubscribe");
  }
  const page = await browser.page();
  await page.goto(`${origin}/u/x`);
  await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, "unsubscribe-unknown");
});
