import { listAudit } from "#audit/index.ts";
import { createCall } from "#calls/index.ts";
import { keepRecording } from "#calls/recording/keep-recording.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { createCredential, listGatewayAttempts, listGateways, listStraysOf, takeCallback } from "#gateways/index.ts";
import { insertPause } from "#guards/traffic/pauses.sql.ts";
import { addMember, changeMerchant, createPerson, inviteMember } from "#identity/index.ts";
import { applyDispute } from "#orders/dispute/apply-dispute.ts";
import { newId } from "#platform/index.ts";
import { receiveSms } from "#sms/inbound/receive-sms.ts";
import type { TenantOptions, TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { testPay } from "#test/support/gateways/scripted/payment-methods.ts";
import { scriptedGateway } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { testPassword } from "#test/support/people/visitors.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { alipayStatement } from "#test/support/statements/statements.ts";
import { startVerification } from "#verifications/index.ts";
import { fanOut } from "#webhooks/index.ts";
import type { Ids } from "./ids.ts";

/** The messaging API's limits for every test tenant's tier, practically unlimited. */
export const tierLimits = [
  "emails",
  "calls",
  "reads",
  "general",
  "burst",
  "email_batches",
  "sms",
  "sms_batches",
  "verifications",
  "control",
].map((limit) => `free.${limit}=100000000`);

/** A tenant that has at least one object of each kind. */
export interface SeededTenant {
  shop: TestTenant;
  ids: Ids;
}

/** Creates one of everything: an unpaid order, an overpaid one, and what belongs to them. */
export async function buildWorld(app: TestApp, options: TenantOptions = {}): Promise<SeededTenant> {
  const { tenant: shop, order } = await payShop(app, options);
  const api = app.api(shop.key);
  const base = `/api/v1/projects/${shop.project_id}`;
  const overpaid = await order({ amount_minor: 5000 });
  const payment = await paymentOf(app, shop, overpaid.order.id);
  const receipts = await receiptsOf(app, shop);
  const asset = await good(api.upload(`${base}/assets/upload`, await photo(64, 64), { purpose: "payment_proof" }));
  const [waiting, reported] = [await order({}), await order({})];
  await good(api.post(`${base}/orders/${reported.order.id}/voucher`, { gateway: "wechatpay", transaction_reference: "4200002157" }));
  const webhook = await good(api.post(`${base}/webhooks`, { url: "https://receiver.example.com/", events: ["*"] }));
  const attempt = await good(api.post(`${base}/webhooks/${webhook.id}/test`, {}));
  while ((await fanOut(app.ctx)) > 0);
  const first = async (path: string) => firstOf(await good(api.get(path)), path);
  return {
    shop,
    ids: {
      ...(await peopleOf(app, shop)),
      ...(await messagesOf(app, shop)),
      ...(await accountOf(app, shop)),
      ...payment,
      ...receipts,
      projectId: shop.project_id,
      order: waiting.order.id,
      reported: reported.order.id,
      asset: asset.id,
      channel: "wechat",
      token: waiting.token,
      webhook: webhook.id,
      attemptId: attempt.id,
      exception: await first(`${base}/exceptions`),
      profile: await first(`${base}/collection-profiles`),
      event: await first(`${base}/orders/${overpaid.order.id}/events`),
      transaction: await first("/api/v1/transactions"),
      wallet: await first("/api/v1/wallets"),
    },
  };
}

/** An order's payment that was overpaid and approved, with what follows. */
async function paymentOf(
  app: TestApp,
  shop: TestTenant,
  order_id: string,
): Promise<Pick<Ids, "session" | "voucher" | "refund" | "dispute">> {
  const api = app.api(shop.key);
  const base = `/api/v1/projects/${shop.project_id}/orders/${order_id}`;
  const session = await good(api.post(`${base}/payments`, { gateway: "wechatpay" }));
  const voucher = await good(api.post(`${base}/voucher`, { transaction_reference: "4200002156" }));
  await good(api.post(`${base}/verification`, { decision: "approve", received_amount_minor: 5100, confirm_excess_minor: 100 }));
  const refund = await good(api.post(`${base}/refunds`, { amount_minor: 10 }));
  return { session: session.id, voucher: voucher.id, refund: refund.id, dispute: await disputeOf(app, shop, order_id) };
}

/** A receipt, and a statement that is about to be imported. */
async function receiptsOf(app: TestApp, shop: TestTenant): Promise<Pick<Ids, "receipt" | "previewId">> {
  const receiptApi = app.api(shop.livemode ? (await app.key(shop, ["receipts:write"])).key : shop.key);
  const base = `/api/v1/projects/${shop.project_id}/receipts`;
  const transfer = { channel: "alipay", amount_minor: 77, occurred_at: app.clock.now().toISOString(), external_id: newId("req") };
  const receipt = await good(receiptApi.post(base, transfer));
  const preview = await good(receiptApi.upload(`${base}/import`, alipayStatement([{ direction: "支出" }])));
  return { receipt: receipt.id, previewId: String(preview["preview_id"]) };
}

type Made = { id: string } & Record<string, never>;

async function good(answer: Promise<{ status: number; body: Made; text: string }>): Promise<Made> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`the world was not made: ${text}`);
  return body;
}

