import { newId } from "#platform/index.ts";
import { fanOut } from "#webhooks/index.ts";
import type { House, TenantOptions, TestTenant } from "../house.ts";
import { payShop } from "../pay-shop.ts";
import { photo } from "../pictures.ts";

/** One id of each kind of object that a path, a query or a body can name. */
export interface Ids {
  projectId: string;
  order: string;
  exception: string;
  asset: string;
  profile: string;
  session: string;
  voucher: string;
  event: string;
  receipt: string;
  transaction: string;
  wallet: string;
  webhook: string;
  attemptId: string;
  domain: string;
  suppression: string;
  channel: string;
  token: string;
}

/** A tenant that has at least one object of each kind. */
export interface World {
  shop: TestTenant;
  ids: Ids;
}

/** Makes one of everything: an order that waits for money, one that was overpaid, and what comes with them. */
export async function buildWorld(home: House, options: TenantOptions = {}): Promise<World> {
  const { tenant: shop, order } = await payShop(home, options);
  const api = home.api(shop.key);
  const base = `/api/v1/projects/${shop.project_id}`;
  const good = async (answer: Promise<{ status: number; body: { id: string } & Record<string, never>; text: string }>) => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`the world was not made: ${text}`);
    return body;
  };
  const overpaid = await order({ amount_minor: 5000 });
  const session = await good(api.post(`${base}/orders/${overpaid.order.id}/payments`, { gateway: "wechatpay" }));
  const voucher = await good(api.post(`${base}/orders/${overpaid.order.id}/voucher`, { transaction_reference: "4200002156" }));
  await good(api.post(`${base}/orders/${overpaid.order.id}/verification`, { decision: "approve", received_amount_minor: 5100 }));
  const receipt = await good(
    api.post(`${base}/receipts`, { channel: "alipay", amount_minor: 77, occurred_at: home.clock.now().toISOString(), external_id: "A1" }),
  );
  const asset = await good(api.upload(`${base}/assets/upload`, await photo(64, 64), { purpose: "payment_proof" }));
  const waiting = await order({});
  const webhook = await good(api.post(`${base}/webhooks`, { url: "https://receiver.example.com/", events: ["*"] }));
  const attempt = await good(api.post(`${base}/webhooks/${webhook.id}/test`, {}));
  const domain = await good(api.post("/v1/domains", { name: "shop.simulator.tillpost.test" }));
  const suppression = await good(api.post("/v1/suppressions", { address: "ada@example.com" }));
  while ((await fanOut(home.ctx)) > 0);
  const first = async (path: string) => {
    const { data } = await good(api.get(path));
    const [item] = data as unknown as { id: string }[];
    if (item === undefined) throw new Error(`nothing at ${path}`);
    return item.id;
  };
  return {
    shop,
    ids: {
      projectId: shop.project_id,
      order: waiting.order.id,
      session: session.id,
      voucher: voucher.id,
      receipt: receipt.id,
      asset: asset.id,
      channel: "wechat",
      token: waiting.token,
      webhook: webhook.id,
      attemptId: attempt.id,
      domain: domain.id,
      suppression: suppression.id,
      exception: await first(`${base}/exceptions`),
      profile: await first(`${base}/collection-profiles`),
      event: await first(`${base}/orders/${overpaid.order.id}/events`),
      transaction: await first("/api/v1/transactions"),
      wallet: await first("/api/v1/wallets"),
    },
  };
}

/** Ids of the same shape that name nothing. */
export function ghostOf({ token }: Ids): Ids {
  const swapped = [...token].reverse().join("").slice(0, 8);
  return {
    projectId: newId("prj"),
    order: newId("ord"),
    exception: newId("exc"),
    asset: newId("ast"),
    profile: newId("cp"),
    session: newId("ps"),
    voucher: newId("vch"),
    event: newId("evt"),
    receipt: newId("rcp"),
    transaction: newId("txn"),
    wallet: newId("wal"),
    webhook: newId("we"),
    attemptId: newId("wat"),
    domain: newId("dom"),
    suppression: newId("sup"),
    channel: "wechat",
    token: token.slice(0, -8) + swapped,
  };
}
