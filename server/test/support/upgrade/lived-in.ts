import { chainAudit } from "#audit/index.ts";
import { createApiKey } from "#identity/index.ts";
import { rollBalances } from "#ledger/index.ts";
import { expireDue } from "#orders/index.ts";
import { buildWorld } from "#test/routes/world.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { dashboardWorld } from "#test/support/dashboard/dashboard-world.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { moneyOperations } from "#test/support/payments/money-deeds.ts";
import { type PayShop, payShop, type ShopOptions } from "#test/support/payments/pay-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { handOf } from "#test/support/webhooks/webhook-world.ts";
import { fillEveryMail } from "./every-mail.ts";
import { fillEveryDelivery, fillEveryNotice, fillEveryParty, fillEveryPicture, fillEveryReceipt, loseNotice } from "./every-state.ts";
import type { Cut } from "./half-way.ts";
import type { Known, KnownShop, OwedMails, WaitingSession } from "./known.ts";
import { good, statusesOf } from "./preserved-states.ts";

/** Fills an empty database as months of use would: money in every state and by every way, people, email, deliveries, audit chains. */
export async function liveIn(app: TestApp, { commit, cut }: { commit: string; cut: Cut }): Promise<Known> {
  // Moves the clock by days.
  await fillEveryParty(app, { ...(await payShop(app)), index: -1 });
  for (const operation of moneyOperations) {
    const ready = await operation.prepare(app);
    await ready.run(app.ctx);
  }
  for (const livemode of [false, true]) await buildWorld(app, { livemode });
  await dashboardWorld(app);
  const known: Known = { commit, at: "", shops: [], statuses: [], waiting: [], tokens: [], ...(await nothingYet()) };
  await fillPayments(app, known);
  const mails = await fillMail(app, known);
  await fillEveryNotice(app);
  const deliveries = await fillWebhooks(app, known);
  await signInPeople(app);
  const half = await fillEveryReceipt(app, { shop: await openShop(app, known, {}), cut });
  await fillEveryPicture(app, await openShop(app, known, {}));
  while ((await chainAudit(app.ctx)) > 0);
  await rollBalances(app.ctx, 40);
  // What follows is neither chained nor rolled yet.
  await fillReplay(app, known);
  await loseNotice(app);
  known.underWay = { mails, deliveries, half };
  for (const shop of known.shops) known.statuses.push(await statusesOf(app, shop));
  known.at = app.clock.now().toISOString();
  return known;
}

const nothingYet = async () => ({
  endpoint: { shop: 0, id: "", secret: "" },
  replay: { shop: 0, path: "", body: {}, key: "", id: "" },
  mails: [],
});

async function openShop(app: TestApp, known: Known, options: ShopOptions): Promise<PayShop & { index: number }> {
  const shop = await payShop(app, options);
  const { email, cookie } = await visitor(app, { merchant_id: shop.tenant.merchant_id, role: "owner" });
  const { project_id, livemode, merchant_id, key } = shop.tenant;
  const index = known.shops.push({ project_id, livemode, merchant_id, key, owner: { email, cookie } }) - 1;
  return { ...shop, index };
}

/** No amount occurs in two of them: they share their wallet. The last of two equal ones is lowered where amounts distinguish orders. */
const waitingAmounts = { exact: [6100, 6100, 7000], unique_amount: [6200, 6200, 7100], remark: [6300, 6300, 7200] };

/** Shops of each way to match, with orders in every state; some are left waiting for their money. */
async function fillPayments(app: TestApp, known: Known): Promise<void> {
  const shops: { shop: Shop; mode: Mode }[] = [];
  for (const livemode of [false, true])
    for (const mode of ["exact", "unique_amount", "remark"] as const) {
      const shop = await openShop(app, known, {
        livemode,
        matching: { mode, ...(mode === "unique_amount" ? { max_offset_minor: 20 } : {}) },
      });
      await endOrders(app, shop, known);
      await referenceTwice(app, shop);
      await askDuringExpiry(app, shop);
      shops.push({ shop, mode });
    }
  for (const { shop, mode } of shops) for (const amount of waitingAmounts[mode]) await leaveWaiting(app, { shop, amount, mode, known });
}

type Shop = PayShop & { index: number };
type Mode = keyof typeof waitingAmounts;
const baseOf = (shop: Shop) => `/api/v1/projects/${shop.tenant.project_id}`;

