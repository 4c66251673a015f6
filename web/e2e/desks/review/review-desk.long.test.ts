import { describe, expect, test } from "vitest";
import { createOrder } from "../../../../server/src/orders/index.ts";
import { listReviewQueue, recordReceipt, reviewOrder } from "../../../../server/src/reconciliation/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { reviewDesk } from "../../../../server/test/support/desks/review-desk.ts";
import { insertWaitingOrders } from "../../../../server/test/support/payments/waiting-orders.sql.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const dashboard = await dashboardApp();
const { app, browser, look, say, origin } = dashboard;
const timeLimit = 120_000;
const patience = { timeout: 25_000 };
const asReported = say("¥45.00, as reported", "¥45.00（买家填写）");
const asExpected = say("¥45.90, as expected", "¥45.90（应收）");

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "on a phone what is wrong is above the picture and clear of the bar, and nothing odd is approved in one press",
    async () => {
      const { page, complaints, tenant, proven, read, waitForOrder } = await reviewDesk(dashboard, { onPhone: true });
      await proven("INV-1", { transaction_reference: "42000011" });
      const id = await proven("INV-2", { transaction_reference: "42000011", amount_minor: 4500 });
      await recordReceipt(app.ctx, tenant, {
        channel: "wechat",
        amount_minor: 4590,
        occurred_at: app.ctx.now(),
        source: "statement",
        external_id: "1000050001",
      });
      await page.goto(`${origin}/dashboard/review?order=${id}`);
      await waitForOrder("INV-2");
      await page.getByText(say("1 transfer of this amount could be for 2 orders.", "1 笔同额到账可能对应 2 笔订单。")).waitFor();
      const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
      const bottoms = await page
        .locator(".review-pane-head .note, .review-pane-head .against")
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect().bottom),
        );
      expect(bottoms).toHaveLength(4);
      for (const bottom of bottoms)
        expect(bottom).toBeLessThanOrEqual(Math.min(await top(".review-pane-picture"), await top(".review-pane-actions")));
      await expectAccessible(page);

      await page.getByRole("button", { name: say("Approve anyway", "仍要通过") }).tap();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(say("¥45.00 was reported, ¥45.90 expected.", "买家填写 ¥45.00，应收 ¥45.90。")).waitFor();
      const choices = [asReported, asExpected, say("Other amount", "其他金额")];
      for (const choice of choices) expect(await dialog.getByRole("radio", { name: choice, exact: true }).isChecked(), choice).toBe(false);
      await dialog.getByRole("button", { name: say("Reject instead", "改为驳回") }).waitFor();
      expect(await dialog.getByRole("button", { name: say("Approve", "通过") }).isEnabled()).toBe(false);
      await expectAccessible(page);
      await dialog.getByLabel(asReported).tap();
      await dialog.getByRole("button", { name: say("Approve ¥45.00", "通过 ¥45.00") }).tap();
      await expect.poll(async () => (await read(id)).status, patience).toBe("paid");
      expect(await read(id)).toMatchObject({ amount_received_minor: 4500, flags: ["manually_verified", "underpaid"] });
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

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
    "a link to a decided payment shows that one, who decided it and when, and no other to approve",
    async () => {
      const { page, complaints, tenant, proven, read, waitForOrder } = await reviewDesk(dashboard);
      const [id] = [await proven("INV-1"), await proven("INV-2")];
      await page.goto(`${origin}/dashboard/review?order=${id}`);
      await waitForOrder("INV-1");
      await page.keyboard.press("a");
      await expect.poll(async () => (await read(id)).status, patience).toBe("paid");
      await page.reload();
      await waitForOrder("INV-1");
      const status = page.getByRole("status").filter({ hasText: /Person \d/ });
      await status.waitFor();
      expect(await status.textContent()).toMatch(
        look.language === "zh" ? /INV-1 已由 Person \d+ 通过， ?.*\d\d:\d\d¥45.90/ : /INV-1 was approved by Person \d+, .*\d\d:\d\d¥45.90/,
      );
      expect(await page.getByRole("button", { name: say("Approve", "通过") }).count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole("button", { name: say("Next", "下一笔") }).click();
      await waitForOrder("INV-2");
      const other = await proven("INV-3");
      await reviewOrder(app.ctx, tenant, { order_id: other, decision: "reject", reason_code: "unreadable" });
      await page.goto(`${origin}/dashboard/review?order=${other}`);
      await page.getByText(say("INV-3 was rejected by", "INV-3 已由 test 驳回")).waitFor();
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a long queue is read a page at a time around the reviewer, who sees how many wait, what others decided, and can open links to any position",
    async () => {
      const { page, complaints, tenant, read, waitForOrder } = await reviewDesk(dashboard);
      await app.asSuperuser((db) => insertWaitingOrders(db, tenant, { count: 70, since: app.clock.now() }));
      const queue = (await listReviewQueue(app.ctx, tenant, { limit: 100 })).rows.map(({ order }) => order);
      const at = (index: number) => queue[index] ?? expect.fail(`only ${queue.length} wait`);
      const queries: URL[] = [];
      page.on("request", (request) => request.url().includes("/reviews/queue?") && queries.push(new URL(request.url())));
      const cursors = () => queries.map(({ searchParams }) => searchParams.get("starting_after")).filter((cursor) => cursor !== null);
      await page.goto(`${origin}/dashboard/review`);
      await waitForOrder(at(0).reference);
      await page.getByText("1 / 70").waitFor();
      await page.getByText(say("70 waiting", "70 笔待核对")).waitFor();
      expect(cursors()).toEqual([]);
      // The buttons accept presses only once the neighbor is loaded.
      const go = (name: string) => page.getByRole("button", { name, exact: true }).click();
      for (let index = 1; index <= 57; index += 1) await go(say("Next", "下一笔"));
      await waitForOrder(at(57).reference);
      await page.getByText("58 / 70").waitFor();
      expect(new Set(cursors())).toEqual(new Set([at(19).id, at(39).id, at(59).id]));
      await expectAccessible(page);
      await screenshot(page, "review-queue");
      // A refresh reads the three pages around the reviewer, not the passed ones.
      queries.length = 0;
      await reviewOrder(app.ctx, tenant, { order_id: at(57).id, decision: "approve" });
      await page.getByText(say(`${at(57).reference} was approved by`, `${at(57).reference} 已由`)).waitFor(patience);
      await page.getByText(say("69 waiting", "69 笔待核对")).waitFor();
      const pages = queries.filter(({ searchParams }) => searchParams.get("limit") === "20");
      expect(pages.length).toBeGreaterThan(0);
      expect(pages.filter(({ searchParams }) => searchParams.get("starting_after") === null)).toEqual([]);
      await page.keyboard.press("j");
      await waitForOrder(at(58).reference);
      for (let index = 56; index >= 18; index -= 1) await go(say("Previous", "上一笔"));
      await waitForOrder(at(18).reference);
      await page.getByText("19 / 69").waitFor();

      await page.goto(`${origin}/dashboard/review?order=${at(65).id}`);
      await waitForOrder(at(65).reference);
      await page.getByRole("button", { name: say("Approve ¥99.00", "通过 ¥99.00") }).waitFor();
      await page.keyboard.press("a");
      await waitForOrder(at(0).reference);
      await page.goto("about:blank");
      await expect.poll(async () => (await read(at(65).id)).status, patience).toBe("paid");
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "an order that wasn't reported is marked as paid with its channel, number and date, and an order that can't be paid says so",
    async () => {
      const { page, complaints, tenant, read } = await reviewDesk(dashboard);
      const { order } = await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference: "INV-9" });
      await page.goto(`${origin}/dashboard/orders/${order.id}`);
      await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
      await page.getByRole("menuitem", { name: say("Mark as paid", "标记为已付款") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox").click();
      await page.getByRole("option", { name: say("Alipay", "支付宝") }).click();
      await dialog.getByLabel(say("Transfer number", "转账单号")).fill("2026112022001");
      await dialog.locator("input[type=datetime-local]").fill("2026-11-19T10:00");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: say("Mark ¥45.90 as paid", "确认已收 ¥45.90") }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await read(order.id)).toMatchObject({
        status: "paid",
        flags: ["manually_verified"],
        latest_payment_session: { gateway: "alipay" },
      });
      await page.getByText("2026112022001").first().waitFor();

      const { order: foreign } = await createOrder(app.ctx, tenant, { amount_minor: 100, currency: "EUR" });
      await page.goto(`${origin}/dashboard/orders/${foreign.id}`);
      await page
        .getByText(say("Buyers can't pay this order: no payment method of this project accepts EUR.", "本项目没有可收 EUR 的付款方式"))
        .waitFor();
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "an operator must confirm like the merchant's reviewer, and odd proofs explain what is odd",
    async () => {
      const { page, complaints, tenant, proven, read } = await reviewDesk(dashboard);
      const operator = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
      const opened = await openDashboard(browser, { origin, look, email: operator.email });
      const [plain, less] = [await proven("OPS-1"), await proven("OPS-2", { amount_minor: 4500 })];
      const operatorPage = opened.page;
      const dialog = operatorPage.getByRole("dialog");
      await operatorPage.goto(`${origin}/dashboard/operator/proofs`);
      await operatorPage.getByRole("button", { name: "OPS-1" }).click();
      await dialog.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") }).click();
      await expect.poll(async () => (await read(plain)).status, patience).toBe("paid");

      await operatorPage.getByRole("button", { name: "OPS-2" }).click();
      await dialog.getByText(say("Amount doesn't match", "金额与应收不符")).waitFor();
      await expectAccessible(operatorPage);
      await dialog.getByRole("button", { name: say("Approve anyway", "仍要通过") }).click();
      const ask = dialog.filter({ hasText: say("How much did you receive?", "实际到账多少？") }).last();
      await ask.getByText(say("¥45.00 was reported, ¥45.90 expected.", "买家填写 ¥45.00，应收 ¥45.90。")).waitFor();
      expect(await ask.getByRole("radio", { checked: true }).count()).toBe(0);
      await expectAccessible(operatorPage);
      await ask.getByLabel(asReported).click();
      await ask.getByRole("button", { name: say("Approve ¥45.00", "通过 ¥45.00") }).click();
      await expect.poll(async () => (await read(less)).status, patience).toBe("paid");
      expect(await read(less)).toMatchObject({ amount_received_minor: 4500, flags: ["manually_verified", "underpaid"] });
      expect([...complaints, ...opened.complaints]).toEqual([]);
      await page.close();
    },
    timeLimit,
  );
});
