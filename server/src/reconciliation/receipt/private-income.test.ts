import { expect, test } from "vitest";
import { listTransactions, listWallets } from "#ledger/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, bookInSuspense, receiptShops } from "#test/support/payments/receipt-shop.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);

test("a red packet, a friend's transfer and a share of a bill are receipts that wait, in no books and in no event", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  await shop.paying(9900);
  for (const [amount_minor, kind] of [
    [52_000, "微信红包"],
    [9900, "转账"],
    [3300, "群收款"],
  ] as const)
    expect(await shop.receipt({ amount_minor, kind })).toMatchObject({ receipt: { status: "unmatched", exception_id: null } });
  expect(await shop.cases()).toEqual([]);
  expect((await listTransactions(ctx, shop, { limit: 10 }))?.data).toEqual([]);
  const events = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/events?limit=100`)).body.data as { event: string }[];
  expect(events.filter(({ event }) => event.startsWith("transaction") || event === "payment.exception")).toEqual([]);
  expect(await bookFaults(app)).toEqual([]);
});

test("the merchant's rules set income aside by type, payer and word, but never money with a mark of ours", async () => {
  const shop = await shopWith(
    { mode: "unique_amount" },
    {
      ignore_rules: [
        { field: "type", text: "红包" },
        { field: "payer", text: "妈妈" },
        { field: "word", text: "ＡＡ" },
      ],
    },
  );
  const { order_id, payable } = await shop.paying();
  const seen = [
    await shop.receipt({ amount_minor: 520, kind: "微信红包" }),
    await shop.receipt({ amount_minor: 5000, payer_hint: "妈妈" }),
    await shop.receipt({ amount_minor: 4000, remark: "aa聚餐" }),
    await shop.receipt({ amount_minor: 4000, payer_hint: "妈妈的朋友" }),
  ];
  expect(seen.map(({ receipt, outcome }) => [receipt.status, outcome, receipt.decision_reason])).toEqual([
    ["ignored", "ignored", "rule type: 红包"],
    ["ignored", "ignored", "rule payer: 妈妈"],
    ["ignored", "ignored", "rule word: ＡＡ"],
    ["unmatched", "unmatched", null],
  ]);
  await shop.receipt({ amount_minor: payable, payer_hint: "妈妈" });
  expect((await shop.order(order_id)).status).toBe("paid");
});

test("private income that an earlier version booked in suspense leaves it in bulk, by reversals, and its numbers may be booked again", async () => {
  const shop = await shopWith({ mode: "exact" });
  const api = app.api(shop.key);
  const ids: string[] = [];
  for (const amount_minor of [888, 520]) {
    const { receipt } = await shop.receipt({ amount_minor });
    await bookInSuspense(app, shop, receipt);
    ids.push(receipt.id);
  }
  expect((await listWallets(ctx, shop, { limit: 1 }))?.data).toMatchObject([{ balance_minor: 1408, pending_minor: 1408 }]);
  const answer = await api.post(`/api/v1/projects/${shop.project_id}/receipts/bulk`, {
    action: "ignore",
    receipt_ids: ids,
    reason: "family",
  });
  expect(answer).toMatchObject({ status: 200, body: { done: 2, refused: 0 } });
  expect((await listWallets(ctx, shop, { limit: 1 }))?.data).toMatchObject([{ balance_minor: 0, pending_minor: 0 }]);
  expect(await shop.cases()).toEqual([]);
  expect(await bookFaults(app)).toEqual([]);
  const { order_id } = await shop.paying(888);
  await api.post(`/api/v1/projects/${shop.project_id}/receipts/${ids[0]}/unlink`, {});
  expect((await api.post(`/api/v1/projects/${shop.project_id}/receipts/${ids[0]}/link`, { order_id })).body).toMatchObject({
    status: "matched",
  });
  expect(await shop.order(order_id)).toMatchObject({ status: "paid", received: 888 });
  expect(await bookFaults(app)).toEqual([]);
});

test("what was refunded, or isn't there yet, never settles and is shown with its order", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  for (const state of ["refunded", "partly_refunded", "unfinished"] as const) {
    const { order_id, payable } = await shop.paying();
    const { receipt, suggestions } = await shop.receipt({ amount_minor: payable, state });
    expect([receipt.status, receipt.state, suggestions[0]?.order_id]).toEqual(["unmatched", state, order_id]);
    expect((await shop.order(order_id)).status).toBe("unpaid");
  }
});
