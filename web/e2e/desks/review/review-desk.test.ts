import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { reviewDesk } from "../../../../server/test/support/desks/review-desk.ts";

const dashboard = await dashboardApp();
const { look, say, origin } = dashboard;

describe(`in ${look.language} and ${look.theme}`, () => {
  test("a decision is held for five seconds and can be undone; leaving the page sends it, and it is shown as done once the server confirms it", async () => {
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
    await expect.poll(async () => (await read(first)).status).toBe("paid");
    expect(await reviews(first)).toMatchObject([{ decision: "approved", external_transaction_id: "42000077" }]);
    await page.goto("about:blank");
    await expect.poll(async () => (await read(second)).status).toBe("paid");
    expect(complaints).toEqual([]);
  });
});
