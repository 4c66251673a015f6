import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { newId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookTransfers } from "#test/support/payments/book-transfers.ts";
import {
  exportTransactions,
  findTransaction,
  listTransactions,
  listWallets,
  type NewTransfer,
  reverseTransfer,
  rollBalances,
  type TransactionFilters,
} from "./index.ts";

const { ctx, database } = await testApp();
const shop = { project_id: "prj_shop", livemode: false };
const start = new Date("2026-11-20T08:00:00.000Z").getTime();
const minute = (index: number) => new Date(start + index * 60_000);

const transfer = (index: number, given: Partial<NewTransfer> = {}): NewTransfer => ({
  id: newId("txn"),
  kind: "order_payment",
  source: `source ${index}`,
  debit: "custody",
  credit: "sales",
  amount_minor: 1000 + index,
  currency: "CNY",
  gateway: "wechatpay",
  order_id: `ord_${index}`,
  reference: `INV-${index}`,
  created_by: "test",
  now: minute(index),
  ...given,
});

const booked = await database.transact((tx) =>
  bookTransfers(tx, shop, [
    transfer(0),
    transfer(1, { gateway: "alipay" }),
    transfer(2, { kind: "suspense", credit: "suspense" }),
    transfer(3, { kind: "suspense", credit: "suspense" }),
    transfer(4, { kind: "excess", credit: "excess", order_id: "ord_0", reference: "INV-0" }),
    transfer(5, { kind: "refund", debit: "refunds", credit: "custody", amount_minor: 300, order_id: "ord_0", reference: "INV-0" }),
    transfer(6, { kind: "fee", debit: "fees", credit: "custody", amount_minor: 7 }),
    transfer(7, { currency: "USD", gateway: "stripe" }),
  ]),
);
const reversal = await database.transact((tx) =>
  reverseTransfer(tx, shop, { id: newId("txn"), reverses: booked[3]?.id ?? "", source: "back", created_by: "test", now: minute(8) }),
);
await database.transact((tx) => bookTransfers(tx, { ...shop, livemode: true }, [transfer(0)]));
await database.transact((tx) => bookTransfers(tx, { ...shop, project_id: "prj_else" }, [transfer(0)]));
const ids = [...booked, reversal].map(({ id }) => id);
const at = (...indexes: number[]) => indexes.map((index) => ids[index]).reverse();

test.each<[string, TransactionFilters, (string | undefined)[]]>([
  ["everything, newest first", {}, at(0, 1, 2, 3, 4, 5, 6, 7, 8)],
  ["what is still held", { status: ["held"] }, at(2, 4)],
  ["what was taken back", { status: ["reversed"] }, at(3)],
  ["held or taken back", { status: ["held", "reversed"] }, at(2, 3, 4)],
  ["payments of every kind", { type: ["payment"] }, at(0, 1, 2, 3, 4, 7)],
  ["refunds and fees", { type: ["refund", "fee"] }, at(5, 6)],
  ["a type that nothing books", { type: ["payout"] }, []],
  ["one gateway", { gateway: ["alipay"] }, at(1)],
  ["two currencies", { currency: ["USD", "EUR"] }, at(7)],
  ["one reference", { reference: ["INV-0"] }, at(0, 4, 5)],
  ["one order and one type", { order_id: ["ord_0"], type: ["refund"] }, at(5)],
  ["a span of time, its start in and its end out", { created: { gte: minute(2), lt: minute(4) } }, at(2, 3)],
  ["a span of time, its start out and its end in", { created: { gt: minute(2), lte: minute(4) } }, at(3, 4)],
])("lists %s", async (_what, filters, expected) => {
  const page = await listTransactions(ctx, shop, { limit: 100, filters });
  expect(page?.data.map(({ id }) => id)).toEqual(expected);
});

test("a shortfall is an adjustment that moves nothing, also if an earlier version booked it as a payment", async () => {
  const old = { project_id: "prj_old", livemode: false };
  const short = { debit: "shortfall", amount_minor: 3 } as const;
  const transfers = [transfer(0), transfer(1, short), transfer(2, { ...short, kind: "adjustment" })];
  await database.transact((tx) => bookTransfers(tx, old, transfers));
  const listed = async (type: "payment" | "adjustment") =>
    (await listTransactions(ctx, old, { limit: 9, filters: { type: [type] } }))?.data;
  const moved = { amount_minor: 0, fee_minor: 0, net_minor: 0, forgiven_minor: 3 };
  expect(await listed("adjustment")).toMatchObject([moved, moved]);
  expect(await listed("payment")).toMatchObject([{ amount_minor: 1000, fee_minor: 0, net_minor: 1000, forgiven_minor: 0 }]);
  expect((await listWallets(ctx, old, { limit: 9 }))?.data).toMatchObject([{ balance_minor: 1000 }]);
});

test("pages forwards and backwards without a gap or a repeat", async () => {
  const forwards: string[] = [];
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const page = await listTransactions(ctx, shop, { limit: 4, ...(cursor === undefined ? {} : { starting_after: cursor }) });
    forwards.push(...(page?.data ?? []).map(({ id }) => id));
    cursor = forwards.at(-1);
    more = page?.has_more ?? false;
  }
  expect(forwards).toEqual([...ids].reverse());
  const back = await listTransactions(ctx, shop, { limit: 2, ending_before: ids[0] ?? "" });
  expect(back).toMatchObject({ data: [{ id: ids[2] }, { id: ids[1] }], has_more: true });
  expect(await listTransactions(ctx, shop, { limit: 9, ending_before: ids[6] ?? "" })).toMatchObject({
    data: [{ id: ids[8] }, { id: ids[7] }],
    has_more: false,
  });
});

