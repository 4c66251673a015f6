const order = (now: Date) => ({
  id: "ord_00000000000000000000000000",
  reference: "TEST-1",
  status: "paid",
  amount_minor: 9900,
  currency: "CNY",
  metadata: {},
  paid_at: now,
  flags: [],
  version: 2,
});
const session = {
  id: "ps_00000000000000000000000000",
  gateway: "wechatpay",
  status: "pending",
  amount_minor: 9900,
  payable_amount_minor: 9900,
  currency: "CNY",
  failure_code: null,
};

/** Data of a test event: of the right shape, about objects that do not exist. */
export function sampleData(event: string, { endpoint_id, now }: { endpoint_id: string; now: Date }): object {
  const webhook = { id: endpoint_id };
  if (event === "order.paid") return { order: order(now), webhook_test: webhook };
  if (/^order\.(failed|expired)$/.test(event)) {
    return {
      order: {
        ...order(now),
        status: event === "order.failed" ? "failed" : "expired",
        paid_at: null,
        failure_code: event === "order.failed" ? "proof_rejected" : "expired",
        failed_at: now,
      },
      webhook_test: webhook,
    };
  }
  if (event === "transaction.completed") {
    const transaction = {
      id: "txn_00000000000000000000000000",
      type: "payment",
      status: "completed",
      gateway: "wechatpay",
      currency: "CNY",
      amount_minor: 9900,
    };
    return { transaction, order: order(now), webhook_test: webhook };
  }
  if (event.startsWith("order.") || event.startsWith("payment.session.")) {
    return { order: { ...order(now), status: "unpaid", paid_at: null }, payment_session: session, webhook_test: webhook };
  }
  return { webhook, webhook_test: webhook };
}
