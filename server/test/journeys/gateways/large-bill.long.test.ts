import { afterAll, expect, test } from "vitest";
import { serveSimulator } from "#app/simulator/serve-simulator.ts";
import { callGateway, createCredential, openAccount, type SimulatorWorld } from "#gateways/index.ts";
import { wechatpayMerchant } from "#providers/payment/wechatpay_merchant/adapter.ts";
import type { Transaction } from "#providers/payment/wechatpay_merchant/simulator/transactions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { wechatpay } from "#test/support/gateways/simulated/wechatpay-shop.ts";

const clock = { now: () => new Date() };
const served = await serveSimulator(wechatpay, { port: 0, now: () => clock.now(), log: () => {} });
afterAll(() => served.close());
const app = await testApp({ gateways: { adapters: [wechatpayMerchant], urls: [`wechatpay_merchant=${served.origin}`] } });
clock.now = () => app.clock.now();
const { ctx } = app;
const payments = 25_000;

/** What a busy merchant takes in one day, as WeChat Pay remembers it. */
async function sell(world: SimulatorWorld, of: { mchid: string; appid: string }): Promise<void> {
  for (let at = 0; at < payments; at += 1) {
    const no = `ps_${world.token(26)}`;
    const transaction: Transaction = {
      ...of,
      ...{ no, way: "native", asked: "", description: "Two pots of tea", attach: `order_id=ord_${world.token(26)}`, notifyUrl: "" },
      ...{ total: 9_900 + at, expiresMs: 0, state: "SUCCESS", transactionId: `42000${world.token(23)}`, paidMs: world.now().getTime() },
      ...{ openid: `oUpF8${world.token(23)}`, usesPublicKey: true },
    };
    await world.documents.put("transaction", `${of.mchid}/${no}`, transaction);
  }
}

test("the bill of a day with 25,000 payments at WeChat Pay is read completely, although no other response may be as long", async () => {
  const shop = await app.tenant();
  const fields = await served.world.enter((world) => wechatpay.openAccount(world, "shop"));
  const { id } = await createCredential(ctx, shop, { gateway: "wechatpay_merchant", fields });
  await served.world.enter((world) => sell(world, { mchid: fields["mchid"] ?? "", appid: fields["appid"] ?? "" }));
  const from = new Date(app.clock.now().getTime() - 3_600_000);
  app.clock.advance(2 * 86_400_000);
  const opened = await openAccount(ctx, shop, id);
  let longest = 0;
  const lines = await callGateway(ctx, { opened, verb: "list_settled", reference: null }, async (account, call) => {
    const fetch: typeof call.fetch = async (input, init) => {
      const answer = await call.fetch(input, init);
      longest = Math.max(longest, (await answer.clone().arrayBuffer()).byteLength);
      return answer;
    };
    return (await account.listSettled?.({ ...call, fetch }, { from, to: app.clock.now() })) ?? [];
  });
  expect(longest).toBeGreaterThan(1_048_576);
  expect(new Set(lines.map(({ reference }) => reference)).size).toBe(payments);
  const amounts = lines.map((line) => (line.kind === "unreadable" ? Number.NaN : line.amount.amount_minor));
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(9_900 * payments + (payments * (payments - 1)) / 2);
});
