import { expect, test } from "vitest";
import { groupReceipts, onePerSet, type Receipt } from "./group-receipts.ts";

type Fit = Receipt["suggestions"][number]["fits"];

const receipt = (id: string, fits: Record<string, Fit>, more: Partial<Receipt> = {}) =>
  ({
    ...{
      id,
      channel: "wechat",
      account_ref: "main",
      amount_minor: 5123,
      state: "final",
      exception_id: null,
      occurred_at: `2026-11-20T08:00:0${id}.000Z`,
    },
    suggestions: Object.entries(fits).map(([order_id, one]) => ({ order_id, order_reference: order_id, fits: one, elsewhere: false })),
    ...more,
  }) as unknown as Receipt;

const actions = (receipts: Receipt[]) => groupReceipts(receipts).map(({ action, approved }) => [action, approved.map(({ id }) => id)]);

test.each([
  ["as many transfers as approved payments are one set", { a: "approved", b: "approved" }, ["1", "2"], [["set", ["a", "b"]]]],
  [
    "an order that only was asked the same keeps them a set, which a person closes",
    { a: "approved", b: "approved", c: "payable" },
    ["1", "2"],
    [["set", ["a", "b"]]],
  ],
  [
    "more transfers than approved payments are chosen one by one",
    { a: "approved", b: "approved", c: "payable" },
    ["1", "2", "3"],
    [["link", ["a", "b"]]],
  ],
  [
    "fewer transfers than approved payments are chosen one by one",
    { a: "approved", b: "approved", c: "approved" },
    ["1", "2"],
    [["choose", ["a", "b", "c"]]],
  ],
  ["one transfer and two orders: a person says which", { a: "approved", c: "payable" }, ["1"], [["choose", ["a"]]]],
  ["one transfer and one order", { c: "payable" }, ["1"], [["link", []]]],
] as [string, Record<string, Fit>, string[], unknown[]][])("%s", (_name, fits, ids, wanted) => {
  expect(actions(ids.map((id) => receipt(id, fits)))).toEqual(wanted);
});

test("what was refunded in the wallet isn't part of a set", () => {
  const fits = { a: "approved", b: "approved" } as const;
  expect(actions([receipt("1", fits), receipt("2", fits, { state: "refunded" })])).toEqual([["choose", ["a", "b"]]]);
});

test("of each set one transfer is sent to undo it, and counts for all of its selected ones", () => {
  const receipts = [
    { id: "1", set_id: "a" },
    { id: "2", set_id: null },
    { id: "3", set_id: "a" },
    { id: "4", set_id: "b" },
  ];
  expect([...onePerSet(receipts)]).toEqual([
    ["1", 2],
    ["2", 1],
    ["4", 1],
  ]);
});
