import { describe, expect, test } from "vitest";
import { cancelOrder } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { applyStatement, listExceptions, previewStatement, resolveException } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { wechatStatement } from "#test/support/statements/statements.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const base = (shop: { project_id: string }) => `/api/v1/projects/${shop.project_id}`;

/** Two projects of one merchant with one receiving code. */
async function twoShops(mode: "remark" | "exact" | "unique_amount") {
  const here = await shopWith({ mode });
  const there = await shopWith({ mode }, { tenant: { merchant_id: here.merchant_id } });
  return { here, there, api: app.api(here.key) };
}
type Shops = Awaited<ReturnType<typeof twoShops>>;

/** Tries every way in which a key of the first project could decide about a receipt, and expects to be sent to a person. */
async function refusedToKey({ here, api }: Shops, receipt_id: string) {
  const { order_id } = await here.paying();
  const refused = { status: 403, body: { error: { code: "session_required" } } };
  const actions = { unlink: {}, ignore: { reason: "private" }, link: { order_id } };
  for (const [action, body] of Object.entries(actions))
    expect(await api.post(`${base(here)}/receipts/${receipt_id}/${action}`, body), action).toMatchObject(refused);
  for (const body of [
    { action: "unlink", receipt_ids: [receipt_id] },
    { action: "ignore", receipt_ids: [receipt_id], reason: "private" },
    { action: "link", links: [{ receipt_id, order_id }] },
  ])
    expect((await api.post(`${base(here)}/receipts/bulk`, body)).body, body.action).toMatchObject({
      done: 0,
      results: [{ receipt_id, error: { code: "session_required" } }],
    });
  expect((await here.order(order_id)).status).toBe("unpaid");
}

describe("one project's key and what another project of the shared account booked", () => {
  test("money held for the other's canceled order remains held; a member of the merchant may release it", async () => {
    const shops = await twoShops("remark");
    const { here, there } = shops;
    const theirs = await there.paying(8600);
    await cancelOrder(ctx, there, { order_id: theirs.order_id });
    const { receipt } = await here.receipt({ amount_minor: 8600, remark: theirs.code });
    expect(receipt).toMatchObject({ status: "matched", booked_project_id: there.project_id });
    await refusedToKey(shops, receipt.id);
    expect(await there.cases()).toMatchObject([{ kind: "late", amount_minor: 8600 }]);
    const owner = await visitor(app, { merchant_id: here.merchant_id });
    expect(await owner.in("test").post(`${base(here)}/receipts/${receipt.id}/unlink`, {})).toMatchObject({
      status: 200,
      body: { status: "unmatched" },
    });
    expect(await there.cases()).toEqual([]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("a code with another amount identifies the other's order: its exception isn't shown, and closes when a person assigns the money elsewhere", async () => {
    const shops = await twoShops("remark");
    const { here, there, api } = shops;
    const theirs = await there.paying(8600);
    const { receipt } = await here.receipt({ amount_minor: 5000, remark: theirs.code, external_id: "4200007701" });
    expect(await there.cases()).toMatchObject([{ kind: "mismatch" }]);
    for (const shown of [
      await api.get(`${base(here)}/receipts/${receipt.id}`),
      { body: (await api.get(`${base(here)}/receipts`)).body.data[0] },
    ])
      expect(shown.body).toMatchObject({ status: "unmatched", elsewhere: true, exception_id: null, order_id: null });
    await refusedToKey(shops, receipt.id);
    const ours = await here.paying(5000);
    const approval = { decision: "approve", external_transaction_id: "4200007701" };
    expect(await api.post(`${base(here)}/orders/${ours.order_id}/verification`, approval)).toMatchObject({
      status: 403,
      body: { error: { code: "session_required" } },
    });
    expect((await here.order(ours.order_id)).status).toBe("unpaid");
    const owner = await visitor(app, { merchant_id: here.merchant_id });
    expect(await owner.in("test").post(`${base(here)}/receipts/${receipt.id}/link`, { order_id: ours.order_id })).toMatchObject({
      status: 200,
    });
    expect([(await here.order(ours.order_id)).status, await there.cases()]).toEqual(["paid", []]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("a receipt linked to the other's approval, individually or in a set, remains linked", async () => {
    const { here, there, api } = await twoShops("exact");
    const orders = [await there.paying(7300), await there.paying(7300)];
    for (const { order_id } of orders) await there.approve(order_id);
    const receipts = [(await here.receipt({ amount_minor: 7300 })).receipt, (await here.receipt({ amount_minor: 7300 })).receipt];
    const single = await there.paying(7900);
    await there.approve(single.order_id);
    const linked = (await here.receipt({ amount_minor: 7900 })).receipt;
    for (const { id } of [linked, receipts[0] as { id: string }]) {
      expect((await api.get(`${base(here)}/receipts/${id}`)).body).toMatchObject({ status: "linked" });
      expect(await api.post(`${base(here)}/receipts/${id}/unlink`, {})).toMatchObject({
        status: 403,
        body: { error: { code: "session_required" } },
      });
    }
  });

  test("what the other project set aside in its exception isn't released again", async () => {
    const { here, there, api } = await twoShops("remark");
    const theirs = await there.paying(8600);
    const { receipt } = await here.receipt({ amount_minor: 5000, remark: theirs.code });
    const { rows } = await listExceptions(ctx, there, { limit: 5, filters: {} });
    await resolveException(ctx, there, { exception_id: rows[0]?.id ?? "", action: "ignore" });
    expect((await api.get(`${base(here)}/receipts/${receipt.id}`)).body).toMatchObject({ status: "ignored", exception_id: null });
    expect(await api.post(`${base(here)}/receipts/${receipt.id}/unlink`, {})).toMatchObject({ status: 403 });
  });

  test("what a key's statement reports about the other's transfer changes nothing; a member's does", async () => {
    const { here, there } = await twoShops("exact");
    const numbers = ["1000049901202611220000000001", "1000049901202611220000000002"];
    const [theirs, ours] = [
      (await there.receipt({ amount_minor: 8600, external_id: numbers[0] ?? "" })).receipt,
      (await here.receipt({ amount_minor: 8700, external_id: numbers[1] ?? "" })).receipt,
    ];
    const bytes = wechatStatement(
      [theirs, ours].map((one) => ({ number: one.external_id ?? "", amount: (one.amount_minor / 100).toFixed(2), state: "已全额退款" })),
    );
    const read = async ({ id }: { id: string }, shop: typeof here) =>
      (await app.api(shop.key).get(`${base(shop)}/receipts/${id}`)).body.state;
    const applied = async (who: Ctx) => {
      const { preview_id } = await previewStatement(who, here, { bytes, sha256: ctx.id("req") });
      await applyStatement(who, here, { preview_id, maySettle: { isPerson: who !== ctx, isReviewer: true } });
    };
    await applied(ctx);
    expect([await read(theirs, there), await read(ours, here)]).toEqual(["final", "refunded"]);
    await applied({ ...ctx, actor: { kind: "person", id: "usr_owner" } });
    expect(await read(theirs, there)).toBe("refunded");
  });
});
