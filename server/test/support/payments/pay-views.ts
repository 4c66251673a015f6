import type { PayView } from "#checkout/index.ts";
import type { PaySession } from "#checkout/pay-view.ts";

export const pageNow = new Date("2026-11-20T06:08:19.000Z");
const inMinutes = (minutes: number) => new Date(pageNow.getTime() + minutes * 60_000);

const base: PayView = {
  object: "payment_page",
  token: "pl_test_abcdefghijklmnopqrstuvwxyzABCDEF",
  livemode: true,
  version: "3",
  locale: "auto",
  state: "choose",
  merchant: { name: "Lantern Books", logo_url: null, contact: "mailto:help@lantern.example" },
  order: {
    reference: "INV-1001",
    description: null,
    amount_minor: 9900,
    currency: "CNY",
    exponent: 2,
    received_minor: 0,
    rest_minor: 9900,
    held_minor: 0,
    expires_at: inMinutes(120),
    refunded_minor: 0,
    returned_minor: 0,
    has_receipt: false,
    paid_at: null,
    paid_late: false,
    return_url: "https://lantern.example/orders/1001",
  },
  refund_claims: [],
  channels: ["wechatpay", "alipay"],
  demo_channels: [],
  session: null,
  rejection: null,
  reported_at: null,
  proof: null,
  usual_review_minutes: null,
  can_report: false,
  can_prove: false,
  can_withdraw: false,
  simulate: false,
};

const session: PaySession = {
  gateway: "wechatpay",
  method: "wechatpay",
  kind: "personal_qr",
  demo: false,
  leads_away: false,
  device: "phone",
  in_browser: false,
  status: "pending",
  underpaid: false,
  outcome_unknown: false,
  payable_amount_minor: 9900,
  remark_code: null,
  payee_name: "张*",
  qr_payload: "wxp://f2f0abcdefghijklmnopqrstuvwxyz1234",
  instructions: {},
  expires_at: inMinutes(23.7),
};

const order = (changes: Partial<PayView["order"]>) => ({ ...base.order, ...changes });
const view = (changes: Partial<PayView>): PayView => ({ ...base, ...changes });
const paying = (changes: Partial<PaySession>, more: Partial<PayView> = {}) =>
  view({ state: "pay", session: { ...session, ...changes }, can_report: true, can_prove: true, ...more });
/** Paid through a provider, which itself reports when it is. */
const atGateway = (changes: Partial<PaySession>, more: Partial<PayView> = {}) =>
  view({ state: "pay", session: { ...session, kind: "gateway", payee_name: null, qr_payload: null, ...changes }, ...more });
const paid = order({ received_minor: 9900, rest_minor: 0, has_receipt: true, paid_at: inMinutes(-4) });

const demoChannels = { channels: ["wechatpay", "alipay", "stripe"], demo_channels: ["stripe"] };