async function startPaying(app: TestApp, shop: Shop, order: { amount_minor: number; expires_in?: number }) {
  const made = await shop.order(order);
  const session = good(await app.api(shop.tenant.key).post(`${baseOf(shop)}/orders/${made.order.id}/payments`, { gateway: "wechatpay" }));
  return { ...made, session };
}

/** One order for each final state of an order. */
async function endOrders(app: TestApp, shop: Shop, known: Known): Promise<void> {
  const api = app.api(shop.tenant.key);
  const review = (id: string, body: object) => api.post(`${baseOf(shop)}/orders/${id}/verification`, body);
  const endings: ((id: string, payable: number) => Promise<unknown>)[] = [
    async (id) => good(await review(id, { decision: "approve", external_transaction_id: `paid-${id}` })),
    async (id, payable) =>
      good(await review(id, { decision: "approve", received_amount_minor: 4000, confirm_shortfall_minor: payable - 4000 })),
    async (id) => good(await review(id, { decision: "approve", received_amount_minor: 6000, confirm_excess_minor: 1000 })),
    async (id) => good(await review(id, { decision: "reject", reason_code: "not_received" })),
    async (id) => good(await review(id, { decision: "reject", reason_code: "fraud", final: true })),
    async () => undefined,
  ];
  for (const end of endings) {
    const { order, token, session } = await startPaying(app, shop, { amount_minor: 5000 });
    good(
      await api.post(`${baseOf(shop)}/orders/${order.id}/voucher`, { transaction_reference: `ref-${order.id.slice(-6)}`, note: "已付款" }),
    );
    await end(order.id, session.payable_amount_minor);
    known.tokens.push(token);
  }
  const canceled = await startPaying(app, shop, { amount_minor: 5100 });
  good(await api.post(`${baseOf(shop)}/orders/${canceled.order.id}/cancel`));
  const untouched = await shop.order({ amount_minor: 5200 });
  known.tokens.push(canceled.token, untouched.token);
}

/** One transfer's number in the spellings that this version distinguished. */
async function referenceTwice(app: TestApp, shop: Shop): Promise<void> {
  for (const spelt of ["42000DUP1", "42000dup1", " 42000DUP1"]) {
    const { order } = await startPaying(app, shop, { amount_minor: 5300 });
    const api = app.api(shop.tenant.key);
    await api.post(`${baseOf(shop)}/orders/${order.id}/voucher`, { transaction_reference: spelt });
    await api.post(`${baseOf(shop)}/orders/${order.id}/verification`, { decision: "approve", external_transaction_id: spelt });
  }
}

/** An order whose buyer has the code on the screen, or has reported that it is paid. */
async function leaveWaiting(app: TestApp, given: { shop: Shop; amount: number; mode: Mode; known: Known }): Promise<void> {
  const { shop, amount, mode, known } = given;
  const { order, token, session } = await startPaying(app, shop, { amount_minor: amount });
  if (mode === "exact")
    good(await app.api(shop.tenant.key).post(`${baseOf(shop)}/orders/${order.id}/voucher`, { transaction_reference: `w-${order.id}` }));
  const waiting: WaitingSession = {
    ...{ shop: shop.index, order_id: order.id, channel: "wechat", settles_by: mode === "exact" ? "review" : "receipt" },
    ...{ amount_minor: session.payable_amount_minor, remark: session.remark_code ?? null },
  };
  // An amount that is also another order's price may be for that one: a person decides.
  if (mode !== "unique_amount" || session.payable_amount_minor !== 6200) known.waiting.push(waiting);
  known.tokens.push(token);
}

/** In LIVE a key that reports transfers may do nothing else, and specifies the account that received them. */
async function keyForReceipts({ ctx }: TestApp, { tenant: { project_id, livemode } }: Shop): Promise<string> {
  const account = livemode ? { receiving_account: "wechat:main" } : {};
  const made = await createApiKey(ctx, {
    project_id,
    livemode,
    name: "receipts",
    permissions: ["receipts:write"],
    expires_at: null,
    ...account,
  });
  return made.secret ?? "";
}

