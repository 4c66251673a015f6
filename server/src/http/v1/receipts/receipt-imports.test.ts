import { describe, expect, test } from "vitest";
import { deletePreviews } from "#reconciliation/index.ts";
import { multipart } from "#test/support/app/api.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";
import { wechatWorkbook } from "#test/support/statements/merchant-bills.ts";
import { type WechatRow, wechatStatement, writtenTime, yuan } from "#test/support/statements/statements.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const { ctx } = app;
const refusals = refusalsIn(app);
const shopWith = receiptShops(app);
const imports = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts/import`;
const sent = (file: Buffer, fields: Record<string, string> = {}) => {
  const { payload, type } = multipart(file, fields);
  return { payload, headers: { "content-type": type } };
};

refusals("POST /api/v1/projects/:projectId/receipts/import", () => sent(wechatStatement([{}])), [
  { name: "no form", payload: "{}", headers: { "content-type": "application/json" }, status: 415, code: "unsupported_media_type" },
  { name: "a PDF", ...sent(Buffer.from("%PDF-1.7")), status: 415, code: "unsupported_media_type", param: "file" },
  { name: "a broken workbook", ...sent(Buffer.from("PK\u0003\u0004rest")), status: 400, code: "parameter_invalid", param: "file" },
  { name: "a file of something else", ...sent(Buffer.from("a,b\n1,2\n")), status: 400, code: "parameter_invalid", param: "file" },
  { name: "the other wallet's statement", ...sent(wechatStatement([{}]), { channel: "alipay" }), status: 400, code: "parameter_conflict" },
  {
    name: "a wallet that is none",
    ...sent(wechatStatement([{}]), { channel: "paypal" }),
    status: 400,
    code: "parameter_invalid",
    param: "channel",
  },
]);
refusals("POST /api/v1/projects/:projectId/receipts/import/:previewId/apply", () => ({ params: { previewId: "imp_none" }, body: {} }), [
  { name: "a preview that is none", status: 404, code: "resource_missing", param: "preview_id" },
]);

const at = (minutes = 0) => writtenTime(new Date(ctx.now().getTime() + minutes * 60_000));

function sumOf(counts: Record<string, number>): number {
  return ["settled", "linked", "suggested", "held", "unmatched", "skipped", "ignored", "faulty"].reduce(
    (sum, name) => sum + (counts[name] ?? Number.NaN),
    0,
  );
}

async function takeIn(shop: TestTenant, file: Buffer) {
  const api = app.api(shop.key);
  const preview = (await api.upload(imports(shop), file)).body;
  const applied = await api.post(`${imports(shop)}/${preview.preview_id}/apply`, {});
  return { preview, applied };
}

test("a preview does nothing, applying does what it said, and the counts sum to the rows of the file", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const exact = await shopWith({ mode: "exact" });
  const paid = await shop.paying();
  const rows: WechatRow[] = [
    { amount: yuan(paid.payable), time: at(1), number: "1000000001" },
    { type: "微信红包", amount: "¥6.66", time: at(1), number: "1000000002", payer: "妈妈" },
    { direction: "支出", amount: "¥20.00", time: at(1), number: "1000000003" },
    { number: "1.00005E+27", time: at(1) },
    { amount: "¥9.00", time: at(60), number: "1000000004" },
    { amount: "¥9.00", time: "2020-01-01 00:00:00", number: "1000000005" },
    { amount: "¥7.00", state: "已全额退款", time: at(1), number: "1000000006" },
  ];
  const { preview, applied } = await takeIn(shop, wechatStatement(rows));
  const wanted = {
    rows: 7,
    settled: 1,
    linked: 0,
    suggested: 0,
    held: 0,
    unmatched: 1,
    skipped: 2,
    ignored: 0,
    faulty: 3,
    created: 2,
    known: 0,
    declared_rows: 7,
  };
  expect(preview).toMatchObject({
    object: "receipt_import_preview",
    channel: "wechat",
    account_ref: "main",
    needs_reviewer: false,
    ...wanted,
  });
  expect(preview.planned).toMatchObject([
    { line: 18, outcome: "settled", order_id: paid.order_id, kind: "二维码收款" },
    { outcome: "unmatched", order_id: null, payer_hint: "妈妈" },
    { outcome: "skipped", state: "refunded" },
  ]);
  expect(preview.faults.map((fault: { code: string }) => fault.code)).toEqual(["number_rounded", "time_out_of_range", "time_out_of_range"]);
  expect(applied).toMatchObject({ status: 200, body: { object: "receipt_import", ...wanted } });
  expect([sumOf(preview), sumOf(applied.body)]).toEqual([7, 7]);
  expect(await shop.order(paid.order_id)).toMatchObject({ status: "paid" });
  expect((await app.api(exact.key).get(`/api/v1/projects/${exact.project_id}/receipts`)).body.data).toEqual([]);
  expect(await bookFaults(app)).toEqual([]);
});

test("private income is in no books and notifies no one", async () => {
  const shop = await shopWith({ mode: "exact" });
  await takeIn(
    shop,
    wechatStatement([
      { type: "微信红包", amount: "¥6.66", time: at() },
      { type: "群收款", amount: "¥12.00", time: at() },
    ]),
  );
  expect(await shop.cases()).toEqual([]);
  expect((await app.api(shop.key).get(`/api/v1/transactions`)).body.data).toEqual([]);
  const events = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/events`)).body.data;
  expect(events.filter((event: { event: string }) => event.event === "transaction.completed")).toEqual([]);
});

