import { drawQrPng } from "#assets/index.ts";
import { changeMerchant, createPerson, inviteMember, setMerchantVerification } from "#identity/index.ts";
import { sendNotices } from "#notices/index.ts";
import { claimNotices, notice, noticeLeaseMs } from "#platform/index.ts";
import { recordReceipt } from "#reconciliation/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { receiver } from "#test/support/network/receiver.ts";
import type { PayShop } from "#test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";
import { photo, poster } from "#test/support/pictures/pictures.ts";
import { alipayStatement, olderAlipayStatement } from "#test/support/statements/statements.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createSender, fanOut } from "#webhooks/index.ts";
import type { Cut } from "./half-way.ts";
import type { HalfDone } from "./known.ts";
import { good } from "./preserved-states.ts";

type Shop = PayShop & { index: number };
const baseOf = (shop: Shop) => `/api/v1/projects/${shop.tenant.project_id}`;

/** Receipts in every state, one of them suggested for an order; an unapplied import, and one that was interrupted. */
export async function fillEveryReceipt(app: TestApp, { shop, cut }: { shop: Shop; cut: Cut }): Promise<HalfDone> {
  const api = app.api(shop.tenant.key);
  const { order } = await shop.order({ amount_minor: 1250 });
  good(await api.post(`${baseOf(shop)}/orders/${order.id}/payments`, { gateway: "alipay" }));
  const teller = { channel: "alipay", amount_minor: 555, occurred_at: app.clock.now().toISOString() };
  const suggested = good(await api.post(`${baseOf(shop)}/receipts`, { ...teller, amount_minor: 1250, external_id: "suggested" }));
  const ignored = good(await api.post(`${baseOf(shop)}/receipts`, { ...teller, external_id: "ignored" }));
  good(await api.post(`${baseOf(shop)}/receipts/${ignored.id}/ignore`, { reason: "a gift" }));
  const typed = { channel: "alipay", amount_minor: 556, occurred_at: app.clock.now(), source: "manual", external_id: "typed" } as const;
  await recordReceipt({ ...app.ctx, actor: { kind: "person", id: "usr_typed" } }, shop.tenant, typed);
  const preview = async (file: Uint8Array) => good(await api.upload(`${baseOf(shop)}/receipts/import`, file)).preview_id as string;
  const pathOf = (id: string) => `${baseOf(shop)}/receipts/import/${id}/apply`;
  await changeStates(app, { shop, preview, apply: async (id) => good(await api.post(pathOf(id), {})) });
  await preview(alipayStatement([{ amount: "1.11" }]));
  const path = pathOf(await preview(alipayStatement([{ amount: "2.22" }, { amount: "2.23" }])));
  await cut.at(/insert into receipts/i, () => api.post(path, {}, { headers: { "idempotency-key": "cut-off" } }));
  return { shop: shop.index, path, key: "cut-off", suggested: { receipt: suggested.id, order: order.id } };
}

/** Transfers that were reported as final, but aren't in a later statement. */
async function changeStates(
  app: TestApp,
  { shop, preview, apply }: { shop: Shop; preview: (file: Uint8Array) => Promise<string>; apply: (id: string) => Promise<unknown> },
): Promise<void> {
  const rows = [
    { number: "20261120220014000000009901", amount: "7.00", refunded: "7.00" },
    { number: "20261120220014000000009902", amount: "8.00", refunded: "3.00" },
    { number: "20261120220014000000009903", amount: "9.00", state: "等待确认收货" },
  ];
  for (const { number, amount } of rows) {
    const transfer = {
      channel: "alipay",
      amount_minor: Number(amount) * 100,
      occurred_at: app.clock.now().toISOString(),
      external_id: number,
    };
    good(await app.api(shop.tenant.key).post(`${baseOf(shop)}/receipts`, transfer));
  }
  await apply(await preview(olderAlipayStatement(rows)));
}

