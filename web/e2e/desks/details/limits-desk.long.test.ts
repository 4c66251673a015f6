import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { pauseRange } from "../../../../server/test/support/dashboard/dashboard-guards.ts";
import { limitsDesk } from "../../../../server/test/support/desks/limits-desk.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const { open, shopIn, person, shot, refused } = limitsDesk(dashboard);
const timeLimit = 240_000;
const hasKeyboard = (one: unknown) => (one as { matches(selector: string): boolean }).matches(":focus");

test(
  "a merchant reads above SMS, calls and codes which ranges are paused and why, and releases one; a person who may only read can't",
  async () => {
    const shop = await shopIn("US");
    await pauseRange(app, shop, { channel: "sms", prefix: "99855" });
    await pauseRange(app, shop, { channel: "call", prefix: "99856" });
    const { page, goto, dialog, press, complaints } = await open(await person(shop, "owner"));
    await goto("/calls");
    await page.getByText(say("LIVE calls to +99856 are paused", "拨往 +99856 的正式通话已暂停")).waitFor();
    await goto("/verifications");
    await page.getByText(say("LIVE SMS and calls to +99856 and +99855 are paused", "发往 +99856、+99855 的正式短信和通话已暂停")).waitFor();
    await goto("/sms");
    await page.getByText(say("LIVE SMS to +99855 are paused", "发往 +99855 的正式短信已暂停")).waitFor();
    await expectAccessible(page);
    await screenshot(page, shot("note"));
    await page.getByRole("link", { name: say("Review paused ranges", "查看已暂停的号段") }).click();
    await page.getByText(say("1,240 SMS within an hour, 97% to consecutive numbers", "一小时内 1,240 条短信，其中 97% 发往连号")).waitFor();
    await expectAccessible(page);
    await screenshot(page, shot("paused"));
    await press(say("Release +99855 (SMS)", "恢复 +99855（短信）"));
    await dialog.getByText(say("won't be paused for the next 30 days", "30 天内不会再次暂停")).waitFor();
    await expectAccessible(page);
    await screenshot(page, shot("release"));
    await dialog.getByRole("button", { name: say("Release", "恢复"), exact: true }).click();
    await page.getByText(say("Numbers starting with +99855", "以 +99855 开头的号码")).waitFor({ state: "detached" });
    expect(await page.getByText(say("Numbers starting with +99856", "以 +99856 开头的号码")).count()).toBe(1);

    const reading = await open(await person(shop, "viewer"));
    await reading.goto("/limits");
    await reading.page.getByText(say("Numbers starting with +99856", "以 +99856 开头的号码")).waitFor();
    await reading.page.getByText(say("Only owners and admins can change these limits.", "只有所有者和管理员可以修改这些限制。")).waitFor();
    expect(await reading.page.locator("main button:not([tabindex='-1'])").count()).toBe(0);
    await expectAccessible(reading.page);
    expect([...complaints, ...reading.complaints]).toEqual([]);
  },
  timeLimit,
);

test(
  "a business without a country sees that none can be reached, and what to do",
  async () => {
    const { page, goto } = await open(await person(await app.tenant({ livemode: true }), "owner"));
    await goto("/limits");
    await page.getByText(say("Add the countries you send to above.", "请在上方添加要发往的国家/地区。")).waitFor();
  },
  timeLimit,
);

