import { firstLanguage } from "#platform/index.ts";

/**
 * One order of one shop, from which all examples are taken, so that they agree: `name` for every field of that name, `Schema.name` for one.
 */
export const storyId = (prefix: string) => `${prefix}_01m7wje4wze7as3wcxk3xbrgav`;

const prefixes: Record<string, string> = {
  project: "prj",
  order: "ord",
  payment_session: "ps",
  voucher: "vch",
  receipt: "rcp",
  exception: "exc",
  asset: "ast",
  qr_asset: "ast",
  transaction: "txn",
  wallet: "wal",
  event: "evt",
  webhook: "we",
  email: "em",
  batch: "bat",
  merchant: "mer",
  person: "usr",
  key: "key",
  credential: "gc",
  preview: "imp",
};

/** The id of a field such as `order_id`, or null. */
export function idFor(name: string): string | null {
  const prefix = prefixes[name.replace(/_ids?$/, "")];
  return /_ids?$/.test(name) && prefix !== undefined ? storyId(prefix) : null;
}

const token = "pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe";
const page = `http://localhost:8080/pay/${token}`;
const customer = { name: "Ada Lovelace", email: "ada@example.com", phone: null };
const personal = "wxp://f2f0Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe";

const answers: Record<string, object> = {
  Bounced: {
    type: "permanent",
    subtype: "no_email",
    smtp_code: 550,
    enhanced_code: "5.1.1",
    diagnostic: "550 5.1.1 The mailbox does not exist",
  },
  Failed: { type: "transient", subtype: "expired", smtp_code: 451, enhanced_code: "4.4.7", diagnostic: "451 4.4.7 Delivery time expired" },
  DeliveryDelayed: {
    type: "transient",
    subtype: "general",
    smtp_code: 451,
    enhanced_code: "4.7.1",
    diagnostic: "451 4.7.1 Greylisted, try again later",
  },
};