/** Pictures of each purpose and kind, one of them unused; a withdrawn report, with its proof. */
export async function fillEveryPicture(app: TestApp, shop: Shop): Promise<void> {
  const api = app.api(shop.tenant.key);
  const upload = async (purpose: string, file: Uint8Array) =>
    good(await api.upload(`${baseOf(shop)}/assets/upload`, file, { purpose })).id as string;
  const jpeg = await photo(40, 40);
  await upload("logo", jpeg);
  await upload("collection_qr", drawQrPng("wxp://f2f0ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh"));
  await upload("collection_qr", jpeg);
  await upload("collection_qr", await poster("wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234", "https://qr.alipay.com/fkx12345abcdefghijklmn"));
  const { order, token } = await shop.order({ amount_minor: 5600 });
  good(await api.post(`${baseOf(shop)}/orders/${order.id}/payments`, { gateway: "wechatpay" }));
  good(await api.post(`${baseOf(shop)}/orders/${order.id}/voucher`, { asset_id: await upload("payment_proof", await photo(41, 40)) }));
  good(await app.api(null).post(`/api/public/pay/${token}/report/withdraw`, {}));
}

/**
 * Attempts of each kind, a status callback that is owed, and a delivery whose sender is lost while its lease is still valid. Returns that
 * delivery's endpoint.
 */
export async function fillEveryDelivery(app: TestApp, shop: Shop): Promise<string> {
  const api = app.api(shop.tenant.key);
  const webhooks = `${baseOf(shop)}/webhooks`;
  const takes = await receiver();
  const taking = good(await api.post(webhooks, { url: `${takes.url}/again`, events: ["order.created"] })).id;
  const attempt = good(await api.post(`${webhooks}/${taking}/test`, {}));
  good(await api.post(`${webhooks}/${taking}/attempts/${attempt.id}/retry`, {}));
  await shop.order({});
  await sendAll(app);
  good(
    await api.post(`${webhooks}/${taking}/replay`, {
      since: new Date(app.clock.now().getTime() - 3_600_000).toISOString(),
      include_delivered: true,
    }),
  );
  app.clock.advance(1_000);
  await sendAll(app);
  const hangs = await receiver(() => {});
  const hanging = good(await api.post(webhooks, { url: hangs.url, events: ["order.created"] })).id;
  await shop.order({});
  while ((await fanOut(app.ctx)) > 0);
  await createSender().run(app.ctx);
  await hangs.until(1);
  return hanging;
}

async function sendAll({ ctx }: TestApp): Promise<void> {
  const sender = createSender();
  while ((await fanOut(ctx)) > 0);
  await sender.run(ctx);
  await sender.finish(ctx);
}

/** Domains, merchants and members of each kind. */
export async function fillEveryParty(app: TestApp, shop: Shop): Promise<void> {
  const api = app.api(shop.tenant.key);
  for (const name of ["good.example.test", "missing.example.test"]) {
    const { id } = good(await api.post("/v1/domains", { name }));
    good(await api.post(`/v1/domains/${id}/verify`, {}));
    if (name.startsWith("missing")) app.clock.advance(73 * 3_600_000);
    good(await api.post(`/v1/domains/${id}/verify`, {}));
  }
  for (const messaging_tier of ["starter", "pro"] as const) {
    const { merchant_id } = await app.tenant();
    await changeMerchant(app.ctx, { merchant_id, if_version: null, messaging_tier });
  }
  const { merchant_id } = await app.tenant({ verified: false });
  await setMerchantVerification(app.ctx, { merchant_id, status: "rejected", reason: "no such company" });
  const owner = await visitor(app, { merchant_id, role: "owner" });
  for (const role of ["admin", "developer", "accountant"] as const) await visitor(app, { merchant_id, role });
  const by = { person_id: owner.id, name: "Owner", role: "owner" } as const;
  await createPerson(app.ctx, {
    email: "reader@corner-books.example",
    name: "李雷",
    password: testPassword,
    passwordWork: "light",
    language: "zh",
  });
  for (const role of ["owner", "admin", "developer"] as const)
    await inviteMember(app.ctx, { merchant_id, email: `${role}@corner-books.example`, role, language: "zh", by });
}

/** Notices that were sent, that have no recipient, and that couldn't be sent. */
export async function fillEveryNotice({ ctx }: TestApp): Promise<void> {
  await ctx.transact((tx) => notice(tx, ctx, { kind: "of_another_version", recipient: "somebody@readers.dev", params: {} }));
  await eventually("every notice so far has ended", async () => (await sendNotices(ctx)) === 0);
}

/** A worker claims a notice and is lost. */
export async function loseNotice({ ctx }: TestApp): Promise<void> {
  const claimed = await claimNotices(ctx, { lease: "lost 1", durationMs: noticeLeaseMs, limit: 1, alone: false, gatherings: [] });
  if (claimed.length !== 1) throw new Error("no notice was due");
}