function firstOf({ data }: Made, path: string): string {
  const [item] = data as unknown as { id: string }[];
  if (item === undefined) throw new Error(`nothing at ${path}`);
  return item.id;
}

/** A message of each channel, and what belongs to them. */
async function messagesOf(app: TestApp, shop: TestTenant) {
  const messages = { ...(await mailOf(app, shop)), ...(await smsOf(app, shop)), ...(await callOf(app, shop)) };
  return { ...messages, verification: await verificationOf(app, shop), pause: await pauseOf(app, shop) };
}

/** A scheduled message, a batch of them, a domain, and a suppressed address. */
async function mailOf(
  app: TestApp,
  shop: TestTenant,
): Promise<Pick<Ids, "email" | "emailEvent" | "batch" | "leave" | "domain" | "suppression" | "number">> {
  const api = app.api(shop.key);
  const emailInput = {
    from: "orders@tillpost.example",
    to: "ada@corner-readers.com",
    subject: "Hello",
    text: "Hello",
    scheduled_at: "2026-12-01T00:00:00Z",
  };
  const email = await good(api.post("/v1/emails", emailInput));
  const events = `/v1/emails/${email.id}/events`;
  return {
    email: email.id,
    emailEvent: firstOf(await good(api.get(events)), events),
    batch: (await good(api.post("/v1/emails/batch", [emailInput]))).id,
    leave: unsubscribeUrl(app.ctx, { tenant: shop, email_id: email.id, address: emailInput.to }).split("/u/")[1] ?? "",
    domain: (await good(api.post("/v1/domains", { name: "shop.simulator.tillpost.test" }))).id,
    suppression: (await good(api.post("/v1/suppressions", { address: "ada@example.com" }))).id,
    number: (await good(api.post("/v1/numbers", { value: "CORNER" }))).id,
  };
}

/** A scheduled call, with a recording. In LIVE as if calls had a transport. */
async function callOf(app: TestApp, shop: TestTenant): Promise<Pick<Ids, "call" | "callEvent" | "recordingId">> {
  const ctx = { ...app.ctx, calls: { ...app.ctx.calls, hasRoute: () => true, mayUse: async () => true } };
  if (shop.livemode) await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  const input = {
    from: "+14155552670",
    to: shop.livemode ? "+14155552671" : "+15005552000",
    text: "Hello",
    scheduled_at: "2026-12-01T00:00:00Z",
  };
  const call = await createCall(ctx, shop, { tier: "pro", call: input });
  const recordingId = (await keepRecording(ctx, call, { source: "verb", samples: Buffer.alloc(800) })) ?? "";
  const events = `/v1/calls/${call.id}/events`;
  return { call: call.id, callEvent: firstOf(await good(app.api(shop.key).get(events)), events), recordingId };
}

/** A code that is still awaited, by a channel that works in both environments. */
async function verificationOf(app: TestApp, shop: TestTenant): Promise<string> {
  const verification = { to: "ada@corner-readers.com", channels: ["email" as const] };
  return (await startVerification(app.ctx, shop, { tier: "pro", verification })).id;
}

/** A paused range of numbers; nothing pauses one in TEST, but its row can exist. */
function pauseOf(app: TestApp, shop: TestTenant): Promise<string> {
  const key = { project_id: shop.project_id, livemode: shop.livemode, channel: "sms", prefix: "99855" } as const;
  const figures = { messages: 412, codes: 412, approved: 0, share_percent: 96, sequential_percent: 100 };
  const finding = { cause: "sequential_numbers", prefix: key.prefix, figures } as const;
  return app.ctx.transact(async (tx) => {
    const row = await insertPause(tx, key, { id: newId("pau"), finding });
    return row?.id ?? "";
  });
}

