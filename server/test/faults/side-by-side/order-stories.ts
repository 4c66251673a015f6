import type { KnownShop } from "#test/support/upgrade/known.ts";
import { type AnswerBody, ask } from "./ask.ts";
import type { Done } from "./done.ts";
import { picture } from "./picture.ts";
import type { SideBySide } from "./world.ts";

type Story = (world: SideBySide, done: Done, n: number) => Promise<void>;

interface Made {
  base: string;
  shop: KnownShop;
  token: string;
}

/** TEST shops of the stored database, by how they match. */
const shopOf = (world: SideBySide, mode: "exact" | "remark") => world.known.shops[mode === "exact" ? 0 : 2] as KnownShop;

/** An order that is created at one program and, with the same key, requested at the other; its buyer looks at it at both. */
async function makeOrder(world: SideBySide, done: Done, given: { n: number; ends: string; mode?: "exact" | "remark" }): Promise<Made> {
  const { n, ends } = given;
  const shop = shopOf(world, given.mode ?? "exact");
  const path = `/api/v1/projects/${shop.project_id}/orders`;
  const body = { amount_minor: 10_000 + (n % 5_000), currency: "CNY", reference: `beside-${n}`, metadata: { n: String(n) } };
  const call = { path, shop, body, headers: { "idempotency-key": `make-${n}` }, status: 201 };
  const made = await ask(world, n, call);
  const again = await ask(world, n + 1, call);
  if (again.body.id !== made.body.id) world.faults.add("one idempotency key made two orders");
  const { id = "none", payment_link: { token } = { token: "none" } } = made.body;
  done.orders.push({ id, project_id: shop.project_id, status: ends });
  await ask(world, n + 1, { path: `/api/public/pay/${token}` });
  await ask(world, n, { path: `/pay/${token}` });
  return { base: `${path}/${id}`, shop, token };
}

/** Checks that both programs show this status. */
async function checkStatus(world: SideBySide, { base, shop }: Made, given: { n: number; is: string }): Promise<void> {
  for (const turn of [given.n, given.n + 1]) {
    const { status } = (await ask(world, turn, { path: base, shop })).body;
    if (status !== given.is) world.faults.add(`an order is ${status} and not ${given.is}`);
  }
}

const paidBySimulation: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  const call = { path: `${made.base}/simulate-payment`, shop: made.shop, body: {}, headers: { "idempotency-key": `pay-${n}` } };
  await ask(world, n + 1, call);
  const again = await ask(world, n, call);
  if (again.headers.get("idempotent-replayed") !== "true")
    world.faults.add("a repeated payment was not answered with the first one's result");
  await checkStatus(world, made, { n, is: "paid" });
};

/** The payment is started at one program, reported at the other, and decided at the first. */
async function report(world: SideBySide, made: Made, n: number): Promise<void> {
  await ask(world, n, { path: `${made.base}/payments`, shop: made.shop, body: { gateway: "wechatpay" }, status: 201 });
  await ask(world, n + 1, { path: `/api/public/pay/${made.token}/report`, body: {} });
}

const approved: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  await report(world, made, n);
  await ask(world, n, {
    path: `${made.base}/verification`,
    shop: made.shop,
    body: { decision: "approve", external_transaction_id: `approved-${n}` },
  });
  await checkStatus(world, made, { n, is: "paid" });
};

const rejectedAndCanceled: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "canceled" });
  await report(world, made, n);
  await ask(world, n, { path: `${made.base}/verification`, shop: made.shop, body: { decision: "reject", reason_code: "not_received" } });
  await checkStatus(world, made, { n, is: "unpaid" });
  await ask(world, n + 1, { path: `${made.base}/cancel`, shop: made.shop, body: {} });
  await checkStatus(world, made, { n, is: "canceled" });
};

/** The screenshot of a transfer is uploaded at one program and shown by the other; the buyer's report is withdrawn and made again. */
const provenByPicture: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  await report(world, made, n);
  await ask(world, n, { path: `/api/public/pay/${made.token}/report/withdraw`, body: {} });
  const form = new FormData();
  form.set("purpose", "payment_proof");
  form.set("file", new Blob([new Uint8Array(await picture(n))]), "proof.png");
  const { id, url = "" } = (
    await ask(world, n, { path: `/api/v1/projects/${made.shop.project_id}/assets/upload`, shop: made.shop, form, status: 201 })
  ).body;
  const { pathname, search } = new URL(url, "http://localhost");
  await ask(world, n + 1, { path: `${pathname}${search}` });
  await ask(world, n + 1, {
    path: `${made.base}/voucher`,
    shop: made.shop,
    body: { asset_id: id, transaction_reference: `proof-${n}` },
    status: 201,
  });
  await ask(world, n, { path: `${made.base}/vouchers`, shop: made.shop });
  await ask(world, n, { path: `${made.base}/verification`, shop: made.shop, body: { decision: "approve" } });
  await checkStatus(world, made, { n, is: "paid" });
};