/** Every face of the pay page, by name. */
export const payViews: Record<string, PayView> = {
  choose: view({}),
  choose_test: view({
    livemode: false,
    simulate: true,
    order: order({ description: "Three months of the reading circle, and the winter box" }),
  }),
  choose_after_code: view({ session: { ...session, status: "expired" }, can_report: true }),
  choose_gateway_unsure: atGateway({ gateway: "stripe", method: "stripe", expires_at: pageNow }, { state: "choose" }),
  choose_gateway_unknown: atGateway(
    { gateway: "stripe", method: "stripe", status: "expired", outcome_unknown: true, expires_at: pageNow },
    { state: "choose" },
  ),
  choose_rejected: view({
    session: { ...session, status: "failed" },
    can_report: true,
    rejection: { reason_code: "not_received", note: "Please check the date of the transfer." },
  }),
  no_channels: view({ channels: [] }),
  pay: paying({}),
  pay_alipay: paying({ gateway: "alipay", method: "alipay", qr_payload: "https://qr.alipay.com/fkx0123456789abcdef" }),
  pay_remark: paying({
    remark_code: "4821",
    instructions: { "zh-CN": "周末回复较慢，请见谅。\n谢谢！", en: "Replies take longer at weekends.\nThank you!" },
  }),
  pay_unique: paying({ payable_amount_minor: 9897 }),
  pay_test: paying({}, { livemode: false, simulate: true }),
  pay_underpaid: paying({ payable_amount_minor: 4900 }, { order: order({ received_minor: 5000, rest_minor: 4900 }) }),
  pay_gateway_code: atGateway({ qr_payload: "https://pay.example/q/1" }),
  pay_gateway_code_over: atGateway({}),
  pay_gateway_away: atGateway({ leads_away: true }, { livemode: false, simulate: true }),
  choose_demo: view({ livemode: false, simulate: true, ...demoChannels }),
  pay_demo_away: atGateway(
    { gateway: "stripe", method: "stripe", demo: true, leads_away: true },
    { livemode: false, simulate: true, ...demoChannels },
  ),
  pay_demo_code: atGateway(
    { gateway: "stripe", method: "stripe", demo: true, qr_payload: "https://pay.example/simulator/gc_1/q" },
    { livemode: false, simulate: true, ...demoChannels },
  ),
  checking_gateway: atGateway({ status: "processing" }, { state: "checking" }),
  checking: view({
    state: "checking",
    session: { ...session, status: "pending_verify" },
    reported_at: inMinutes(-2),
    can_prove: true,
    can_report: true,
    can_withdraw: true,
  }),
  checking_proof: view({
    state: "checking",
    session,
    reported_at: inMinutes(-6),
    proof: { submitted_at: inMinutes(-1) },
    usual_review_minutes: 7,
    can_prove: true,
    can_report: true,
  }),
  paid: view({ state: "paid", session, order: paid }),
  paid_over: view({ state: "paid", session, order: { ...paid, received_minor: 10_400 } }),
  paid_late: view({
    state: "paid",
    session,
    order: { ...paid, paid_late: true, return_url: null, description: "Winter box" },
    livemode: false,
  }),
  paid_claim: view({
    state: "paid",
    session,
    order: paid,
    refund_claims: [{ amount_minor: 2_300, url: "https://btcpay.example.com/pull-payments/Qm7" }],
  }),
  paid_returned: view({ state: "paid", session, order: { ...paid, returned_minor: 2_300 } }),
  attempt_failed: view({ state: "choose", session: { ...session, status: "failed" }, can_report: true }),
  expired_after_code: view({ state: "expired", session: { ...session, status: "expired" }, can_report: true, can_prove: true }),
  expired: view({ state: "expired", can_report: true, can_prove: true }),
  revoked: view({ state: "revoked", can_report: true, can_prove: true, merchant: { ...base.merchant, contact: null } }),
  canceled: view({ state: "canceled", channels: [] }),
  canceled_after_code: view({
    state: "canceled",
    session: { ...session, status: "canceled" },
    channels: ["wechatpay"],
    can_report: true,
    can_prove: true,
  }),
  canceled_told: view({
    ...{ state: "canceled", session: { ...session, status: "canceled" }, channels: ["wechatpay"], can_prove: true },
    reported_at: inMinutes(-6),
    order: order({ held_minor: 4000 }),
  }),
  failed: view({ state: "failed", can_report: true, can_prove: true, rejection: { reason_code: "amount_mismatch", note: null } }),
};

/** A view whose every text is hostile, long or both. */
export const hostileText = `"><img src=x onerror=alert(1)><script>alert(1)</script>'\`&`;
export const hostileView: PayView = paying(
  { payee_name: hostileText, remark_code: hostileText, instructions: { en: hostileText } },
  {
    merchant: { name: hostileText, logo_url: null, contact: "mailto:a@b.example" },
    order: order({ reference: hostileText, description: hostileText }),
    rejection: { reason_code: hostileText, note: hostileText },
    refund_claims: [{ amount_minor: 1, url: `https://evil.example/${hostileText}` }],
  },
);