/** An inbound message: that works in both environments. */
async function smsOf(app: TestApp, shop: TestTenant): Promise<Pick<Ids, "sms" | "smsEvent">> {
  const tenant = { project_id: shop.project_id, livemode: shop.livemode };
  const received = {
    tenant,
    provider: "world",
    from: "+14155552671",
    to: "+14155550100",
    body: "Hello",
    encoding: "GSM-7" as const,
    segments: 1,
  };
  const { id } = await app.ctx.transact((tx) => receiveSms(tx, app.ctx, received));
  const events = `/v1/sms/${id}/events`;
  return { sms: id, smsEvent: firstOf(await good(app.api(shop.key).get(events)), events) };
}

/** A provider that can't be reached. */
export const worldGateways = { adapters: [scriptedGateway()], urls: ["testpay=http://127.0.0.1:1"] };

/** The credentials of the gateway that only tests have. */
export const accountFields = ({ livemode }: Pick<TestTenant, "livemode">) => ({
  key: `tp_${livemode ? "live" : "test"}_1`,
  secret: "sk-very-secret-1",
});

async function accountOf(app: TestApp, shop: TestTenant): Promise<Pick<Ids, "slug" | "credential" | "gatewayAttempt" | "refusedCallback">> {
  const gateway = testPay.gateway;
  const ctx = { ...app.ctx, gateways: listGateways(worldGateways.adapters, worldGateways) };
  const { id } = await createCredential(ctx, shop, { gateway, fields: accountFields(shop) });
  const attempts = await listGatewayAttempts(ctx, shop, {
    gateway,
    credential_id: id,
    outcome: null,
    verb: null,
    reference: null,
    limit: 1,
  });
  const raw = { method: "POST", path: "/", headers: {}, body: Buffer.from("no callback"), receivedAt: app.clock.now() };
  await takeCallback(ctx, { gateway, credentialId: id, raw, isAppliedNow: false, listPlaces: async () => [] });
  const refused = await listStraysOf(ctx, shop, { gateway, credential_id: id, reason: null, limit: 1 });
  return { slug: gateway, credential: id, gatewayAttempt: attempts.rows[0]?.id ?? "", refusedCallback: refused.rows[0]?.id ?? "" };
}

/** A dispute that was won: it left nothing to do. */
async function disputeOf(app: TestApp, shop: TestTenant, order_id: string): Promise<string> {
  const payment = { reference: null, providerId: null, captureId: null };
  const amount = { amount_minor: 100, currency: "CNY" };
  const dispute = { providerDisputeId: "dp_1", payment, state: "won" as const, amount, reason: null, occurredAt: app.clock.now() };
  const report = {
    tenant: shop,
    credentialId: newId("gc"),
    gateway: testPay.gateway,
    payment: { order_id, payment_session_id: newId("ps") },
    dispute,
  };
  await applyDispute(app.ctx, report);
  const path = `/api/v1/projects/${shop.project_id}/orders/${order_id}/disputes`;
  return firstOf(await good(app.api(shop.key).get(path)), path);
}

let people = 0;

/** Another key, a colleague, an invitation, and an entry of the audit log. */
async function peopleOf(app: TestApp, shop: TestTenant): Promise<Pick<Ids, "apiKey" | "member" | "invitation" | "audit">> {
  people += 1;
  const person = await createPerson(app.ctx, {
    email: `colleague${people}@example.com`,
    name: "Colleague",
    password: testPassword,
    passwordWork: "light",
  });
  const member = await addMember(app.ctx, { merchant_id: shop.merchant_id, person_id: person.id, role: "viewer" });
  const by = { person_id: person.id, name: "Colleague", role: "owner" } as const;
  const invited = { merchant_id: shop.merchant_id, email: `guest${people}@example.com`, role: "viewer", language: "en", by } as const;
  const { rows } = await listAudit(app.ctx, { filters: { merchant_id: shop.merchant_id }, limit: 1 });
  return {
    apiKey: (await app.key(shop, ["domains:read"])).id,
    member: member.id,
    invitation: (await inviteMember(app.ctx, invited)).id,
    audit: rows[0]?.id ?? "",
  };
}
