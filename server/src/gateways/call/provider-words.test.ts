import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import { GatewayError } from "../gateway-error.ts";
import { callGateway } from "./call-gateway.ts";
import { openAccount } from "./open-account.ts";

const provider = await scriptedProvider();
const { ctx, tenant } = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`] } });

async function open() {
  const shop = await tenant();
  const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  return openAccount(ctx, shop, id);
}
const refusalOf = async (words: string) => {
  const fault = new GatewayError("declined", { code: words, message: words, requestId: words, retryAfter: 7 });
  return callGateway(ctx, { opened: await open(), verb: "create", reference: "ps_1" }, () => Promise.reject(fault)).catch(
    (error: unknown) => error,
  );
};

describe("a provider's refusal, as the caller receives it,", () => {
  test("quotes no secret of the account: it is shown to people and to programs", async () => {
    const error = (await refusalOf('no: "sk-very-secret-1"; card 4111111111111111')) as GatewayError;
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ kind: "declined", retryAfter: 7, message: expect.stringMatching(/^no: "…"; card /) });
    expect([error.code, error.message, error.requestId, error.stack].join()).not.toMatch(/very-secret|4111111111111111/);
  });

  test.each([
    ["NUL", "a\u0000b", "a\ufffdb"],
    ["half of a character", "a\ud83d", "a\ufffd"],
    ["a character that its end would cut", `${"a".repeat(499)}😀`, `${"a".repeat(499)}\ufffd`],
  ])("can be stored, with %s in it", async (_what, words, expected) => {
    expect(await refusalOf(words)).toMatchObject({ message: expected });
  });
});

test("a provider's response can be stored, whatever its texts contain, and is otherwise unchanged", async () => {
  const paidAt = new Date(0);
  const words = {
    providerState: "a\u0000b",
    list: ["\ud83d", { deep: "😀 茶" }],
    paidAt,
    amount: 12,
    fee: null,
    missing: undefined,
    bytes: Buffer.from("\u0000"),
  };
  const value = await callGateway(ctx, { opened: await open(), verb: "query", reference: "ps_1" }, async () => words);
  expect(value).toEqual({ ...words, providerState: "a\ufffdb", list: ["\ufffd", { deep: "😀 茶" }] });
  expect(value.paidAt).toBe(paidAt);
});