test("accepts no cursor and no transaction of another project or environment", async () => {
  for (const tenant of [
    { ...shop, livemode: true },
    { ...shop, project_id: "prj_else" },
  ]) {
    expect(await listTransactions(ctx, tenant, { limit: 5, starting_after: ids[0] ?? "" })).toBeNull();
    expect(await listTransactions(ctx, tenant, { limit: 5, ending_before: ids[0] ?? "" })).toBeNull();
    expect(await findTransaction(ctx, tenant, ids[0] ?? "")).toBeNull();
    expect((await listTransactions(ctx, tenant, { limit: 5 }))?.data).toHaveLength(1);
  }
  expect(await findTransaction(ctx, shop, ids[3] ?? "")).toMatchObject({ type: "payment", status: "reversed", amount_minor: 1003 });
  expect(await findTransaction(ctx, shop, ids[8] ?? "")).toMatchObject({
    type: "reversal",
    status: "completed",
    amount_minor: -1003,
    reverses: ids[3],
  });
});

test("shows each wallet the same before, during and after its balances are rolled up", async () => {
  const expected = [
    {
      gateway: "stripe",
      currency: "USD",
      custody: "external",
      balance_minor: 1007,
      available_minor: 1007,
      pending_minor: 0,
      refunded_minor: 0,
      updated_at: minute(7),
    },
    {
      gateway: "alipay",
      currency: "CNY",
      balance_minor: 1001,
      available_minor: 1001,
      pending_minor: 0,
      refunded_minor: 0,
      updated_at: minute(1),
    },
    {
      gateway: "wechatpay",
      currency: "CNY",
      balance_minor: 2699,
      available_minor: 693,
      pending_minor: 2006,
      refunded_minor: 300,
      updated_at: minute(8),
    },
  ];
  for (const limit of [0, 3, 100]) {
    await rollBalances(ctx, limit);
    const wallets = (await listWallets(ctx, shop, { limit: 10 }))?.data ?? [];
    expect(wallets.sort((a, b) => (a.gateway < b.gateway ? 1 : -1))).toMatchObject([expected[2], expected[0], expected[1]]);
  }
  expect((await listWallets(ctx, shop, { limit: 10, gateway: ["alipay"] }))?.data).toHaveLength(1);
  expect((await listWallets(ctx, shop, { limit: 10, currency: ["JPY"] }))?.data).toEqual([]);
});

test("pages wallets, and accepts no cursor of another environment", async () => {
  const all = (await listWallets(ctx, shop, { limit: 10 }))?.data ?? [];
  const first = await listWallets(ctx, shop, { limit: 2 });
  expect(first).toMatchObject({ data: all.slice(0, 2), has_more: true });
  expect(await listWallets(ctx, shop, { limit: 2, starting_after: all[1]?.id ?? "" })).toMatchObject({
    data: all.slice(2),
    has_more: false,
  });
  expect(await listWallets(ctx, shop, { limit: 2, ending_before: all[2]?.id ?? "" })).toMatchObject({
    data: all.slice(0, 2),
    has_more: false,
  });
  expect(await listWallets(ctx, { ...shop, livemode: true }, { limit: 2, starting_after: all[0]?.id ?? "" })).toBeNull();
});

test("exports in pages what the list shows, as lines of JSON and as CSV that no spreadsheet executes", async () => {
  const big = { project_id: "prj_big", livemode: true };
  const texts = ["=1+1", "+49 30", "-5", "@cmd", "\tindented", 'He said "no", twice', "two\nlines", "plain"];
  const many = Array.from({ length: 1203 }, (_, index) =>
    transfer(index, { description: texts[index % texts.length] ?? null, currency: index % 2 === 0 ? "CNY" : "JPY" }),
  );
  await database.transact((tx) => bookTransfers(tx, big, many));
  const wanted = many.map(({ id }) => id).reverse();

  const json = await collect(exportTransactions(ctx, big, { format: "jsonl" }));
  expect(json.pieces).toBe(3);
  expect(
    json.text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id),
  ).toEqual(wanted);

  const csv = parse((await collect(exportTransactions(ctx, big, { format: "csv" }))).text, { columns: true, bom: true }) as Record<
    string,
    string
  >[];
  expect(csv.map((row) => row["id"])).toEqual(wanted);
  expect(new Set(csv.map((row) => row["description"]))).toEqual(
    new Set(["'=1+1", "'+49 30", "'-5", "'@cmd", "'\tindented", 'He said "no", twice', "two\nlines", "plain"]),
  );
  expect(csv.at(-1)).toMatchObject({
    amount: "10.00",
    amount_minor: "1000",
    currency: "CNY",
    created_at: "2026-11-20T08:00:00.000Z",
    livemode: "true",
  });
  expect(csv.at(-2)).toMatchObject({ amount: "1001", currency: "JPY" });

  expect(csv.at(-1)).toMatchObject({ created_at_local: "2026-11-20 08:00:00", time_zone: "UTC" });
  const local = parse((await collect(exportTransactions(ctx, big, { format: "csv", time_zone: "Asia/Shanghai" }))).text, {
    columns: true,
    bom: true,
  }) as object[];
  expect(local.at(-1)).toMatchObject({
    created_at: "2026-11-20T08:00:00.000Z",
    created_at_local: "2026-11-20 16:00:00",
    time_zone: "Asia/Shanghai",
  });

  const held = await collect(exportTransactions(ctx, shop, { format: "csv", filters: { type: ["refund"] } }));
  expect(held.text.split("\r\n")[1]).toContain(",CNY,-3.00,-300,0,-300,");
});

async function collect(lines: AsyncIterable<string>): Promise<{ text: string; pieces: number }> {
  const pieces: string[] = [];
  for await (const piece of lines) pieces.push(piece);
  return { text: pieces.join(""), pieces: pieces.length };
}
