import { describe, expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { accountDesk } from "../../../server/test/support/desks/account-desk.ts";
import { shopCode } from "../../../server/test/support/payments/receipt-shop.ts";

const dashboard = await dashboardApp();
const { look, say } = dashboard;
const { openTwo, payablesOf, newAccount } = accountDesk(dashboard);
const timeLimit = 180_000;
const shot = (name: string) => `receiving-account-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;

/** It has the focus, and nothing hides it. */
const isInFront = (field: unknown) => {
  const { x, y, width, height } = (field as Framed).getBoundingClientRect();
  const { document } = globalThis as unknown as { document: { activeElement: unknown; elementFromPoint(x: number, y: number): unknown } };
  return field === document.activeElement && field === document.elementFromPoint(x + width / 2, y + height / 2);
};

/** A browser's element. */
interface Framed {
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
}

describe(`LIVE, in ${look.language} and ${look.theme}`, () => {
  test(
    "a project with its own code is given another project's code and joins its account, whose name is asked for if another was entered",
    async () => {
      const { here, there, page, dialog, choose, paste, save, stored, complaints } = await openTwo();
      const [mine, theirs] = await payablesOf([here, there], 4400);
      expect(mine).toBe(theirs);
      await paste(shopCode);
      await choose(newAccount);
      expect(await save.isDisabled()).toBe(true);
      const name = dialog.getByLabel(say("Account name", "账户名称"));
      await name.fill("own wallet");
      await dialog.getByText(say("Use letters, digits", "只能使用英文字母")).waitFor();
      await name.fill("own");
      await save.click();
      const refusal = dialog.getByText(say("Choose main here, too.", "这里也请选择 main。"));
      await refusal.first().waitFor();
      // Beside the field, and nowhere else.
      await expect.poll(() => dialog.getByRole("alert").count()).toBe(0);
      expect([await refusal.count(), await name.getAttribute("aria-invalid")]).toEqual([1, "true"]);
      await expect.poll(() => name.evaluate(isInFront)).toBe(true);
      await screenshot(page, shot("refused"));
      await expectAccessible(page);
      await choose(say("main (Shop)", "main（Shop）"));
      await refusal.waitFor({ state: "detached" });
      await choose(say("Automatic (now main-2)", "自动选择（目前为 main-2）"));
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: shopCode, account_ref: "main" });
      const [one, other] = await payablesOf([here, there], 4500);
      expect(one).not.toBe(other);
      // The one expected refusal: the account of the code.
      expect(complaints.filter((line) => !line.includes("400"))).toEqual([]);
    },
    timeLimit,
  );
});