test(
  "an operator imports prices: every faulty line is listed and nothing changes; a price is added, changed and removed",
  async () => {
    const operator = await person(await app.tenant(), "owner", true);
    const { page, goto, dialog, press, complaints } = await open(operator);
    const prices = async () =>
      (await operator.api.get("/api/admin/message-prices")).body.prices as { destination: string; price_micros: number }[];
    await goto("/operator/prices");
    await page.locator(".empty").waitFor();
    await screenshot(page, shot("no-prices"));
    await press(say("Import CSV", "导入 CSV"));
    const file = (text: string) =>
      dialog.locator("input[type=file]").setInputFiles({ name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    const replace = dialog.getByRole("button", { name: say("Replace all prices", "替换全部价格") });
    await file("sms,XX,1\nfax,US,1\nsms,US,0.0075\n");
    await replace.click();
    await dialog.getByText(say("2 lines have errors. Nothing was changed.", "2 行有误，未做任何更改。")).waitFor();
    expect(await dialog.locator(".price-faults li").count()).toBe(2);
    await expectAccessible(page);
    await screenshot(page, shot("import"));
    expect(await prices()).toEqual([]);
    await file("channel,destination,price\nsms,US,0.0075\nsms,1876,0.21\n");
    await replace.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(say("There's no SMS price for “Everywhere else”", "短信没有设置“其他所有地区”的价格")).waitFor();
    await expectAccessible(page);

    await press(say("Add a price", "添加价格"));
    await dialog.getByLabel(say("Destination", "目的地")).fill("XX");
    await dialog.getByLabel(say("Price", "价格"), { exact: true }).fill("0.12");
    await dialog.getByRole("button", { name: say("Add a price", "添加价格") }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await dialog.getByRole("button", { name: say("Cancel", "取消") }).click();
    await dialog.waitFor({ state: "detached" });
    await press(say("Add this price", "添加此价格"));
    expect(await dialog.getByLabel(say("Destination", "目的地")).inputValue()).toBe("*");
    await dialog.getByLabel(say("Price", "价格"), { exact: true }).fill("0.12");
    await dialog.getByRole("button", { name: say("Add a price", "添加价格") }).click();
    await dialog.waitFor({ state: "detached" });
    await screenshot(page, shot("prices"));
    expect(await prices()).toHaveLength(3);

    await press(say("Edit price: United States, SMS, per part", "编辑价格：美国，短信（每条）"));
    await dialog.getByRole("button", { name: say("Remove price", "删除价格") }).click();
    await expectAccessible(page);
    await screenshot(page, shot("remove"));
    await dialog.getByRole("button", { name: say("Remove price", "删除价格") }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await prices()).map(({ destination }) => destination).toSorted()).toEqual(["*", "1876"]);
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "an operator sets where all projects may send, sees every paused range with its project, and releases one",
  async () => {
    const shop = await shopIn("US");
    await pauseRange(app, shop, { channel: "sms", prefix: "99857" });
    const operator = await person(await app.tenant(), "owner", true);
    const { page, goto, dialog, press, complaints } = await open(operator);
    await goto("/operator/reach");
    const range = page.getByRole("combobox", { name: say("Blocked number ranges", "禁止的号段") });
    await range.fill("0049");
    await range.press("Enter");
    const save = say("Save destinations", "保存目的地");
    await press(save);
    await page.locator("form [aria-invalid=true]").waitFor();
    await expectAccessible(page);
    await screenshot(page, shot("destinations"));
    await range.press("Backspace");
    await range.fill("+88213");
    await range.press("Enter");
    await press(save);
    await page.getByText(say("Destinations saved", "目的地已保存")).waitFor();
    expect((await operator.api.get("/api/admin/messaging-policy")).body).toMatchObject({ denied_prefixes: ["88213"] });
    await press(say("Release +99857 (SMS)", "恢复 +99857（短信）"));
    await dialog.getByRole("button", { name: say("Release", "恢复"), exact: true }).click();
    await page.getByRole("button", { name: say("Release +99857 (SMS)", "恢复 +99857（短信）") }).waitFor({ state: "detached" });
    const released = (await operator.api.get("/api/admin/messaging-pauses?status=released")).body.data as { prefix: string }[];
    expect(released.map(({ prefix }) => prefix)).toContain("99857");
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "half a number range isn't added when its field is left, and saving waits until it is added or cleared",
  async () => {
    const operator = await person(await app.tenant(), "owner", true);
    const { page, goto, press, complaints } = await open(operator);
    const ranges = async () => (await operator.api.get("/api/admin/messaging-policy")).body.denied_prefixes as string[];
    await goto("/operator/reach");
    const range = page.getByRole("combobox", { name: say("Blocked number ranges", "禁止的号段") });
    const save = say("Save destinations", "保存目的地");
    await range.fill("99");
    await press(save);
    await page.getByText(say("This range isn't added yet.", "此号段尚未添加。")).waitFor();
    await expect.poll(() => range.evaluate(hasKeyboard)).toBe(true);
    await expectAccessible(page);
    await screenshot(page, shot("half-a-range"));
    expect(await ranges()).not.toContain("99");
    await range.fill("99214");
    await press(say("Add: 99214", "添加：99214"));
    await press(save);
    await page.getByText(say("Destinations saved", "目的地已保存")).waitFor();
    expect(await ranges()).toContain("99214");
    expect(await ranges()).not.toContain("99");
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "an operator opens a merchant's project, sees its spend, and sets and removes caps; the merchant's page shows what applies",
  async () => {
    const shop = await shopIn("US");
    const operator = await person(await app.tenant(), "owner", true);
    const limits = `/api/admin/projects/${shop.project_id}/messaging-limits`;
    const { page, goto, press, complaints } = await open(operator);
    await goto(`/operator/merchants/${shop.merchant_id}`);
    await expectAccessible(page);
    await screenshot(page, shot("merchant"));
    await page.locator("main").getByRole("link", { name: "Shop" }).click();
    await page.getByRole("heading", { name: say("Shop: spend and caps", "Shop：费用与上限") }).waitFor();
    const calls = page.getByLabel(say("Simultaneous calls", "同时通话数"));
    await calls.fill("many");
    await page.getByText(say("Enter a number, or leave it blank", "请填写数字，或留空")).waitFor();
    const save = say("Save caps", "保存上限");
    expect(await page.getByRole("button", { name: save }).isDisabled()).toBe(true);
    await calls.fill("7");
    await expectAccessible(page);
    await screenshot(page, shot("operator-caps"));
    await press(save);
    await page.getByText(say("Current cap: 7", "目前上限：7")).waitFor();
    expect((await operator.api.get(limits)).body).toMatchObject({
      operator_caps: { calls_at_once: 7 },
      effective_caps: { calls_at_once: 7 },
    });

    const owner = await open(await person(shop, "owner"));
    await owner.goto("/limits");
    await owner.page.getByText(say("Current cap: 7", "目前上限：7")).waitFor();

    await calls.fill("8");
    const elsewhere = await operator.api.call("PATCH", limits, { body: { operator_caps: { calls_at_once: 6 } } });
    expect(elsewhere.status).toBe(200);
    await press(save);
    await expect.poll(() => calls.inputValue()).toBe("6");
    await calls.fill("");
    await press(save);
    await expect.poll(async () => (await operator.api.get(limits)).body.operator_caps.calls_at_once).toBe(null);
    expect([...complaints, ...owner.complaints].filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);
