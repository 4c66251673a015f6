import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { putProfile } from "#collection/index.ts";
import { auditBooks, createOrder, expireDue, findOrder, startPayment } from "#orders/index.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { wechatWorkbook } from "./merchant-bills.ts";
import { type AlipayRow, alipayStatement, type WechatRow, wechatStatement, writtenTime } from "./statements.ts";

/** A day of a shop: orders of a few prices, what their buyers did, and both wallets' exports of it. */
export interface Day {
  tenant: TestTenant;
  orders: { id: string; reference: string; payer: string; does: Operation }[];
  /** What the file's rows become, and how many they are, as the import dialog shows it. */
  files: { name: string; bytes: Buffer; counts: Record<string, number> }[];
}

/** What a row of a statement becomes. */
type Part = "settled" | "held" | "unmatched" | "skipped";

type Operation = "pays" | "pays twice" | "another amount" | "leaves";

const codes = { wechat: "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234", alipay: "https://qr.alipay.com/fkx12345abcdefghijklm01" };
const minuteMs = 60_000;

/**
 * Creates the day: `count` orders of `prices` prices, of which nineteen in twenty are paid, three of those twice and two with another
 * amount; red packets, purchases, a withdrawal and a refund in between, and names with unquoted commas.
 */
export async function statementDay(app: TestApp, given: { count: number; prices: number }): Promise<Day> {
  const { ctx, clock } = app;
  const tenant = await app.tenant();
  for (const channel of ["wechat", "alipay"] as const)
    await putProfile(ctx, tenant, { channel, if_version: null, qr_payload: codes[channel], matching: { mode: "unique_amount" } });
  const wechat: (WechatRow & { becomes: Part })[] = [];
  const alipay: (AlipayRow & { becomes: Part })[] = [];
  const orders: Day["orders"] = [];
  const unpaid = Math.max(2, Math.round(given.count / 20));
  for (let n = 0; n < given.count; n += 1) {
    const channel = n % 2 === 0 ? ("wechat" as const) : ("alipay" as const);
    const { order } = await createOrder(ctx, tenant, {
      amount_minor: 1_900 + (n % given.prices) * 500,
      currency: "CNY",
      reference: `DAY-${n + 1}`,
      expires_in: 2 * 86_400,
    });
    const { session } = await startPayment(ctx, tenant, { order_id: order.id, gateway: channel === "wechat" ? "wechatpay" : "alipay" });
    const does = operationOf(n, { count: given.count, unpaid });
    const payer = `买家${n}`;
    orders.push({ id: order.id, reference: order.reference, payer, does });
    clock.advance(minuteMs);
    const paidMinor = session.payable_amount_minor + (does !== "another amount" ? 0 : n === 5 ? 800 : -20);
    for (let time = 0; time < (does === "leaves" ? 0 : does === "pays twice" ? 2 : 1); time += 1) {
      const becomes: Part = does === "another amount" ? "unmatched" : time === 0 ? "settled" : "held";
      const row = { amount: (paidMinor / 100).toFixed(2), time: writtenTime(new Date(ctx.now().getTime() + time * 30_000)), becomes };
      if (channel === "wechat") wechat.push({ ...row, payer: n % 20 === 0 ? "王,五" : payer });
      else alipay.push({ ...row, payer: n % 20 === 1 ? "李,四" : payer });
    }
    clock.advance(minuteMs);
  }
  const others = otherRows(writtenTime(ctx.now()));
  wechat.push(...others.wechat);
  alipay.push(...others.alipay);
  for (const [index, row] of wechat.entries()) row.number = numberOf(index);
  const half = Math.floor(wechat.length / 2);
  // The payer's comma is unquoted in the CSVs.
  const files = [
    { name: "微信支付账单.xlsx", bytes: wechatWorkbook(wechat.slice(0, half)), counts: countsOf(wechat.slice(0, half)) },
    { name: "微信支付账单.csv", bytes: wechatStatement(wechat.slice(half)), counts: countsOf(wechat.slice(half)) },
    { name: "支付宝账单.csv", bytes: alipayStatement(alipay), counts: countsOf(alipay) },
  ];
  return { tenant, orders, files };
}

