import { Readable } from "node:stream";
import { uploadAsset } from "#assets/index.ts";
import { createCredential, listGateways, takeCallback } from "#gateways/index.ts";
import { assignNumber, requestNumber } from "#numbers/index.ts";
import { createOrder, simulatePayment, submitVoucher } from "#orders/index.ts";
import { recordReceipt } from "#reconciliation/index.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { testCode } from "#test/support/messages/verifications.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { type Visitor, visitor } from "#test/support/people/visitors.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { fillGuards } from "./dashboard-guards.ts";
import { fillTexts } from "./dashboard-texts.ts";
import { fillTransports } from "./dashboard-transports.ts";

/** A shop in which every page of the dashboard has something to show, and an empty one of the same people. */
export interface DashboardData {
  tenant: TestTenant;
  owner: Visitor;
  order: string;
  endpoint: string;
  /** With a payment provider. */
  account: string;
  email: string;
  batch: string;
  verification: string;
  /** A message in parts, and a conversation: the contact's number and the project's. */
  text: string;
  thread: [contact: string, number: string];
  /** One that was answered, with a recording. */
  call: string;
  /** Makes the sending process report its transports again: without reports they go silent. */
  reportTransports(): Promise<void>;
  /** Owner of a project in which nothing has happened. */
  newcomer: Visitor;
}

const longName = "Corner Books and Stationery of the Old Harbour Street 老港街角书店文具";

export async function dashboardWorld(app: TestApp): Promise<DashboardData> {
  const reportTransports = await fillTransports(app);
  const { tenant } = await payShop(app);
  const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
  for (const role of ["reviewer", "viewer"] as const) await visitor(app, { merchant_id: tenant.merchant_id, role });
  const order = await fillOrders(app, tenant);
  const ids = { ...(await fillMessages(app, tenant)), verification: await fillVerifications(app, tenant) };
  const texts = await fillTexts(app, tenant);
  await fillGuards(app, tenant);
  const endpoint = await must(
    app
      .api(tenant.key)
      .post(`/api/v1/projects/${tenant.project_id}/webhooks`, { url: "https://shop.example/hooks/payments", events: ["order.paid"] }),
  );
  const account = await fillGateways(app, tenant);
  await must(owner.api.post("/api/v1/merchant/invitations", { email: "new-colleague@corner-books.example", role: "reviewer" }));
  const other = await app.tenant({ verified: false });
  const newcomer = await visitor(app, { merchant_id: other.merchant_id, role: "owner" });
  return { tenant, owner, order, endpoint: String(endpoint["id"]), account, ...ids, ...texts, reportTransports, newcomer };
}

async function fillOrders(app: TestApp, tenant: TestTenant): Promise<string> {
  const { ctx } = app;
  let paid = "";
  for (const outcome of ["paid", "overpaid", "underpaid", "failed", "expire"] as const) {
    const { order } = await createOrder(ctx, tenant, {
      ...{ amount_minor: 1_234_599, currency: "CNY", reference: `INV-2026-11-${outcome}`, description: "Two notebooks, one fountain pen" },
      customer: { name: longName, email: "a.rather.long.address.of.a.buyer@mail.corner-readers.example", phone: "+86 138 0013 8000" },
      metadata: { table: "7" },
    });
    await simulatePayment(ctx, tenant, { order_id: order.id, outcome });
    if (outcome === "paid") paid = order.id;
  }
  await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY", reference: "INV-open" });
  const file = Readable.from([await photo(600, 900)]);
  const asset = await uploadAsset(ctx, tenant, { purpose: "payment_proof", file });
  for (const reference of ["INV-to-review", "INV-to-review-2"]) {
    const { order } = await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY", reference });
    await submitVoucher(ctx, tenant, {
      order_id: order.id,
      gateway: "wechatpay",
      asset_id: asset.id,
      transaction_reference: "4200001234",
      payer_name: "李雷",
      note: "已付款",
    });
  }
  const receipt = { channel: "wechat", occurred_at: ctx.now(), source: "statement" } as const;
  await recordReceipt(ctx, tenant, { ...receipt, external_id: "4200009999", amount_minor: 4321 });
  return paid;
}

