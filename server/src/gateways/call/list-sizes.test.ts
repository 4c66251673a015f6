import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import type { GatewayVerb } from "../registry.ts";
import { callGateway } from "./call-gateway.ts";
import { openAccount } from "./open-account.ts";

const provider = await scriptedProvider();
const { ctx, tenant } = await testApp({
  gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait: async () => {} },
});
const mebibyte = 1_048_576;

/** A call of a verb, whose provider responds with so many bytes. */
async function answered(verb: GatewayVerb, bytes: number) {
  const shop = await tenant();
  const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  const reply = { status: 200, body: JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) }) };
  provider.script(reply, reply, reply);
  const key = { reference: "ps_1", providerId: null };
  return callGateway(ctx, { opened: await openAccount(ctx, shop, id), verb, reference: null }, (account, call) => account.query(call, key));
}

const large = { kind: "unavailable", code: "too_large", message: expect.stringContaining("too large") };

test("a provider's list of settled payments, or of refunds, may have 16 MiB a response, and any other response 1 MiB", async () => {
  for (const verb of ["list_settled", "query_refund"] as const) {
    await expect(answered(verb, 16 * mebibyte)).resolves.toMatchObject({ reference: "ps_1" });
    await expect(answered(verb, 16 * mebibyte + 1)).rejects.toMatchObject(large);
  }
  await expect(answered("query", mebibyte)).resolves.toMatchObject({ reference: "ps_1" });
});

test("a response that is too large is reported as that, and not requested again", async () => {
  const before = provider.received.length;
  await expect(answered("query", mebibyte + 1)).rejects.toMatchObject(large);
  expect(provider.received.slice(before).map(({ path }) => path)).toEqual(["/account", "/payments/ps_1"]);
});
