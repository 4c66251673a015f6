import { expect, test } from "vitest";
import { auditBooks } from "#orders/audit-books.ts";
import { withdrawReport } from "#orders/session/withdraw-report.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp();
const { tenant: shop, order } = await payShop(app);
const api = app.api(shop.key);
const operator = await visitor(app, { is_operator: true });
const approve = { decision: "approve" };
const reject = { decision: "reject", reason_code: "not_received" };
const changed = { status: 409, body: { error: { code: "order_state_conflict", reason: "payment_changed" } } };
const decided = { status: 409, body: { error: { code: "review_exists" } } };
let sent = 0;

/** An order whose buyer switches between both wallets. */
async function buying() {
  const { id } = (await order({ amount_minor: 9900 })).order;
  const path = `/api/v1/projects/${shop.project_id}/orders/${id}`;
  const read = async () => (await api.get(`${path}?expand[]=payment_sessions&expand[]=vouchers`)).body;
  return {
    read,
    async start(gateway: string): Promise<string> {
      await api.post(`${path}/payments`, { gateway });
      return (await read()).latest_payment_session.id;
    },
    async prove(gateway: string): Promise<string> {
      return (await api.post(`${path}/voucher`, { gateway, transaction_reference: `42000077${(sent += 1)}` })).body.id;
    },
    withdraw: () => withdrawReport(app.ctx, shop, { order_id: id }),
    decide: (body: object) => api.post(`${path}/verification`, body),
    operate: (proof: string, body: object) => operator.api.post(`/api/admin/proofs/${proof}/review`, body),
    async states() {
      const { status, vouchers } = await read();
      return [status, ...vouchers.map((one: { status: string }) => one.status)];
    },
  };
}

test.each([approve, reject, { ...reject, reason_code: "fraud" }])(
  "an operator's $decision ($reason_code) of a proof that the buyer has replaced is refused, and the new proof waits on",
  async (body) => {
    const { prove, withdraw, start, operate, states } = await buying();
    const first = await prove("wechatpay");
    await withdraw();
    await start("alipay");
    const second = await prove("alipay");
    expect(await operate(first, body)).toMatchObject(changed);
    expect(await states()).toEqual(["pending_verify", "submitted", "superseded"]);
    expect(await operate(second, approve)).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(await auditBooks(app.ctx)).toEqual([]);
  },
);

test("an operator can't approve a proof that the merchant rejected, whatever the buyer has begun since", async () => {
  const { prove, decide, start, operate, read } = await buying();
  const proof = await prove("wechatpay");
  await decide(reject);
  await start("wechatpay");
  expect(await operate(proof, approve)).toMatchObject(decided);
  expect(await read()).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
});

test("a decision that names its payment and proof is refused once the buyer withdrew it, proved it otherwise or reported another", async () => {
  const { prove, withdraw, start, decide, read, states } = await buying();
  const payment_session_id = await start("wechatpay");
  const voucher_id = await prove("wechatpay");
  for (const body of [approve, reject]) {
    expect(await decide({ ...body, payment_session_id, voucher_id: null })).toMatchObject(changed);
    expect(await decide({ ...body, payment_session_id: "ps_other", voucher_id })).toMatchObject(changed);
  }
  await withdraw();
  expect(await decide({ ...approve, payment_session_id, voucher_id })).toMatchObject(changed);
  expect(await decide({ ...approve, payment_session_id })).toMatchObject(changed);
  const renewed = await prove("wechatpay");
  expect(await decide({ ...reject, payment_session_id, voucher_id })).toMatchObject(changed);
  expect(await states()).toEqual(["pending_verify", "submitted", "superseded"]);
  expect(await decide({ ...reject, payment_session_id, voucher_id: renewed })).toMatchObject({ status: 200 });
  for (const body of [approve, reject]) expect(await decide({ ...body, payment_session_id, voucher_id: renewed })).toMatchObject(decided);
  expect(await read()).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
});

test("a rejection that names the wallet of an earlier attempt is refused, and without it rejects the reported payment", async () => {
  const { start, prove, decide, read, states } = await buying();
  await start("wechatpay");
  await start("alipay");
  await prove("alipay");
  for (const more of [{}, { final: true }, { reason_code: "fraud" }])
    expect(await decide({ ...reject, gateway: "wechatpay", ...more })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict", param: "gateway" } },
    });
  expect(await states()).toEqual(["pending_verify", "submitted"]);
  expect(await decide({ ...reject, gateway: "alipay" })).toMatchObject({ status: 200, body: { status: "unpaid" } });
  expect((await read()).payment_sessions.map((one: { status: string }) => one.status)).not.toContain("pending_verify");
  // The buyer can report another payment.
  await prove("wechatpay");
  expect(await states()).toEqual(["pending_verify", "submitted", "rejected"]);
});