export const story: Record<string, unknown> = {
  project_id: storyId("prj"),
  merchant_id: storyId("mer"),
  reference: "INV-1001",
  livemode: false,
  version: 1,
  api_version: "2026-11-01",
  email: "ada@example.com",
  request_id: storyId("req"),
  password: "correct horse battery staple",
  created_at: "2026-11-20T14:30:00.000Z",
  updated_at: "2026-11-20T14:30:00.000Z",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  permissions: ["orders:read", "orders:write"],

  "Order.description": "Two books",
  "Order.metadata": { subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" },
  "Order.customer": customer,
  "Order.return_url": "https://shop.example/thanks",
  "Order.flags": [],
  "Order.amount_received_minor": 0,
  "Order.amount_held_minor": 0,
  "Order.amount_refunded_minor": 0,
  "Order.amount_disputed_minor": 0,
  "Order.expires_at": "2026-11-21T14:30:00.000Z",
  "Order.payment_link.url": page,
  "Order.payment_link.expires_at": "2026-11-21T14:30:00.000Z",
  "Order.latest_payment_session": null,
  "CreateOrderRequest.description": "Two books",
  "CreateOrderRequest.customer": customer,
  "UpdateOrderRequest.description": "Two books",
  "UpdateOrderRequest.customer": customer,

  "PaymentSession.order_id": storyId("ord"),
  "PaymentSession.expires_at": "2026-11-20T15:00:00.000Z",
  "PaymentSession.next_action.qr_payload": personal,
  "PaymentSession.next_action.qr_svg_url": `${page}/qr.svg`,
  "PaymentSession.next_action.qr_png_url": `${page}/qr.png`,
  "PaymentSession.next_action.instructions": { [firstLanguage]: "Send the exact amount." },

  "Voucher.order_id": storyId("ord"),
  "Voucher.payment_session_id": storyId("ps"),
  "Voucher.transaction_reference": "4200002026112014300001",
  "Voucher.payer_name": "Ada",
  "Voucher.risk_flags": [],
  "EventVoucher.transaction_reference": "4200002026112014300001",
  "EventVoucher.risk_flags": [],

  "PaymentException.order_id": storyId("ord"),
  "PaymentException.external_id": "4200002026112014300001",
  "EventPaymentException.order_id": storyId("ord"),
  "EventPaymentException.detail": {},
  "Dispute.order_id": storyId("ord"),
  "Dispute.payment_session_id": storyId("ps"),
  "Dispute.status": "opened",
  "Dispute.in_books": true,
  "Dispute.reason": "product_not_received",
  "Dispute.transaction_id": storyId("txn"),
  "Dispute.payment_exception_id": storyId("exc"),
  "EventDispute.order_id": storyId("ord"),
  "EventDispute.payment_session_id": storyId("ps"),
  "EventDispute.status": "opened",
  "EventDispute.in_books": true,
  "EventDispute.reason": "product_not_received",
  "EventDispute.transaction_id": storyId("txn"),
  "EventDispute.payment_exception_id": storyId("exc"),
  "Receipt.external_id": "4200002026112014300001",
  "Receipt.remark": "68051",
  "RecordReceiptRequest.external_id": "4200002026112014300001",
  "RecordReceiptRequest.remark": "68051",

  "Transaction.order_id": storyId("ord"),
  "Transaction.payment_session_id": storyId("ps"),
  "Transaction.fee_minor": 0,
  "Transaction.created_by": "api_key",
  "EventOrder.metadata": { subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" },
  "EventOrder.flags": [],
  "OrderPaidEvent.data": {
    order: {
      id: storyId("ord"),
      reference: "INV-1001",
      status: "paid",
      amount_minor: 9900,
      currency: "CNY",
      metadata: { subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" },
      paid_at: "2026-11-20T14:42:00.000Z",
      flags: ["manually_verified"],
      version: 3,
    },
    project_id: storyId("prj"),
  },

  "CollectionProfile.qr_payload": personal,
  "PutCollectionProfileRequest.qr_payload": personal,
  "Asset.url": `http://localhost:8080/assets/${storyId("ast")}?expires=1763649900&signature=6f1c`,
  "Asset.width": 800,
  "Asset.height": 800,

  "Webhook.events": ["order.paid", "order.failed"],
  "Webhook.secret_last4": "LaSw",
  "WebhookAttempt.request.url": "https://shop.example.com/hooks/tillpost",
  "WebhookAttempt.request.headers": {
    "content-type": "application/json",
    "webhook-id": storyId("evt"),
    "x-service-signature": "[redacted]",
  },
  "WebhookAttempt.request.body": `{"id":"${storyId("evt")}","event":"order.paid"}`,
  "WebhookAttempt.response.headers": {},
  "WebhookAttempt.response.body": "",
  "WebhookAttempt.attempt": 1,

  "Email.to": "ada@example.com",
  "Email.status": "queued",
  "Email.error": null,
  "Email.message_id": "<em_01m7wje4wze7as3wcxk3xbrgav@shop.example.com>",
  "Email.expires_at": "2026-11-22T14:30:00.000Z",
  "Email.status_callback": null,
  "Email.recipients.status": "queued",
  "Email.recipients.smtp_code": null,
  "Email.recipients.bounce": null,
  "Email.from": "Corner Books <orders@shop.example.com>",
  "Email.subject": "Thank you for your order",
  "Email.cc": [],
  "Email.bcc": [],
  "Email.reply_to": [],
  "Email.attachments": [],
  "Email.tags": [],
  "Email.metadata": { subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" },
  "EventEmail.to": "ada@example.com",
  "EventEmail.tags": [],
  "EventEmail.metadata": {},
  "EmailComplainedEvent.data.recipient": customer.email,
  ...Object.fromEntries(
    Object.entries(answers).flatMap(([name, bounce]) => [
      [`Email${name}Event.data.recipient`, customer.email],
      [`Email${name}Event.data.bounce`, { ...bounce, recipient: customer.email }],
    ]),
  ),
};
