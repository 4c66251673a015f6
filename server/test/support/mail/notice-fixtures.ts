import type { Facts, Kind } from "#notices/kinds/facts.ts";
import { languages as known } from "#platform/index.ts";

const at = new Date("2026-11-20T06:05:00.000Z");
const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY", exponent: 2 });
const page = "https://pay.example.com/dashboard/corner-books/live";

/** The facts of each kind of email, as complete as possible. */
export const sampleFacts: { [K in Kind]: Facts[K] } = {
  email_verification: { url: `https://pay.example.com/dashboard/verify-email?token=${"k3Jx".repeat(30)}`, minutes: 1440 },
  password_reset: { url: "https://pay.example.com/dashboard/reset-password?token=mJ5sQz0T1vYhW8RkCb2LxEpd", minutes: 60 },
  sign_up_again: { url: "https://pay.example.com/dashboard/sign-in" },
  invitation: {
    url: "https://pay.example.com/dashboard/invitation?token=9pQvYhW8RkCb2LxEpdmJ5sQz",
    merchant: "Corner Books",
    inviter: "Li Wei",
    role: "reviewer",
    expires_at: new Date("2026-11-27T06:05:00.000Z"),
    verified: true,
  },
  sign_in_alert: { url: "https://pay.example.com/dashboard/", at, device: "Firefox on Windows", address: "203.0.113.7" },
  security_changed: { url: "https://pay.example.com/dashboard/", at, change: "two_factor_disabled", address: "2001:db8::7" },
  team_changed: {
    url: "https://pay.example.com/dashboard/",
    merchant: "Corner Books",
    person: "Wu Min",
    email: "wu.min@cornerbooks.example",
    before: "admin",
    after: "owner",
    by: "Li Wei",
    at,
    new_owner_until: new Date("2026-11-21T06:05:00.000Z"),
  },
  proof_waiting: {
    url: "https://pay.example.com/dashboard/corner-books/test/review",
    project: "Corner Books",
    livemode: false,
    count: 10,
    proofs: Array.from({ length: 8 }, (_, n) => ({ reference: `INV-${1001 + n}`, amount: yuan(9_900 + n * 12_345), at })),
  },
  canceled_order_claimed: {
    url: `${page}/orders/ord_01jd4q8w8yf3v9s0k2m5n7p9r1`,
    project: "Corner Books",
    reference: "INV-1001",
    amount: yuan(9_900),
    at,
  },
  order_paid: {
    url: "https://pay.example.com/pay/pl_live_c81Zr5WkQpYd0sVn3TgXm7Lh2BfAeRuJ/receipt",
    merchant: "Corner Books",
    amount: yuan(1_234_500),
    reference: "INV-1001",
    description: "Three novels and a map of the old town, wrapped as a present",
    paid_at: at,
    method: { en: "WeChat Pay", zh: "微信支付" },
    contact: "help@cornerbooks.example",
  },
  order_refunded: {
    url: "https://pay.example.com/pay/pl_live_c81Zr5WkQpYd0sVn3TgXm7Lh2BfAeRuJ/receipt",
    merchant: "Corner Books",
    amount: yuan(2_300),
    of: yuan(9_900),
    reference: "INV-1001",
    refunded_at: at,
    contact: "help@cornerbooks.example",
  },
  refund_claim: {
    url: "https://pay.example.com/pay/pl_live_c81Zr5WkQpYd0sVn3TgXm7Lh2BfAeRuJ/receipt",
    merchant: "Corner Books",
    amount: yuan(2_300),
    reference: "INV-1001",
    contact: "help@cornerbooks.example",
  },
  refund_returned: {
    url: "https://pay.example.com/pay/pl_live_c81Zr5WkQpYd0sVn3TgXm7Lh2BfAeRuJ/receipt",
    merchant: "Corner Books",
    amount: yuan(2_300),
    reference: "INV-1001",
    at,
    contact: "help@cornerbooks.example",
  },
  refund_failed: {
    url: `${page}/orders/ord_01jd4q8w8yf3v9s0k2m5n7p9r1`,
    project: "Corner Books",
    reference: "INV-1001",
    amount: yuan(2_300),
    method: { en: "WeChat Pay", zh: "微信支付" },
    note: "The buyer's bank did not take the refund.",
    wasPaid: true,
    isHeld: false,
    at,
  },
  "webhook.failing": {
    url: `${page}/webhooks/we_01jd4q8w8yf3v9s0k2m5n7p9r1`,
    project: "Corner Books",
    livemode: true,
    endpoint: "https://shop.cornerbooks.example/api/v2/integrations/tillpost/incoming-events",
    hours: 72,
    since: at,
    disabled_at: new Date("2026-11-25T06:05:00.000Z"),
  },
  "webhook.disabled": {
    url: `${page}/webhooks/we_01jd4q8w8yf3v9s0k2m5n7p9r1`,
    project: "Corner Books",
    livemode: true,
    endpoint: "https://shop.cornerbooks.example/hook",
    reason: "failing",
  },
  collection_code_changed: {
    url: `${page}/codes`,
    project: "Corner Books",
    channel: { en: "WeChat Pay", zh: "微信支付" },
    by: "Li Wei",
    at,
  },
  merchant_verified: { url: "https://pay.example.com/dashboard/", merchant: "Corner Books" },
  merchant_rejected: {
    url: "https://pay.example.com/dashboard/",
    merchant: "Corner Books",
    reason: "The business licence could not be read.",
  },
  sending_suspended: {
    url: "https://pay.example.com/dashboard/",
    merchant: "Corner Books",
    reason: "Too many recipients called your newsletter spam. Ask only those who want it.",
  },
  sending_resumed: { url: "https://pay.example.com/dashboard/", merchant: "Corner Books" },
  letter_received: {
    url: "https://pay.example.com/dashboard/",
    to: "abuse@bounce.example.com",
    from: "ada@lovelace.dev",
    subject: "Unwanted mail",
    text: "Hello, I keep getting receipts for somebody else's orders at this address. Please stop sending them to me.",
  },
  audit_anchored: {
    url: "https://pay.example.com/dashboard/",
    at,
    chains: 214,
    rows: 120_345,
    root: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  backup_missing: {
    url: "https://pay.example.com/dashboard/operator/health",
    newest: new Date("2026-11-21T19:00:12.000Z"),
    reason: "Not enough disk space in /srv/tillpost/backups: two backups must fit, and one takes 412.6 MB",
    folder: "/srv/tillpost/backups",
  },
  job_set_aside: {
    url: "https://pay.example.com/dashboard/operator/health",
    queue: "webhook_deliveries",
    jobs: ["we_01jd4q8w8yf3v9s0k2m5n7p9r1/evt_01jd4q8w8yf3v9s0k2m5n7p9r2"],
    count: 1,
  },
  keys_without_receipts: { url: `${page}/keys`, project: "Corner Books", keys: ["Shop server (…k3Qd)", "Phone (…9aLm)"] },
  number_approved: {
    url: `${page}/numbers`,
    project: "Corner Books",
    value: "+14155550100",
    channels: ["sms", "call"],
    countries: ["CA", "US"],
  },
  number_rejected: {
    url: `${page}/numbers`,
    project: "Corner Books",
    value: "CORNER",
    wasApproved: true,
    reason: "The carrier no longer takes this name without a registration.",
  },
  countries_added: { url: page, project: "Corner Books", countries: ["GB", "SG"], by: "Ada", at: new Date("2026-11-21T19:00:12.000Z") },
  spend_cap: {
    url: page,
    project: "Corner Books",
    measure: "spend_micros",
    period: "2026-11-21",
    cap: 25_500_000,
    currency: "USD",
    level: 80,
  },
  prefix_paused: { url: page, project: "Corner Books", channel: "sms", prefix: "99855", cause: "sequential_numbers", messages: 412 },
  domain_lost: {
    url: `${page}/domains/dom_01jd4q8w8yf3v9s0k2m5n7p9r1`,
    project: "Corner Books",
    domain: "cornerbooks.example",
    missing: ["TXT _tillpost.cornerbooks.example", "TXT tp6f2k._domainkey.cornerbooks.example"],
  },
};

export const kinds = Object.keys(sampleFacts) as Kind[];
export const languages = known.map(({ tag }) => tag);

/** Kinds whose samples are about TEST. */
export const isTestSample = (kind: Kind) => kind === "proof_waiting";
