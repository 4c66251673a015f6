import { Parser } from "htmlparser2";
import PostalMime from "postal-mime";
import { beforeAll, expect, it } from "vitest";
import { findEmail, findEmailSource, listEmails } from "#email/index.ts";
import { addMember, createMerchant, createPerson, setMerchantVerification } from "#identity/index.ts";
import { cancelOrder, createOrder, refundOrder, reportPayment, startPayment } from "#orders/index.ts";
import { notice, ownProject, type Tenant } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import type { ParamsOf } from "./kinds/params.ts";
import { sendNotices } from "./send-notices.ts";

const at = await testApp();
const { ctx } = at;

/** Closes tags and attributes, breaks header lines, reverses the writing direction, and would automatically become a link. */
const evil = `"'><script>alert(1)</script>&amp;\r\nBcc: victim@evil\r\n\r\n\u2028<img src=x onerror=alert(1)>\u202etxt.exe\u2066 http://evil.example/a`;
const evilLink = `${ctx.publicUrl}/reset?token="><script>alert(1)</script>\r\nBcc:%20x\u202e`;
const plain = "Corner Books";

interface TestData {
  recipient: string;
  tenant: Tenant;
  order_id: string;
  refund_id: string;
  claim_id: string;
  failed_id: string;
  waiting_id: string;
  canceled_id: string;
  text: string;
  link: string;
}
const worlds: Record<"evil" | "plain", TestData | null> = { evil: null, plain: null };

beforeAll(async () => {
  worlds.evil = await world(evil, evilLink);
  worlds.plain = await world(plain, `${ctx.publicUrl}/reset?token=abc`);
});

async function world(text: string, link: string): Promise<TestData> {
  const merchant = await createMerchant(ctx, { display_name: text });
  await setMerchantVerification(ctx, { merchant_id: merchant.id, status: "verified" });
  const owner = await createPerson(ctx, {
    email: `owner@${text === evil ? "evil" : "plain"}.shop`,
    name: text,
    password: "correct horse battery",
    passwordWork: "light",
  });
  await addMember(ctx, { merchant_id: merchant.id, person_id: owner.id, role: "owner" });
  const project = await createProject(ctx, { merchant_id: merchant.id, name: text, default_currency: "CNY" });
  const { tenant } = await payShop(at, { livemode: true, merchant_id: merchant.id, project_id: project.id });
  const reference = text.replace(/[\r\n\u2028]/g, "").slice(0, 60);
  const input = { amount_minor: 9_900, currency: "CNY", description: text, customer: { email: "buyer@shop.cn" } };
  const paid = await createOrder(ctx, tenant, { ...input, reference: `1${reference}` });
  await reportPayment(ctx, tenant, { order_id: paid.order.id, gateway: "wechatpay" });
  await reviewOrder(ctx, tenant, { order_id: paid.order.id, decision: "approve" });
  const refund = await refundOrder(ctx, tenant, { order_id: paid.order.id, amount_minor: 100 });
  const atProvider = (status: string) => insertRefundAtProvider(tenant, { order_id: paid.order.id, status, note: text });
  const [claim_id, failed_id] = [await atProvider("requires_action"), await atProvider("failed")];
  const waiting = await createOrder(ctx, tenant, { ...input, reference: `2${reference}` });
  await reportPayment(ctx, tenant, { order_id: waiting.order.id, gateway: "alipay" });
  const canceled = await createOrder(ctx, tenant, { ...input, reference: `3${reference}` });
  await startPayment(ctx, tenant, { order_id: canceled.order.id, gateway: "alipay" });
  await cancelOrder(ctx, tenant, { order_id: canceled.order.id });
  await reportPayment(ctx, tenant, { order_id: canceled.order.id });
  const orders = {
    order_id: paid.order.id,
    refund_id: refund.id,
    claim_id,
    failed_id,
    waiting_id: waiting.order.id,
    canceled_id: canceled.order.id,
  };
  return { recipient: merchant.id, tenant, ...orders, text, link };
}

/** The current state of a refund through a provider. */
async function insertRefundAtProvider(tenant: Tenant, given: { order_id: string; status: string; note: string }): Promise<string> {
  const id = ctx.id("rf");
  await runStatement(
    ctx.db,
    `insert into refunds (project_id, livemode, id, order_id, gateway, method, status, amount_minor, currency, failure_note, created_by, created_at, updated_at)
     values (?, ?, ?, ?, 'wechatpay', 'gateway', ?, 100, 'CNY', ?, 'x', now(), now())`,
    tenant.project_id,
    tenant.livemode,
    id,
    given.order_id,
    given.status,
    given.note,
  );
  return id;
}