/** An order that expires while its session is open, and money that arrives too late for it. */
async function askDuringExpiry(app: TestApp, shop: Shop): Promise<void> {
  const { session } = await startPaying(app, shop, { amount_minor: 8800, expires_in: 300 });
  app.clock.advance(310_000);
  while ((await expireDue(app.ctx)) > 0);
  const late = {
    channel: "wechat",
    amount_minor: session.payable_amount_minor,
    occurred_at: app.clock.now().toISOString(),
    source: "listener",
  };
  const key = await keyForReceipts(app, shop);
  const { id, exception_id } = good(
    await app.api(key).post(`${baseOf(shop)}/receipts`, { ...late, external_id: `late-${session.id}`, remark: session.remark_code ?? "" }),
  );
  // A person reverses it.
  if (exception_id !== null && !shop.tenant.livemode)
    good(await app.api(shop.tenant.key).post(`${baseOf(shop)}/receipts/${id}/unlink`, {}));
  good(await app.api(key).post(`${baseOf(shop)}/receipts`, { ...late, amount_minor: 31_415, external_id: `stray-${session.id}` }));
}

/** Emails in each state that the simulator knows, and some that wait. */
async function fillMail(app: TestApp, known: Known): Promise<OwedMails> {
  const room = mailRoom(app.ctx);
  const { index, tenant } = await openShop(app, known, {});
  const live = await openShop(app, known, { livemode: true });
  for (const name of ["delivered", "bounced", "complained", "delayed", "opened", "clicked"])
    await room.send(tenant, { to: `${name}@simulator.tillpost.test`, subject: name });
  await room.send(live.tenant, { subject: "已发货" });
  await room.settle();
  const owed = await fillEveryMail(app, { live, test: { ...(await payShop(app)), index: -1 } });
  const scheduled_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const attachments = [{ filename: "a.txt", content: Buffer.from("hello").toString("base64") }];
  const email = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello", attachments };
  for (const [at, shop] of [
    [index, tenant],
    [live.index, live.tenant],
  ] as const) {
    const now = good(await app.api(shop.key).post("/v1/emails", email));
    const later = good(await app.api(shop.key).post("/v1/emails", { ...email, scheduled_at }));
    known.mails.push({ shop: at, id: now.id, leaves: "now" }, { shop: at, id: later.id, leaves: "scheduled" });
  }
  good(await app.api(tenant.key).post("/v1/emails/batch", [email, { ...email, scheduled_at }]));
  good(await app.api(tenant.key).post("/v1/suppressions", { address: "gone@corner-readers.com" }));
  return owed;
}

/** Endpoints that took, refuse, and were switched off, with deliveries in each state. */
async function fillWebhooks(app: TestApp, known: Known): Promise<{ shop: number; hanging: string }> {
  const shop = await openShop(app, known, {});
  const { index, tenant } = shop;
  const takes = await receiver();
  const refuses = await receiver((_one, response) => response.writeHead(500).end("no"));
  const api = app.api(tenant.key);
  const endpoint = async (url: string) => good(await api.post(`${baseOf(shop)}/webhooks`, { url, events: ["*"] }));
  await endpoint(takes.url);
  const owed = await endpoint(refuses.url);
  const off = await endpoint(`${takes.url}/off`);
  good(await api.call("PATCH", `${baseOf(shop)}/webhooks/${off.id}`, { body: { status: "disabled" } }));
  good(await api.post(`${baseOf(shop)}/webhooks/${owed.id}/roll-secret`, {}));
  const { order } = await shop.order({});
  good(await api.post(`${baseOf(shop)}/orders/${order.id}/simulate-payment`, {}));
  await handOf(app.ctx).deliver();
  const other = await openShop(app, known, {});
  const hanging = await fillEveryDelivery(app, other);
  await shop.order({});
  known.endpoint = { shop: index, id: owed.id, secret: owed.secret };
  return { shop: other.index, hanging };
}

/** Two-step sign-in, a pending invitation, a forgotten password. */
async function signInPeople(app: TestApp): Promise<void> {
  const { merchant_id } = await app.tenant();
  const owner = await visitor(app, { merchant_id, role: "owner", is_operator: true });
  good(await owner.api.post("/api/auth/two-factor/enable", { password: "correct horse battery" }));
  good(await owner.api.post("/api/v1/merchant/invitations", { email: "invited@corner-books.example", role: "accountant" }));
  good(await owner.api.post("/api/auth/request-password-reset", { email: owner.email }));
}

async function fillReplay(app: TestApp, known: Known): Promise<void> {
  const shop = 0;
  const { key, project_id } = known.shops[shop] as KnownShop;
  const body = { amount_minor: 4200, currency: "CNY", reference: "INV-replayed" };
  const path = `/api/v1/projects/${project_id}/orders`;
  const { id } = good(await app.api(key).post(path, body, { headers: { "idempotency-key": "before-the-upgrade" } }));
  known.replay = { shop, path, body, key: "before-the-upgrade", id };
}