/** Two accounts that couldn't be checked, and a refused callback. */
async function fillGateways(app: TestApp, tenant: TestTenant): Promise<string> {
  // These tests never reach a provider: nothing listens there.
  const ctx = { ...app.ctx, gateways: listGateways(app.ctx.gateways.all, { urls: ["stripe=http://127.0.0.1:1"] }) };
  const add = (label: string, key: string) =>
    createCredential(ctx, tenant, {
      gateway: "stripe",
      label,
      fields: { secret_key: key },
      limits: { min_minor: 100, max_minor: 500_000 },
    });
  const { id } = await add("Corner Books and Stationery, main account 主账户", "sk_test_4Zq8cJx0mB7vN2sT5yR1kW9d");
  await add("Second account", "sk_test_5Zq8cJx0mB7vN2sT5yR1kW9e");
  const raw = {
    method: "POST",
    path: `/api/payments/stripe/webhook/${id}`,
    headers: { "user-agent": "Stripe/1.0" },
    receivedAt: ctx.now(),
  };
  const body = Buffer.from(
    JSON.stringify({ object: "event", id: "evt_1", type: "checkout.session.completed", livemode: false, data: { object: {} } }),
  );
  await takeCallback(ctx, { gateway: "stripe", credentialId: id, raw: { ...raw, body }, isAppliedNow: false, listPlaces: async () => [] });
  return id;
}

async function fillMessages(app: TestApp, tenant: TestTenant): Promise<{ email: string; batch: string }> {
  const room = mailRoom(app.ctx);
  const { email } = await room.send(tenant, {
    subject: "Your order INV-2026-11-0001 is on its way to you, and here is all you need to know 您的订单已发货",
    to: "ada@lovelace.dev",
    html: "<h1>On its way</h1><p>Thank you for your order.</p>",
  });
  await room.send(tenant, { to: "bounced@simulator.tillpost.test", subject: "欢迎" });
  await room.settle();
  const api = app.api(tenant.key);
  const message = { from: "orders@tillpost.example", subject: "Hello", text: "Hello" };
  const batch = await must(
    api.post(
      "/v1/emails/batch",
      ["ada@lovelace.dev", "bob@corner-readers.com"].map((to) => ({ ...message, to })),
    ),
  );
  await must(api.post("/v1/domains", { name: "mail.corner-books.example" }));
  for (const value of ["+14155550100", "+15005550007", "CORNER"]) await must(api.post("/v1/numbers", { value }));
  const live = { project_id: tenant.project_id, livemode: true };
  await requestNumber(app.ctx, live, {
    value: "CORNER BOOK",
    countries: ["GB", "FR"],
    purpose: "Order updates for buyers who asked for them 订单通知",
  });
  await assignNumber(app.ctx, { ...live, value: "+14155552671" });
  await must(api.post("/v1/suppressions", { channel: "email", address: "never-again@corner-readers.example", reason: "manual" }));
  return { email: email.id, batch: String(batch["id"]) };
}

/** Codes by every channel, to two countries, most of which were approved. */
async function fillVerifications(app: TestApp, tenant: TestTenant): Promise<string> {
  const api = app.api(tenant.key);
  const begin = async (body: object) => String((await must(api.post("/v1/verifications", body)))["id"]);
  const check = (id: string, code: string) => must(api.post(`/v1/verifications/${id}/check`, { code }));
  for (const to of ["+15005551000", "+15005559001", "+15005559002", "+8613812345678"])
    await check(await begin({ to, channels: ["sms"], locale: "zh-CN" }), testCode);
  await check(await begin({ to: "ada@lovelace.dev", channels: ["email"], template: "sign_in" }), testCode);
  await must(api.post(`/v1/verifications/${await begin({ to: "+15005559003", channels: ["call"] })}/cancel`, {}));
  const guessed = await begin({ to: "+8613812345679", channels: ["sms", "call"], origin: "shop.example.com", template: "payment" });
  await must(api.post(`/v1/verifications/${guessed}/resend`, { channel: "call" }));
  for (let guess = 0; guess < 5; guess += 1) await check(guessed, "000000");
  await begin({ to: "a-very-long-address-of-somebody-who-waits-for-a-code@corner-readers.example", channels: ["email"] });
  return guessed;
}

async function must(call: Promise<{ status: number; body: Record<string, unknown>; text: string }>): Promise<Record<string, unknown>> {
  const { status, body, text } = await call;
  if (status >= 300) throw new Error(text);
  return body;
}