test("a preview that isn't applied changes nothing, and is deleted after a day", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { payable, order_id } = await shop.paying();
  const { preview_id } = (await app.api(shop.key).upload(imports(shop), wechatStatement([{ amount: yuan(payable), time: at(1) }]))).body;
  expect(await shop.order(order_id)).toMatchObject({ status: "unpaid" });
  expect((await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts`)).body.data).toEqual([]);
  app.clock.advance(25 * 3_600_000);
  expect(await deletePreviews(ctx)).toBeGreaterThan(0);
  app.clock.advance(-25 * 3_600_000);
  expect((await app.api(shop.key).post(`${imports(shop)}/${preview_id}/apply`, {})).status).toBe(404);
});

test("applied twice, also concurrently, a statement is imported once", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { payable } = await shop.paying();
  const api = app.api(shop.key);
  const { preview_id } = (await api.upload(imports(shop), wechatWorkbook([{ amount: yuan(payable), time: at(1) }]))).body;
  const apply = () => api.post(`${imports(shop)}/${preview_id}/apply`, {});
  const both = await Promise.all([apply(), apply()]);
  expect(both.map((answer) => answer.status).toSorted()).toEqual(both.some((answer) => answer.status === 409) ? [200, 409] : [200, 200]);
  expect((await apply()).body).toMatchObject({ settled: 1, created: 1 });
  const again = await takeIn(shop, wechatWorkbook([{ amount: yuan(payable), time: at(1) }]));
  expect(again.applied.body).toMatchObject({ rows: 1, settled: 0, created: 0, skipped: 1, known: 1 });
  expect(await bookFaults(app)).toEqual([]);
});

describe("what was received and no longer is:", () => {
  test("a refunded or unfinished row pays nothing, and is shown with its order", async () => {
    for (const state of ["已全额退款", "已退款(￥1.00)", "待确认收款", "已过期"]) {
      const shop = await shopWith({ mode: "unique_amount" });
      const { payable, order_id } = await shop.paying();
      const { preview, applied } = await takeIn(shop, wechatStatement([{ amount: yuan(payable), time: at(1), state }]));
      expect(preview.planned).toMatchObject([{ outcome: "suggested", order_id }]);
      expect(applied.body).toMatchObject({ settled: 0, suggested: 1 });
      expect(await shop.order(order_id)).toMatchObject({ status: "unpaid" });
    }
  });

  test("a transfer that wasn't finished pays its order once a later statement says so", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { payable, order_id } = await shop.paying();
    const row = { amount: yuan(payable), time: at(1), number: "1000000777" };
    await takeIn(shop, wechatStatement([{ ...row, state: "待确认收款" }]));
    const { preview, applied } = await takeIn(shop, wechatStatement([{ ...row, state: "已收钱" }]));
    for (const body of [preview, applied.body]) expect(body).toMatchObject({ rows: 1, settled: 1, created: 0, skipped: 0, known: 0 });
    expect(preview.planned).toMatchObject([{ outcome: "settled", order_id, known: true }]);
    expect(await shop.order(order_id)).toMatchObject({ status: "paid" });
    expect(await bookFaults(app)).toEqual([]);
  });

  test("returned money suggests the refund of the order it paid", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const [one, other] = [await shop.paying(), await shop.paying()];
    const rows = [one, other].map(({ payable }, index) => ({
      amount: yuan(payable),
      time: at(1),
      number: `100000088${index}`,
      payer: `老王${index}`,
    }));
    await takeIn(shop, wechatStatement(rows));
    const later = await takeIn(
      shop,
      wechatStatement([
        { ...rows[0], state: "已退款(￥5.00)" },
        { direction: "支出", type: "二维码收款-退款", payer: "老王1", amount: yuan(other.payable), time: at(2), number: "1000000999" },
      ]),
    );
    for (const body of [later.preview, later.applied.body])
      expect(body.refunds.toSorted((left: { line: number }, right: { line: number }) => left.line - right.line)).toMatchObject([
        { order_id: one.order_id, amount_minor: 500 },
        { order_id: other.order_id, amount_minor: other.payable },
      ]);
    expect(await shop.order(one.order_id)).toMatchObject({ status: "paid" });
  });
});

test("a known number with another amount is reported, and neither forgotten nor imported", async () => {
  const shop = await shopWith({ mode: "exact" });
  await takeIn(shop, wechatStatement([{ amount: "¥7.00", time: at(), number: "1000000555" }]));
  const { preview, applied } = await takeIn(shop, wechatStatement([{ amount: "¥8.00", time: at(), number: "1000000555" }]));
  for (const body of [preview, applied.body])
    expect(body).toMatchObject({ rows: 1, faulty: 1, skipped: 0, faults: [{ line: 18, code: "amount_differs" }] });
});

test("a transfer in the future, or long ago, is refused", async () => {
  const shop = await shopWith({ mode: "exact" });
  const post = (occurred_at: Date) =>
    app
      .api(shop.key)
      .post(imports(shop).replace("/import", ""), { channel: "wechat", amount_minor: 1, occurred_at: occurred_at.toISOString() });
  for (const [minutes, status] of [
    [4, 201],
    [6, 400],
    [-399 * 1440, 201],
    [-401 * 1440, 400],
  ] as const)
    expect((await post(new Date(ctx.now().getTime() + minutes * 60_000))).status).toBe(status);
});

describe("an Idempotency-Key", () => {
  const named = (key: string) => ({ headers: { "idempotency-key": key } });

  test("returns the same preview for the same file, and refuses another file", async () => {
    const shop = await shopWith({ mode: "exact" });
    const api = app.api(shop.key);
    const file = wechatStatement([{ number: "1000000001", time: at() }]);
    const [first, again] = [
      await api.upload(imports(shop), file, {}, named("november")),
      await api.upload(imports(shop), file, {}, named("november")),
    ];
    expect(again).toMatchObject({ status: 200, body: { preview_id: first.body.preview_id } });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await api.upload(imports(shop), wechatStatement([{ number: "1000000002", time: at() }]), {}, named("november"));
    expect(other).toMatchObject({ status: 422, body: { error: { code: "idempotency_key_reused" } } });
  });

  test("isn't used up by an unreadable file", async () => {
    const shop = await shopWith({ mode: "exact" });
    const api = app.api(shop.key);
    expect((await api.upload(imports(shop), Buffer.from("no statement"), {}, named("january"))).status).toBe(400);
    expect((await api.upload(imports(shop), wechatStatement([{ time: at() }]), {}, named("january"))).status).toBe(200);
  });

  test("returns the first outcome of applying", async () => {
    const shop = await shopWith({ mode: "exact" });
    const api = app.api(shop.key);
    const { preview_id } = (await api.upload(imports(shop), wechatStatement([{ time: at() }]))).body;
    const apply = () => api.post(`${imports(shop)}/${preview_id}/apply`, {}, named("apply"));
    expect([(await apply()).body.created, (await apply()).body.created]).toEqual([1, 1]);
  });
});
