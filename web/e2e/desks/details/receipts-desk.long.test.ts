import type { Request, Route } from "playwright-core";
import { expect, test } from "vitest";
import { listWallets } from "../../../../server/src/ledger/index.ts";
import { expectAccessible, prepareToIntercept, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { receiptsDesk } from "../../../../server/test/support/desks/receipts-desk.ts";
import { bookFaults, bookInSuspense } from "../../../../server/test/support/payments/receipt-shop.ts";

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

test(
  "two hundred red packets in suspense leave it in a few clicks, with one reason, and the dialog says how far it is",
  async () => {
    const { shop, page, complaints, goto } = await open("exact");
    const packet = { payer_hint: "妈妈", kind: "微信红包" };
    for (let count = 0; count < 200; count += 1)
      await bookInSuspense(app, shop, (await shop.receipt({ amount_minor: 520 + count, ...packet })).receipt);
    let requests = 0;
    await prepareToIntercept(page);
    await page.route("**/receipts/bulk", async (route) => {
      requests += 1;
      if (requests === 3) await page.getByText(say("100 of 200 done", "已完成 100/200")).waitFor();
      await route.continue();
    });
    // What the page reads again every few seconds doesn't cancel what a person loads.
    const isOther = (request: Request) => request.url().includes("/api/v1/") && !request.url().includes("starting_after");
    const untilOther = async (route: Route) => {
      await page.waitForRequest(isOther);
      await route.continue();
    };
    await page.route("**/receipts?*starting_after*", untilOther, { times: 1 });
    await goto("?status=matched");
    const rows = page.locator("tbody tr");
    await rows.nth(99).waitFor();
    await page.getByRole("checkbox", { name: say("Select all shown (100)", "全选已显示的（100）") }).waitFor();
    await page.getByRole("button", { name: say("Load more", "加载更多") }).click();
    await rows.nth(199).waitFor();
    await page.getByRole("checkbox", { name: say("Select all (200)", "全选（200）") }).click();
    await page.getByRole("button", { name: say("Ignore 200 transfers…", "忽略 200 笔…") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(say("200 entries in Exceptions are reversed.", "200 笔列入异常的款项将冲回。")).waitFor();
    await dialog.getByRole("radio", { name: say("Private transfer", "私人转账") }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: say("Ignore", "忽略"), exact: true }).click();
    await page.getByText(say("200 transfers ignored.", "已忽略 200 笔。")).waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await shop.cases()).toEqual([]);
    expect((await listWallets(app.ctx, shop, { limit: 1 }))?.data).toMatchObject([{ balance_minor: 0, pending_minor: 0 }]);
    expect(await bookFaults(app)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  2 * timeLimit,
);

test(
  "a wrong bulk assignment is undone at once, sets as a whole; what paid an order has no checkbox, and what was undone before is named",
  async () => {
    const { shop, page, complaints, goto, line } = await open("exact");
    const sets: string[][] = [];
    for (const amount_minor of [5123, 7123]) {
      const orders = [await shop.paying(amount_minor), await shop.paying(amount_minor), await shop.paying(amount_minor)];
      for (const { order_id } of orders.slice(0, 2)) await shop.approve(order_id);
      sets.push([(await shop.receipt({ amount_minor })).receipt.id, (await shop.receipt({ amount_minor })).receipt.id]);
    }
    const single = await shop.paying(6100);
    await shop.receipt({ amount_minor: single.payable });
    await goto();
    await line.nth(2).waitFor();
    for (const box of await line.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: say("Assign 5 transfers", "关联 5 笔") }).click();
    await page.getByText(say("5 transfers assigned.", "已关联 5 笔。")).waitFor();

    await goto("?view=all");
    await page.locator("tbody tr").nth(4).waitFor();
    expect(await page.locator("tbody").getByRole("checkbox").count()).toBe(4);
    await page.locator("tbody").getByRole("checkbox").first().check();
    await screenshot(page, "receipts-all-one");
    await page.getByRole("checkbox", { name: say("Select all (4)", "全选（4）") }).click();
    await expectAccessible(page);
    await screenshot(page, "receipts-all");
    await page.getByRole("button", { name: say("Undo 4 decisions…", "撤销 4 笔…") }).click();
    const dialog = page.getByRole("dialog", { name: say("Undo 4 decisions?", "撤销 4 笔到账的处理？") });
    await dialog.getByText(say("A set is undone as a whole", "成组关联的到账会整组撤销")).waitFor();
    await expectAccessible(page);
    await screenshot(page, "receipts-undo");
    const at = `/api/v1/projects/${shop.project_id}/receipts`;
    expect((await app.api(shop.key).post(`${at}/${sets[0]?.[1]}/unlink`, {})).status).toBe(200);
    await dialog.getByRole("button", { name: say("Undo", "撤销"), exact: true }).click();
    await page
      .getByText(
        say(
          "2 transfers need a decision again. 2 transfers not changed: The status has just changed. You're seeing the current one.",
          "2 笔重新待处理。2 笔未更改：到账状态已变化，现在显示的是最新状态。",
        ),
      )
      .waitFor();
    for (const id of sets.flat()) expect((await app.api(shop.key).get(`${at}/${id}`)).body).toMatchObject({ status: "unmatched" });
    expect((await shop.order(single.order_id)).status).toBe("paid");
    await goto();
    await expect.poll(() => line.count()).toBe(2);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
