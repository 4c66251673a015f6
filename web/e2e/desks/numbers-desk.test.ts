import { expect, test } from "vitest";
import { assignNumber, requestNumber } from "../../../server/src/numbers/index.ts";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 240_000;
const shot = (name: string) => `numbers-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;
/** The browser's own complaints about refused requests, which the page explains in words. */
const refused = (text: string) => / status of 40[0-9] /.test(text);

/** A person's browser at a page in LIVE. */
async function open(email: string, path: string) {
  const opened = await openDashboard(browser, { origin, look, email });
  await opened.page.goto(`${origin}/dashboard/`);
  await opened.page.waitForURL("**/test");
  await opened.page.goto(opened.page.url().replace(/\/test$/, `/live${path}`));
  await opened.page.locator("main h1").waitFor();
  return opened;
}

async function people() {
  const shop = await app.tenant({ livemode: true });
  const seller = await visitor(app, { merchant_id: shop.merchant_id, role: "developer" });
  const own = await app.tenant();
  const operator = await visitor(app, { merchant_id: own.merchant_id, role: "owner", is_operator: true });
  return { shop, seller, operator };
}

/** From the empty list: an emergency number is refused, then one of the merchant's numbers is accepted. */
async function askForNumber({ page }: Awaited<ReturnType<typeof open>>): Promise<void> {
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
    const theirs = await open(seller.email, "/numbers");
    const ours = await open(operator.email, "/operator/numbers");
    const dialog = theirs.page.getByRole("dialog");
    await askForNumber(theirs);

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

test(
  "an operator assigns a number, and sees whose it is before approving it for another project",
  async () => {
    const { shop, operator } = await people();
    const other = await app.tenant({ livemode: true });
    const { page, complaints } = await open(operator.email, "/operator/numbers");
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
    const reading = await open(viewer.email, "/numbers");
    await reading.page.getByRole("heading", { name: "CORNER" }).waitFor();
    expect(await reading.page.locator("main button").count()).toBe(0);
    const { page, complaints } = await open(seller.email, "/numbers");
    await page.getByRole("heading", { name: "+14155552673", exact: true }).waitFor();
    await screenshot(page, shot("list"));
    const remove = say("Remove number", "释放号码");
    await page.getByRole("button", { name: say("Remove number: +14155552673", "释放号码：+14155552673") }).click();
    await screenshot(page, shot("remove"));
    await page.getByRole("dialog").getByRole("button", { name: remove }).click();
    await page.getByRole("heading", { name: "+14155552673", exact: true }).waitFor({ state: "detached" });
    expect([...complaints, ...reading.complaints]).toEqual([]);
  },
  timeLimit,
);
