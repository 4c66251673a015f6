import { expect, test } from "vitest";
import { createOrder, submitVoucher } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);

refusals("GET /api/v1/projects/:projectId/reviews/queue", async () => ({}), [
  { name: "a limit of 101", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a cursor that names nothing", query: "starting_after=zzz", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "starting_after=a&ending_before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "a state", query: "status=paid", status: 400, code: "parameter_unknown", param: "status" },
]);

test("the queue is read page after page with what a reviewer needs, the oldest report first", async () => {
  const { tenant } = await payShop(app);
  const api = app.api(tenant.key);
  const path = `/api/v1/projects/${tenant.project_id}/reviews/queue`;
  const waiting: string[] = [];
  for (const reference of ["INV-1", "INV-2", "INV-3"]) {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference });
    waiting.unshift(order.id);
  }
  for (const order_id of waiting) {
    app.clock.advance(1_000);
    await submitVoucher(app.ctx, tenant, { order_id, gateway: "wechatpay", transaction_reference: `T${order_id}` });
  }
  const first = await api.get(`${path}?limit=2&include=total_count&expand[]=payment_sessions&expand[]=vouchers`);
  expect(first.body).toMatchObject({ object: "list", url: path, has_more: true, next_cursor: waiting[1], total_count: 3 });
  expect(first.body.data).toMatchObject(
    waiting.slice(0, 2).map((id) => ({
      id,
      object: "order",
      status: "pending_verify",
      payment_sessions: [{ status: "pending_verify" }],
      vouchers: [{ status: "submitted", transaction_reference: `T${id}` }],
    })),
  );
  const second = await api.get(`${path}?limit=2&starting_after=${first.body.next_cursor}`);
  expect(second.body).toMatchObject({ data: [{ id: waiting[2], reference: "INV-1" }], has_more: false, next_cursor: null });
  expect(second.body).not.toHaveProperty("total_count");
  expect(second.body.data[0]).not.toHaveProperty("vouchers");
});