/** A transfer with the code in its note is reported to the program that didn't request it. */
const paidByReceipt: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid", mode: "remark" });
  const { body } = await ask(world, n, { path: `${made.base}/payments`, shop: made.shop, body: { gateway: "wechatpay" }, status: 201 });
  const receipts = `/api/v1/projects/${made.shop.project_id}/receipts`;
  const receipt = {
    channel: "wechat",
    amount_minor: body.payable_amount_minor,
    remark: body.remark_code,
    external_id: `came-${n}`,
    source: "listener",
  };
  const occurred_at = new Date().toISOString();
  await ask(world, n + 1, { path: receipts, shop: made.shop, body: { ...receipt, occurred_at }, status: 201 });
  await ask(world, n, { path: receipts, shop: made.shop, body: { ...receipt, occurred_at } });
  await checkStatus(world, made, { n, is: "paid" });
};

/** Less arrives than was due, and a person accepts it as the full amount. */
const shortAndAccepted: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  await ask(world, n, { path: `${made.base}/simulate-payment`, shop: made.shop, body: { outcome: "underpaid" } });
  await checkStatus(world, made, { n, is: "unpaid" });
  const exceptions = `/api/v1/projects/${made.shop.project_id}/exceptions`;
  const { data = [] } = (await ask(world, n + 1, { path: `${exceptions}?order_id=${made.base.split("/").at(-1)}`, shop: made.shop })).body;
  const short = 10_000 + (n % 5_000) - (data[0]?.amount_minor ?? 0);
  const accepting = { action: "accept", confirm_shortfall_minor: short, note: "taken for the whole" };
  await ask(world, n + 1, { path: `${exceptions}/${data[0]?.id}/resolve`, shop: made.shop, body: accepting });
  await checkStatus(world, made, { n, is: "paid" });
};

/** The rest of a partial payment arrives through the other program. */
const paidInParts: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  const pay = (turn: number, body: object) => ask(world, turn, { path: `${made.base}/simulate-payment`, shop: made.shop, body });
  await pay(n, { outcome: "underpaid", amount_minor: 4_000 });
  await pay(n + 1, { outcome: "paid", amount_minor: 6_000 + (n % 5_000) });
  await checkStatus(world, made, { n, is: "paid" });
};

/** It expires, is extended, and is paid. */
const revived: Story = async (world, done, n) => {
  const made = await makeOrder(world, done, { n, ends: "paid" });
  await ask(world, n, { path: `${made.base}/simulate-payment`, shop: made.shop, body: { outcome: "expire" } });
  await checkStatus(world, made, { n, is: "expired" });
  await ask(world, n + 1, { path: `${made.base}/payment-link`, shop: made.shop, body: { expires_in: 3_600 } });
  await ask(world, n, { path: `${made.base}/simulate-payment`, shop: made.shop, body: { outcome: "overpaid" } });
  await checkStatus(world, made, { n, is: "paid" });
};

/** It isn't paid within its five minutes: a worker of either version expires it. */
const leftAlone: Story = async (world, done, n) => {
  const { project_id, key } = shopOf(world, "exact");
  const path = `/api/v1/projects/${project_id}/orders`;
  const body = { amount_minor: 777, currency: "CNY", expires_in: 300 };
  const { id = "none" }: AnswerBody = (await ask(world, n, { path, shop: { key } as KnownShop, body, status: 201 })).body;
  done.orders.push({ id, project_id, status: "expired" });
};

/** What the pages of a dashboard and a shop's nightly jobs read. */
const lists = ["orders", "exceptions", "receipts", "webhooks", "events", "figures", "collection-profiles"];
const flatLists = ["/api/v1/transactions", "/api/v1/wallets", "/v1/emails", "/v1/batches", "/v1/suppressions", "/v1/domains", "/v1/usage"];

const everythingRead: Story = async (world, _done, n) => {
  for (const turn of [n, n + 1]) {
    const shop = shopOf(world, turn % 4 < 2 ? "exact" : "remark");
    for (const list of lists) await ask(world, turn, { path: `/api/v1/projects/${shop.project_id}/${list}`, shop });
    for (const path of flatLists) await ask(world, turn, { path, shop });
  }
};

export const orderStories: readonly Story[] = [
  paidBySimulation,
  approved,
  paidByReceipt,
  rejectedAndCanceled,
  provenByPicture,
  shortAndAccepted,
  paidInParts,
  revived,
  leftAlone,
  everythingRead,
];
