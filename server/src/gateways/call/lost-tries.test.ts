import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { type ScriptedReply, scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import type { NewGatewayPayment } from "../port.ts";
import { callGateway } from "./call-gateway.ts";
import { openAccount } from "./open-account.ts";

const provider = await scriptedProvider();
const { ctx, tenant } = await testApp({
  gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait: async () => {} },
});

test.each<[string, ScriptedReply, string]>([
  ["refuses the credentials by then", { status: 401 }, "unknown_outcome"],
  ["wants to be left alone by then", { status: 429, headers: { "retry-after": "60" } }, "unknown_outcome"],
  ["says that the reference is in use", { status: 409 }, "unknown_outcome"],
  ["says no to the very reference", { status: 402, body: "no funds" }, "invalid"],
])(
  "a call whose first try may have worked has an unknown outcome, unless the provider responds about its reference: it %s",
  async (_what, reply, kind) => {
    const shop = await tenant();
    const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
    const opened = await openAccount(ctx, shop, id);
    provider.script("hang_up", reply);
    const payment = { reference: "ps_9", amount: { amount_minor: 100, currency: "EUR" } } as NewGatewayPayment;
    const create = callGateway(ctx, { opened, verb: "create", reference: "ps_9" }, (one, call) => one.create(call, payment));
    await expect(create).rejects.toMatchObject({ kind });
  },
);

test.each<[string, ScriptedReply]>([
  ["that declines it", { status: 402, body: "no funds" }],
  ["that finds it invalid", { status: 400 }],
  ["that doesn't know the payment", { status: 404 }],
  ["that wants it to wait", { status: 429, headers: { "retry-after": "60" } }],
])("a refund whose first try may have worked has an unknown outcome, also after a response %s", async (_what, reply) => {
  const shop = await tenant();
  const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  const opened = await openAccount(ctx, shop, id);
  provider.script("hang_up", reply);
  const change = { reference: "rf_9", amount: { amount_minor: 100, currency: "EUR" } } as NewGatewayPayment;
  const refund = callGateway(ctx, { opened, verb: "refund", reference: "rf_9" }, (one, call) => one.create(call, change));
  await expect(refund).rejects.toMatchObject({ kind: "unknown_outcome" });
});
