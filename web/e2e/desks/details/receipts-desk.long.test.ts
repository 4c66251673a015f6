import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { receiptsDesk } from "../../../../server/test/support/desks/receipts-desk.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const { open, assign } = receiptsDesk(dashboard);
const timeLimit = 120_000;

test(
  "equal amounts that another order keeps open are one line, closed in one press, also on a phone",
  async () => {
    const { shop, page, complaints, goto, line } = await open("exact", { onPhone: true });
    const orders = [await shop.paying(5123), await shop.paying(5123), await shop.paying(5123)];
    for (const { order_id } of orders.slice(0, 2)) await shop.approve(order_id);
    for (const payer_hint of ["李雷", "韩梅梅"]) await shop.receipt({ amount_minor: 5123, payer_hint });
    await goto();
    await line.waitFor();
    expect(await line.count()).toBe(1);
    await line.getByRole("button", { name: say("Assign to 2 approved payments", "关联 2 笔已核对付款") }).tap();
    await page.getByText(say("2 transfers assigned.", "已关联 2 笔。")).waitFor();
    await page.getByRole("heading", { name: say("You're all caught up", "没有待处理的到账") }).waitFor();
    await goto("?view=all");
    await page.locator(".on-phone").getByText(say("Assigned as a set", "成组关联")).first().waitFor();
    // A decision can be undone on a phone too.
    await page
      .getByRole("button", { name: say("Actions: ", "操作：") })
      .first()
      .tap();
    await page.getByRole("menuitem", { name: say("Undo…", "撤销…") }).tap();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Undo", "撤销") })
      .tap();
    await goto();
    await line.waitFor();
    await expectAccessible(page);
    await screenshot(page, "receipts-phone");
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "one is assigned in one press and no other with it, all that fit in two, and what was ignored is restored",
  async () => {
    const { shop, page, complaints, goto, line } = await open("exact");
    const orders = [await shop.paying(6100), await shop.paying(6200), await shop.paying(6300)];
    for (const { payable } of orders) await shop.receipt({ amount_minor: payable });
    const stray = await shop.receipt({ amount_minor: 520, payer_hint: "妈妈", external_id: "1000050520" });
    const api = app.api(shop.key);
    const at = `/api/v1/projects/${shop.project_id}/receipts/${stray.receipt.id}`;
    const statuses = () => Promise.all(orders.map(async ({ order_id }) => (await shop.order(order_id)).status));
    await goto();
    await assign(page, { amount: "61.00", left: 3 });
    expect(await statuses()).toEqual(["paid", "unpaid", "unpaid"]);

    await page.getByLabel(say("All with a match (2)", "全选有对应订单的（2）")).click();
    await page.getByRole("button", { name: say("Assign 2 transfers", "关联 2 笔") }).click();
    await expect.poll(() => line.count()).toBe(1);
    expect(await statuses()).toEqual(["paid", "paid", "paid"]);

    expect((await api.post(`${at}/ignore`, { reason: "for the rent" })).status).toBe(200);
    await goto("?view=all");
    await page
      .getByRole("button", { name: say("Actions: 1000050520", "操作：1000050520") })
      .filter({ visible: true })
      .click();
    await page.getByRole("menuitem", { name: say("Restore…", "恢复…") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Undo", "撤销") })
      .click();
    await page.getByText(say("1 transfer needs a decision again.", "1 笔重新待处理。")).waitFor();
    expect((await api.get(at)).body).toMatchObject({ status: "unmatched" });
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a transfer is in Exceptions until its exception is resolved; afterwards it offers no undo that would be refused",
  async () => {
    const { shop, page, complaints, goto } = await open("remark");
    const { payable, code } = await shop.paying();
    await shop.receipt({ amount_minor: payable, remark: code });
    const { receipt } = await shop.receipt({ amount_minor: payable, remark: code, external_id: "1000050777" });
    const inExceptions = page.getByRole("link", { name: say("In Exceptions", "列入异常") });
    const actions = page.getByRole("button", { name: say("Actions: 1000050777", "操作：1000050777") }).filter({ visible: true });
    await goto("?view=all");
    await inExceptions.waitFor();
    expect(await actions.count()).toBe(1);
    const resolve = `/api/v1/projects/${shop.project_id}/exceptions/${receipt.exception_id}/resolve`;
    expect((await app.api(shop.key).post(resolve, { action: "accept", note: "the buyer knows" })).status).toBe(200);
    await page.reload();
    await expect.poll(() => page.locator(".badge", { hasText: say("Matched", "已匹配") }).count()).toBe(2);
    expect([await inExceptions.count(), await actions.count()]).toEqual([0, 0]);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
