import { expect } from "vitest";
import { createCredential } from "#gateways/account/create-credential.ts";
import { callGateway } from "#gateways/call/call-gateway.ts";
import { openAccount } from "#gateways/call/open-account.ts";
import type { GatewayVerb } from "#gateways/registry.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "./scripted/scripted-gateway.ts";

export const mebibyte = 1_048_576;

/** How a call fails whose response is too large. */
export const tooLarge = { kind: "unavailable", code: "too_large", message: expect.stringContaining("too large") };

/** A provider, and calls of a verb to which it responds with so many bytes. */
export async function openForSizes() {
  const provider = await scriptedProvider();
  const { ctx, tenant } = await testApp({
    gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait: async () => {} },
  });
  async function answered(verb: GatewayVerb, bytes: number) {
    const shop = await tenant();
    const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
    const reply = { status: 200, body: JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) }) };
    provider.script(reply, reply, reply);
    const key = { reference: "ps_1", providerId: null };
    return callGateway(ctx, { opened: await openAccount(ctx, shop, id), verb, reference: null }, (account, call) =>
      account.query(call, key),
    );
  }
  return { provider, answered };
}
