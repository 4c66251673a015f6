import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import { findCredential } from "../account/find-credential.ts";
import { GatewayError } from "../gateway-error.ts";
import { callGateway } from "./call-gateway.ts";
import { listAttempts } from "./list-attempts.ts";
import { openAccount } from "./open-account.ts";
import type { Work } from "./run-try.ts";

const provider = await scriptedProvider();
const { ctx, tenant } = await testApp({
  gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait: async () => {} },
});
const gateway = "testpay";
const query: Work<unknown> = (account, call) => account.query(call, { reference: "ps_1", providerId: null });
const refuse: Work<never> = async (account, call) => {
  await query(account, call);
  throw new GatewayError("rate_limited", { code: "busy", message: "Another refund is in progress.", retryAfter: 60, isBusy: true });
};

test("payments still go to a provider that is busy with one of them, also after one more failure of another call", async () => {
  const shop = await tenant();
  const { id } = await createCredential(ctx, shop, { gateway, fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  const open = () => openAccount(ctx, shop, id);
  const account = () => findCredential(ctx, shop, { gateway, id });
  for (let call = 0; call < 25; call += 1) {
    const refund = callGateway(ctx, { opened: await open(), verb: "refund", reference: "rf_1" }, refuse);
    await expect(refund).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 60, isBusy: true });
  }
  expect(await account()).toMatchObject({ is_paused: false, consecutive_failures: 0, failing_since: null });
  const filters = { outcome: null, verb: ["refund"], reference: null } as const;
  const attempts = (await listAttempts(ctx, shop, { gateway, credential_id: id, ...filters, limit: 100 })).rows;
  expect(attempts.map(({ outcome, code }) => [outcome, code])).toEqual(Array(25).fill(["conflict", "busy"]));
  provider.down = true;
  await expect(callGateway(ctx, { opened: await open(), verb: "query", reference: "ps_1" }, query)).rejects.toBeInstanceOf(GatewayError);
  expect(await account()).toMatchObject({ is_paused: false, consecutive_failures: 3 });
});