/** Every param of every kind that is free text, filled with one text. */
function noticesOf({ recipient, tenant, order_id, refund_id, claim_id, failed_id, waiting_id, canceled_id, text, link }: TestData) {
  const place = { project_id: tenant.project_id, livemode: true };
  const instant = ctx.now().toISOString();
  const reader = `someone@${text === evil ? "evil" : "plain"}.shop`;
  const account = { ...place, credential_id: text, gateway: text, label: text, at: instant };
  const promoted = { person: text, email: text, before: "admin", after: "owner", by: text } as const;
  const params: { [K in keyof ParamsOf]: [to: string, params: ParamsOf[K]] } = {
    email_verification: [reader, { url: link, language: "en" }],
    password_reset: [reader, { url: link, language: text }],
    sign_up_again: [reader, { url: link }],
    invitation: [reader, { url: link, merchant_name: text, invited_by: text, role: text }],
    sign_in_alert: [reader, { url: link, at: instant, device: text, address: text }],
    security_changed: [reader, { url: link, at: instant, change: "passkey_added", address: text }],
    team_changed: [reader, { ...promoted, merchant_id: recipient, at: instant, new_owner_until: instant }],
    proof_waiting: [tenant.project_id, { order_id: waiting_id, livemode: true }],
    canceled_order_claimed: [tenant.project_id, { ...place, order_id: canceled_id }],
    order_paid: [reader, { ...place, order_id, gateway: text }],
    order_refunded: [reader, { ...place, order_id, refund_id }],
    refund_claim: [reader, { ...place, order_id, refund_id: claim_id }],
    refund_returned: [reader, { ...place, order_id, refund_id: failed_id }],
    refund_failed: [tenant.project_id, { ...place, refund_id: failed_id }],
    "webhook.failing": [recipient, { ...place, webhook_id: text, url: text, failing_since: instant, hours: 24, disabled_after_hours: 120 }],
    "webhook.disabled": [recipient, { ...place, webhook_id: text, url: text, reason: "gone" }],
    "webhook.callbacks_failing": [recipient, { ...place, url: text, others: 2, failing_since: instant, ended_after_hours: 120 }],
    collection_code_changed: [recipient, { ...place, channel: "alipay", changed_by: text, at: instant }],
    merchant_verified: [recipient, {}],
    merchant_rejected: [recipient, { reason: text }],
    sending_suspended: [recipient, { reason: text }],
    sending_resumed: [recipient, {}],
    letter_received: [reader, { to: text, from: text, subject: text, text }],
    audit_anchored: [reader, { at: instant, chains: 1, rows: 1, root: text }],
    backup_missing: [reader, { newest: instant, reason: text, folder: text, bucket: text, what: "write_ahead_log" }],
    job_set_aside: [reader, { queue: text, jobs: [text, text], count: 2 }],
    keys_without_receipts: [recipient, { project_id: place.project_id, keys: [text, text] }],
    gateway_account_refused: [tenant.project_id, { ...account, message: text }],
    gateway_account_accepted: [tenant.project_id, account],
    number_approved: [tenant.project_id, { ...place, value: text, channels: ["sms", "call"], countries: [text, text] }],
    number_rejected: [tenant.project_id, { ...place, value: text, was_approved: true, reason: text }],
    countries_added: [recipient, { ...place, countries: [text, text], changed_by: text, at: instant }],
    spend_cap: [tenant.project_id, { ...place, measure: "spend_micros", period: "2026-11-24", cap: 10_000_000, currency: text, level: 80 }],
    prefix_paused: [tenant.project_id, { ...place, channel: "sms", prefix: "99855", cause: "no_conversions", messages: 412 }],
    domain_lost: [recipient, { ...place, domain_id: text, domain: text, missing: [text, text] }],
  };
  return Object.entries(params);
}

/** The mails of all kinds, by kind. */
async function mailsOf(one: TestData): Promise<Map<string, string>> {
  await sendNotices(ctx);
  const before = new Set((await listEmails(ctx, ownProject, { limit: 100, filters: {} })).rows.map(({ email }) => email.id));
  for (const [kind, [recipient, params]] of noticesOf(one)) await ctx.transact((tx) => notice(tx, ctx, { kind, recipient, params }));
  await sendNotices(ctx);
  const { rows } = await listEmails(ctx, ownProject, { limit: 100, filters: {} });
  return new Map(rows.filter(({ email }) => !before.has(email.id)).map(({ email }) => [email.tags[0]?.value ?? "", email.id]));
}

const tagsOf = (html: string) => {
  const names: string[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void names.push([name, ...Object.keys(attributes)].join(" ")) });
  parser.end(html);
  return names;
};

it("whatever the params, names and references contain, no element, attribute, header or reversed text results", async () => {
  const [bad, good] = [worlds.evil, worlds.plain];
  if (bad === null || good === null) throw new Error("no world");
  const [badMails, goodMails] = [await mailsOf(bad), await mailsOf(good)];
  expect([...badMails.keys()].sort()).toEqual([...goodMails.keys()].sort());
  expect(badMails.size).toBe(noticesOf(bad).length);
  for (const [kind, id] of badMails) {
    const { body: badBody, email } = await findEmail(ctx, ownProject, id);
    const { body: goodBody } = await findEmail(ctx, ownProject, goodMails.get(kind) ?? "");
    const [html, text] = [badBody?.html ?? "", badBody?.text ?? ""];
    // What is no role, and no way of paying, is not named at all, so those mails lack a row in both sets of emails.
    expect(tagsOf(html), kind).toEqual(tagsOf(goodBody?.html ?? ""));
    expect(html, kind).not.toMatch(/<script|<img/i);
    expect(`${email.subject}${html}${text}`, kind).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028]/);
    expect(email.subject, kind).not.toMatch(/[\r\n]/);
    const parsed = await PostalMime.parse((await findEmailSource(ctx, ownProject, { id })).raw);
    expect(parsed.bcc ?? [], kind).toEqual([]);
    expect(parsed.to, kind).toHaveLength(1);
    expect(
      parsed.headers.map(({ key }) => key).filter((key) => /evil|bcc/.test(key)),
      kind,
    ).toEqual([]);
    expect(parsed.from?.address, kind).toBe("no-reply@tillpost.example");
    expect(parsed.html?.replaceAll("\r\n", "\n").trim(), kind).toBe(html.trim());
    for (const [, address = ""] of html.matchAll(/href="([^"]*)"/g)) expect(address, kind).toMatch(/^http:\/\/localhost:8080\//);
  }
});
