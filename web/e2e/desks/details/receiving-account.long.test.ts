import { describe, expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { accountDesk } from "../../../../server/test/support/desks/account-desk.ts";
import { shopCode } from "../../../../server/test/support/payments/receipt-shop.ts";

const dashboard = await dashboardApp();
const { look, say } = dashboard;
const { open, openTwo, payablesOf, account, newAccount } = accountDesk(dashboard);
const timeLimit = 180_000;
const shot = (name: string) => `receiving-account-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;

describe(`LIVE, in ${look.language} and ${look.theme}`, () => {
  test(
    "two codes of one person are joined into one account without replacing either",
    async () => {
      const { here, there, page, dialog, choose, save, stored, code, complaints } = await openTwo();
      await account(dialog).click();
      await page.getByRole("option", { name: say("main (Shop)", "main（Shop）") }).waitFor();
      await screenshot(page, shot("accounts"));
      await page.keyboard.press("Escape");
      await choose(say("main (Shop)", "main（Shop）"));
      await expectAccessible(page);
      await screenshot(page, shot("chosen"));
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: code, account_ref: "main" });
      await page.locator(".code-card").getByText("main", { exact: true }).waitFor();
      await screenshot(page, shot("joined"));
      const [one, other] = await payablesOf([here, there], 4600);
      expect(one).not.toBe(other);
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "the only project of a merchant is asked once its code is replaced, stays in its account, and can open another one",
    async () => {
      const { dialog, edit, choose, paste, save, stored, complaints } = await open();
      await dialog.getByLabel(say("Payee name", "向买家显示的名称")).waitFor();
      expect(await account(dialog).count()).toBe(0);
      await paste(`${shopCode}2`);
      await account(dialog).waitFor();
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: `${shopCode}2`, account_ref: "main" });
      await edit();
      await paste(`${shopCode}3`);
      await choose(newAccount);
      await dialog.getByLabel(say("Account name", "账户名称")).fill("second");
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: `${shopCode}3`, account_ref: "second" });
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );
});
