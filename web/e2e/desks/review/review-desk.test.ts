import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { reviewDesk } from "../../../../server/test/support/desks/review-desk.ts";

const dashboard = await dashboardApp();
const { app, look, say, origin } = dashboard;
const timeLimit = 120_000;
const patience = { timeout: 25_000 };
const asExpected = say("¥45.90, as expected", "¥45.90（应收）");

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "what was reported is approved, or what was expected, or nothing: each in words before it is sent, including an amount above the order's",
    async () => {
      const { page, complaints, proven, read, waitForOrder } = await reviewDesk(dashboard);
      const [more, less, none] = [
        await proven("INV-1", { amount_minor: 5000 }),
        await proven("INV-2", { amount_minor: 4500 }),
        await proven("INV-3", { amount_minor: 4400 }),
      ];
      const dialog = page.getByRole("dialog");
      const ask = async (reference: string) => {
        await waitForOrder(reference);
        await page.getByRole("button", { name: say("Approve anyway", "仍要通过") }).click();
        await dialog.getByText(say("How much did you receive?", "实际到账多少？")).waitFor();
      };
      await page.clock.setFixedTime(app.clock.now());
      await page.goto(`${origin}/dashboard/review`);
      await ask("INV-1");
      await dialog.getByText(say("¥50.00 was reported, ¥45.90 expected.", "买家填写 ¥50.00，应收 ¥45.90。")).waitFor();
      await dialog.getByLabel(say("¥50.00, as reported", "¥50.00（买家填写）")).click();
      await dialog
        .getByText(say("The order is marked as paid. The extra ¥4.10 goes to Exceptions.", "订单记为已付款，多出的 ¥4.10 列入异常。"))
        .waitFor();
      await dialog.getByRole("button", { name: say("Approve ¥50.00", "通过 ¥50.00") }).click();
      await ask("INV-2");
      await dialog.getByLabel(asExpected).click();
      await dialog.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") }).click();
      await ask("INV-3");
      await dialog.getByRole("button", { name: say("Reject instead", "改为驳回") }).click();
      await dialog.getByRole("radio", { name: say("Suspected forgery", "疑似伪造") }).click();
      await dialog.getByText(say("The order fails, and your server is notified.", "订单将变为失败")).waitFor();
      await dialog.getByRole("radio", { name: say("Wrong amount", "金额不符") }).click();
      await dialog.getByText(say("can try again.", "并可再次付款。")).waitFor();
      await dialog.getByRole("button", { name: say("Reject", "驳回"), exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await page.goto("about:blank");
      await expect
        .poll(async () => [(await read(more)).status, (await read(less)).status, (await read(none)).status], patience)
        .toEqual(["paid", "paid", "unpaid"]);
      expect(await read(more)).toMatchObject({ amount_received_minor: 4590, flags: ["manually_verified", "overpaid"] });
      expect(await read(less)).toMatchObject({ amount_received_minor: 4590, flags: ["manually_verified"] });
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a decision is held for five seconds and can be undone; leaving the page sends it, and it is shown as done once the server confirms it",
    async () => {
      const { page, complaints, proven, read, reviews, waitForOrder } = await reviewDesk(dashboard);
      const [first, second] = [await proven("INV-1"), await proven("INV-2")];
      await page.goto(`${origin}/dashboard/review`);
      await waitForOrder("INV-1");
      const approve = page.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") });
      const pending = page.getByRole("status").filter({ hasText: say("Not sent yet", "尚未提交") });
      await approve.click();
      await waitForOrder("INV-2");
      await pending.waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: say("Undo", "撤销") }).click();
      await waitForOrder("INV-1");
      await pending.waitFor({ state: "detached" });
      expect((await read(first)).status).toBe("pending_verify");

      await page.getByLabel(say("Transfer number", "转账单号")).fill("42000077");
      await approve.click();
      await pending.waitFor();
      expect((await read(first)).status).toBe("pending_verify");
      // Another decision sends the previous one.
      await waitForOrder("INV-2");
      await page.keyboard.press("a");
      await expect.poll(async () => (await read(first)).status, patience).toBe("paid");
      expect(await reviews(first)).toMatchObject([{ decision: "approved", external_transaction_id: "42000077" }]);
      await page.goto("about:blank");
      await expect.poll(async () => (await read(second)).status, patience).toBe("paid");
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );
});
