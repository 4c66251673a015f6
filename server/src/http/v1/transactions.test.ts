import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp();
const refusals = refusalsIn(app);

refusals("GET /api/v1/transactions", () => ({}), [
  { name: "a type that is none", query: "type=gift", status: 400, code: "parameter_invalid", param: "type" },
  { name: "a format that is none", query: "format=xlsx", status: 400, code: "parameter_invalid", param: "format" },
  { name: "a cursor that names nothing", query: "ending_before=txn_none", status: 400, code: "invalid_cursor", param: "ending_before" },
]);
refusals("GET /api/v1/wallets", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=wal_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);

async function pay(shop: TestTenant, reference: string): Promise<string> {
  const { order } = await createOrder(app.ctx, shop, { amount_minor: 1000, currency: "CNY", reference });
  await simulatePayment(app.ctx, shop, { order_id: order.id });
  return order.id;
}

test("received money is listed, filtered and summed up in a wallet", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const [one, two] = [await pay(shop, "ONE"), await pay(shop, "TWO")];
  const list = await api.get("/api/v1/transactions?limit=1");
  expect(list.body).toMatchObject({
    url: "/api/v1/transactions",
    has_more: true,
    data: [{ object: "transaction", type: "payment", status: "completed", order_id: two, amount_minor: 1000 }],
  });
  expect((await api.get(`/api/v1/transactions?order_id=${one}`)).body.data).toMatchObject([{ reference: "ONE" }]);
  expect((await api.get("/api/v1/transactions?type=refund")).body.data).toEqual([]);
  expect((await api.get("/api/v1/wallets")).body.data).toMatchObject([
    { object: "wallet", gateway: "wechatpay", currency: "CNY", custody: "external", balance_minor: 2000 },
  ]);
});

test("the whole list is exported as CSV and as JSON Lines", async () => {
  const shop = await app.tenant();
  await pay(shop, "=1+1");
  const csv = await app.api(shop.key).get("/api/v1/transactions?format=csv");
  expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(csv.headers["content-disposition"]).toBe('attachment; filename="transactions.csv"');
  expect(csv.text.startsWith("\ufeffid,")).toBe(true);
  expect(csv.text.trimEnd().split("\r\n")).toHaveLength(2);
  expect(csv.text).toContain(",'=1+1,");
  const lines = (await app.api(shop.key).get("/api/v1/transactions?format=jsonl")).text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).reference)).toEqual(["=1+1"]);
});

test("Accept requests an export too, and the total is counted on request", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  for (const reference of ["A", "B", "C"]) await pay(shop, reference);
  for (const [accept, type] of [
    ["text/csv", "text/csv; charset=utf-8"],
    ["application/jsonl;q=1, */*;q=0.1", "application/jsonl; charset=utf-8"],
    ["*/*", "application/json; charset=utf-8"],
  ] as const) {
    expect((await api.get("/api/v1/transactions", { headers: { accept } })).headers["content-type"]).toBe(type);
  }
  expect((await api.get("/api/v1/transactions?limit=1&include=total_count")).body).toMatchObject({ has_more: true, total_count: 3 });
  expect((await api.get("/api/v1/transactions?reference=A&include=total_count")).body).toMatchObject({ has_more: false, total_count: 1 });
  expect((await api.get("/api/v1/wallets?include=total_count")).body).toMatchObject({ total_count: 1 });
});

test("wallets are exported like transactions, in both forms", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  await pay(shop, "A");
  const [wallet] = (await api.get("/api/v1/wallets")).body.data;
  const lines = await api.get("/api/v1/wallets?format=jsonl");
  expect(lines.headers["content-disposition"]).toBe('attachment; filename="wallets.jsonl"');
  expect(JSON.parse(lines.text)).toEqual(wallet);
  const csv = await api.get("/api/v1/wallets?time_zone=Asia/Shanghai&gateway=wechatpay", { headers: { accept: "text/csv" } });
  expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(csv.text.startsWith("\ufeff")).toBe(true);
  const [head = "", row = ""] = csv.text.split("\r\n");
  const cells = Object.fromEntries(
    head
      .replace("\uFEFF", "")
      .split(",")
      .map((name, index) => [name, row.split(",")[index]]),
  );
  expect(cells).toMatchObject({
    id: wallet.id,
    balance_minor: String(wallet.balance_minor),
    balance: (wallet.balance_minor / 100).toFixed(2),
    time_zone: "Asia/Shanghai",
  });
  expect((await api.get("/api/v1/wallets?format=csv&currency=USD")).text.trim().split("\r\n")).toHaveLength(1);
});

test("a session reads the ledger only of the project that its page shows, and of its own merchant", async () => {
  const shop = await app.tenant();
  const second = await app.tenant({ merchant_id: shop.merchant_id });
  const stranger = await app.tenant();
  const person = await visitor(app, { merchant_id: shop.merchant_id, role: "accountant" });
  const { order } = await createOrder(app.ctx, second, { amount_minor: 1000, currency: "CNY" });
  await simulatePayment(app.ctx, second, { order_id: order.id, outcome: "paid" });
  const count = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await person.in("test").get(`/api/v1/transactions${query}`, { headers });
    return answer.status === 200 ? answer.body.data.length : answer.body.error.code;
  };
  expect(await count(`?project_id=${shop.project_id}`)).toBe(0);
  expect(await count(`?project_id=${second.project_id}`)).toBe(1);
  expect(await count("", { "tillpost-project": second.project_id })).toBe(1);
  expect(await count(`?project_id=${stranger.project_id}`)).toBe("project_mismatch");
  expect(await count("", { "tillpost-project": stranger.project_id })).toBe("project_mismatch");
  const ofKey = await app.api(shop.key).get(`/api/v1/transactions?project_id=${second.project_id}`);
  expect(ofKey.body.error.code).toBe("project_mismatch");
});