/** Other rows in the wallets: private income that fits no order, and rows that aren't income. */
function otherRows(time: string): { wechat: (WechatRow & { becomes: Part })[]; alipay: (AlipayRow & { becomes: Part })[] } {
  return {
    wechat: [
      { type: "微信红包", amount: "6.66", payer: "妈妈", time, becomes: "unmatched" },
      { type: "群收款", amount: "33.30", payer: "同学", time, becomes: "unmatched" },
      { direction: "支出", type: "商户消费", amount: "25.00", state: "支付成功", time, becomes: "skipped" },
      { direction: "/", type: "零钱提现", amount: "500.00", state: "提现已到账", time, becomes: "skipped" },
      { amount: "12.00", state: "已全额退款", payer: "退款人", time, becomes: "skipped" },
    ],
    alipay: [
      { kind: "转账红包", amount: "8.88", payer: "朋友", time, becomes: "unmatched" },
      { direction: "支出", kind: "餐饮美食", amount: "18.00", time, becomes: "skipped" },
    ],
  };
}

/** The rows of each class, as the dialog shows them: without empty classes. */
function countsOf(rows: readonly { becomes: Part }[]): Record<string, number> {
  const counts: Record<string, number> = { rows: rows.length };
  for (const { becomes } of rows) counts[becomes] = (counts[becomes] ?? 0) + 1;
  return counts;
}

/** Both exports of one wallet number its transfers in one sequence. */
const numberOf = (index: number) => `10000499012026112${String(index).padStart(11, "0")}`;

function operationOf(n: number, { count, unpaid }: { count: number; unpaid: number }): Operation {
  if (n >= count - unpaid) return "leaves";
  if (n === 3 || n === 8 || n === 13) return "pays twice";
  return n === 5 || n === 10 ? "another amount" : "pays";
}

