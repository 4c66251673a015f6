import { expect, test } from "vitest";
import { assignNumber, requestNumber } from "../../../../server/src/numbers/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { numbersDesk } from "../../../../server/test/support/desks/numbers-desk.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const { open, people, askForNumber, approveNarrowed, named, shot, refused } = numbersDesk(dashboard);
const timeLimit = 240_000;

test(
  "an operator revokes a number with a reason that the merchant reads and responds to",
  async () => {
    const { shop, seller, operator } = await people();
    const theirs = await open(seller, "/numbers");
    const dialog = theirs.page.getByRole("dialog");
    await askForNumber(theirs.page);
    const ours = await open(operator, "/operator/numbers");
    await approveNarrowed(ours.page);
    await ours.page.getByRole("button", { name: named(say("Actions", "操作")) }).click();
    await ours.page.getByRole("menuitem", { name: say("Revoke", "收回") }).click();
    const decision = ours.page.getByRole("dialog");
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

test(
  "an operator assigns a number, and sees whose it is before approving it for another project",
  async () => {
    const { shop, operator } = await people();
    const other = await app.tenant({ livemode: true });
    const { page, complaints } = await open(operator, "/operator/numbers");
    const dialog = page.getByRole("dialog");
    const assign = say("Assign a number", "分配号码");
    await page.getByRole("button", { name: assign }).click();
    await dialog.getByLabel(say("Project ID", "项目编号")).fill(shop.project_id);
    await dialog.getByLabel(say("Number or name", "号码或名称")).fill("+14155552672");
    await screenshot(page, shot("assign"));
    await expectAccessible(page);
    await dialog.getByRole("button", { name: assign }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await app.api(shop.key).get("/v1/numbers")).body.data).toMatchObject([{ value: "+14155552672", status: "approved" }]);
    await requestNumber(app.ctx, other, { value: "+14155552672", countries: ["US", "CA"] });
    await page.reload();
    const approve = say("Approve", "批准");
    await page.getByRole("button", { name: `${approve}${say(": ", "：")}+14155552672${say(", ", "，")}Shop` }).click();
    await dialog.getByText(say("Shop uses this number.", "Shop 正在使用该号码")).waitFor();
    await dialog.getByRole("button", { name: approve, exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    await screenshot(page, shot("taken"));
    await expectAccessible(page);
    expect((await app.api(other.key).get("/v1/numbers")).body.data).toMatchObject([{ status: "requested" }]);
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "a person who may only read sees the numbers and no way to change them, and a merchant removes one",
  async () => {
    const { shop, seller } = await people();
    const viewer = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
    await assignNumber(app.ctx, { project_id: shop.project_id, value: "+14155552673", countries: ["US", "GB"] });
    await requestNumber(app.ctx, shop, { value: "CORNER", purpose: "Order updates" });
    const reading = await open({ email: viewer.email, project_id: shop.project_id }, "/numbers");
    await reading.page.getByRole("heading", { name: "CORNER" }).waitFor();
    expect(await reading.page.locator("main button").count()).toBe(0);
    const { page, complaints } = await open(seller, "/numbers");
    await page.getByRole("heading", { name: "+14155552673", exact: true }).waitFor();
    await screenshot(page, shot("list"));
    const remove = say("Remove number", "移除号码");
    await page.getByRole("button", { name: say("Remove number: +14155552673", "移除号码：+14155552673") }).click();
    await screenshot(page, shot("remove"));
    await page.getByRole("dialog").getByRole("button", { name: remove }).click();
    await page.getByRole("heading", { name: "+14155552673", exact: true }).waitFor({ state: "detached" });
    expect([...complaints, ...reading.complaints]).toEqual([]);
  },
  timeLimit,
);

test(
  "in TEST, the page names the number that is rejected, and says why in the reader's language; a name isn't called a number",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    for (const value of ["+15005550007", "CORNER"]) await app.api(tenant.key).post("/v1/numbers", { value });
    await goto("/numbers");
    await page.getByText(say("Simulated rejection: this number belongs to someone else.", "模拟未通过：该号码属于其他人。")).waitFor();
    expect(await page.locator("main > p").first().textContent()).toContain("+15005550007");
    await page.getByRole("button", { name: say("Remove name: CORNER", "移除名称：CORNER") }).waitFor();
    await page.getByRole("button", { name: say("Remove number: +15005550007", "移除号码：+15005550007") }).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
