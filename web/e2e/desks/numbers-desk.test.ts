import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { numbersDesk } from "../../../server/test/support/desks/numbers-desk.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const timeLimit = 240_000;
const { open, people, shot, refused } = numbersDesk(dashboard);

/** From the empty list: an emergency number is refused, then one of the merchant's numbers is accepted. */
async function askForNumber(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const request = say("Request a number", "申请号码");
  await page.locator(".empty").waitFor();
  await screenshot(page, shot("empty"));
  await page.locator(".empty").getByRole("button", { name: request }).click();
  const value = dialog.getByLabel(say("Number or name", "号码或名称"));
  await value.fill("911");
  await dialog.getByRole("button", { name: request }).click();
  await dialog.locator("[aria-invalid=true]").waitFor();
  await screenshot(page, shot("refused"));
  await expectAccessible(page);
  await value.fill("+14155552671");
  await dialog
    .getByLabel(say("What you'll send, and why you may use this number", "发送内容，以及您为何有权使用此号码"))
    .fill("Order updates");
  await screenshot(page, shot("request"));
  await dialog.getByRole("button", { name: request }).click();
  await page.getByText(say("Pending approval", "待审核")).waitFor();
}

test(
  "a merchant requests a number, an operator narrows and approves it, and revokes it with a reason that the merchant reads and responds to",
  async () => {
    const { shop, seller, operator } = await people();
    const theirs = await open(seller, "/numbers");
    const ours = await open(operator, "/operator/numbers");
    const dialog = theirs.page.getByRole("dialog");
    await askForNumber(theirs.page);

    const named = (action: string) => `${action}${say(": ", "：")}+14155552671${say(", ", "，")}Shop`;
    await ours.page.reload();
    await ours.page.getByRole("button", { name: named(say("Approve", "批准")) }).click();
    const decision = ours.page.getByRole("dialog");
    await decision.getByText("Order updates").waitFor();
    await decision.getByLabel(say("Calls", "通话")).uncheck();
    await screenshot(ours.page, shot("approve"));
    await expectAccessible(ours.page);
    await decision.getByRole("button", { name: say("Approve", "批准"), exact: true }).click();
    await ours.page.getByText(say("No pending requests", "没有待审核的申请")).waitFor();

    await theirs.page.reload();
    await theirs.page.locator(".badge", { hasText: say("Approved", "已通过") }).waitFor();
    await expectAccessible(theirs.page);
    await ours.page.getByRole("button", { name: named(say("Actions", "操作")) }).click();
    await ours.page.getByRole("menuitem", { name: say("Revoke", "收回") }).click();
    await decision.getByLabel(say("Reason", "原因")).fill("The carrier wants a registration first.");
    await decision.getByRole("button", { name: say("Revoke", "收回") }).click();
    await ours.page.locator(".badge", { hasText: say("Not approved", "未通过") }).waitFor();
    await screenshot(ours.page, shot("desk"));

    await theirs.page.reload();
    await theirs.page.getByText("The carrier wants a registration first.").waitFor();
    await screenshot(theirs.page, shot("rejected"));
    await theirs.page.getByRole("button", { name: say("Request again: +14155552671", "重新申请：+14155552671") }).click();
    await screenshot(theirs.page, shot("again"));
    await dialog.getByRole("button", { name: say("Request again", "重新申请") }).click();
    await theirs.page.getByText(say("Pending approval", "待审核")).waitFor();
    expect((await app.api(shop.key).get("/v1/numbers")).body.data).toMatchObject([
      { value: "+14155552671", channels: ["sms"], status: "requested" },
    ]);
    expect([...theirs.complaints, ...ours.complaints].filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);