/** Each order's end, as its own page would say it. */
export async function endsOf(app: TestApp, day: Day): Promise<Record<string, number>> {
  const ends: Record<string, number> = {};
  for (const { id, does } of day.orders) {
    const { order } = await findOrder(app.ctx, day.tenant, id);
    const end = `${does}: ${order.status}`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

/** The counts that the import dialog shows, by their name. */
export async function shownCounts(page: Page): Promise<Record<string, number>> {
  const cells = await page.locator("[data-count]").all();
  const pairs = await Promise.all(
    cells.map(async (cell) => [await cell.getAttribute("data-count"), Number(await cell.textContent())] as const),
  );
  expect(pairs.length).toBeGreaterThan(1);
  return Object.fromEntries(pairs);
}

interface Walk {
  clicks: number;
  /** For each file: what the dialog showed before and after. */
  shown: { before: Record<string, number>; after: Record<string, number> }[];
}

/**
 * A person's morning after: imports both wallets' files, assigns wrong amounts to their orders, sets private income aside, resolves
 * exceptions. Every press is counted.
 */
export async function walkDay(page: Page, given: { day: Day; origin: string }): Promise<Walk> {
  const { day, origin } = given;
  const walk: Walk = { clicks: 0, shown: [] };
  const dialog = page.getByRole("dialog");
  const press = async (target: Locator) => {
    await target.click();
    walk.clicks += 1;
  };
  await page.goto(`${origin}/dashboard/receipts`);
  for (const file of day.files) {
    await press(page.getByRole("button", { name: "Import statement" }).first());
    await dialog.locator("input[type=file]").setInputFiles({ name: file.name, mimeType: "application/octet-stream", buffer: file.bytes });
    walk.clicks += 2;
    await dialog.getByRole("button", { name: "Import", exact: true }).waitFor();
    const before = await shownCounts(page);
    await press(dialog.getByRole("button", { name: "Import", exact: true }));
    await page.getByRole("dialog", { name: "Statement imported" }).waitFor();
    walk.shown.push({ before, after: await shownCounts(page) });
    await press(dialog.getByRole("button", { name: "Close", exact: true }).last());
    await dialog.waitFor({ state: "detached" });
  }
  for (const { payer, reference } of day.orders.filter(({ does }) => does === "another amount")) {
    const line = page.locator(".waiting-line").filter({ hasText: new RegExp(`${payer}(?!\\d)`) });
    await press(line.getByRole("button", { name: "Assign to order…" }));
    await dialog.getByRole("searchbox").fill(reference);
    await press(dialog.getByRole("radio", { name: reference, exact: true }));
    await press(dialog.getByRole("button", { name: "Assign", exact: true }));
    await dialog.waitFor({ state: "detached" });
    await line.waitFor({ state: "detached" });
  }
  await press(page.getByLabel(/^All without a match/));
  await press(page.getByRole("button", { name: /^Ignore \d+ transfers…$/ }));
  await expectNothingChosen(dialog);
  await press(dialog.getByRole("radio", { name: "Private transfer" }));
  await press(dialog.getByRole("button", { name: "Ignore", exact: true }));
  await page.getByText("You're all caught up").waitFor();
  await resolveExceptions(page, press);
  return walk;
}

/** Closes the exceptions of orders that were paid twice, and assigns the others' money to their orders. */
async function resolveExceptions(page: Page, press: (target: Locator) => Promise<void>): Promise<void> {
  const dialog = page.getByRole("dialog");
  await press(page.getByRole("link", { name: /^Exceptions/ }).first());
  const open = page.locator("main").getByRole("button", { name: "Resolve", exact: true });
  await open.first().waitFor();
  for (let left = await open.count(); left > 0; left -= 1) {
    await press(open.first());
    await expectNothingChosen(dialog);
    await press(
      dialog.getByRole("radio", {
        name: (await dialog.getByText("Paid twice").isVisible()) ? /^Close this exception/ : /^Assign to its order/,
      }),
    );
    await press(dialog.getByRole("button", { name: "Resolve", exact: true }));
    await dialog.waitFor({ state: "detached" });
    if (left > 1) await expect.poll(() => open.count()).toBe(left - 1);
  }
  await page.getByText("No exceptions").waitFor();
}

/** A dialog doesn't preselect what it asks a person to decide. */
async function expectNothingChosen(dialog: Locator): Promise<void> {
  await dialog.getByRole("radio").first().waitFor();
  expect(await dialog.getByRole("radio", { checked: true }).count()).toBe(0);
}

/** The expected state after the day: the dialog counted each file's rows, everything is decided, and the books agree. */
export async function expectDayClosed(app: TestApp, given: { day: Day; walk: Walk }): Promise<void> {
  const { day, walk } = given;
  expect(walk.shown).toEqual(day.files.map(({ counts }) => ({ before: counts, after: counts })));
  app.clock.advance(3 * 86_400_000);
  for (let expired = 1; expired > 0; ) expired = await expireDue(app.ctx);
  const count = (does: Operation) => day.orders.filter((order) => order.does === does).length;
  expect(await endsOf(app, day)).toEqual({
    "pays: paid": count("pays"),
    "pays twice: paid": count("pays twice"),
    "another amount: paid": count("another amount"),
    "leaves: expired": count("leaves"),
  });
  const api = app.api(day.tenant.key);
  const base = `/api/v1/projects/${day.tenant.project_id}`;
  expect((await api.get(`${base}/receipts?status=unmatched`)).body.data).toEqual([]);
  expect((await api.get(`${base}/exceptions?status=open`)).body.data).toEqual([]);
  expect(await auditBooks(app.ctx)).toEqual([]);
}
