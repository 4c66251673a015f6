import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "./create-credential.ts";

const provider = await scriptedProvider();
const adapters = [scriptedGateway({ ownServer: true })];
const replaced = await testApp({ gateways: { adapters, urls: [`testpay.test=${provider.url}`] } });
const plain = await testApp({ gateways: { adapters } });

const base_url = "http://127.0.0.1:23000";
const inMode = (mode: "test" | "live") => ({ gateway: "testpay", fields: { key: `tp_${mode}_1`, secret: "sk-very-secret-1", base_url } });

test("an account's own address in TEST may be on this machine if the operator set another one, which is contacted instead", async () => {
  const { ctx, tenant } = replaced;
  expect(await createCredential(ctx, await tenant(), inMode("test"))).toMatchObject({ status: "checked" });
  expect(provider.received.length).toBeGreaterThan(0);
});

test.each([
  ["in TEST without such a setting", plain.ctx, () => plain.tenant(), inMode("test")],
  ["in LIVE", replaced.ctx, () => replaced.tenant({ livemode: true }), inMode("live")],
  [
    "in LIVE with such a setting for both",
    { ...replaced.ctx, gateways: { ...replaced.ctx.gateways, hostOf: () => provider.url } },
    () => replaced.tenant({ livemode: true }),
    inMode("live"),
  ],
] as const)("an account's own address on this machine is refused %s", async (_where, ctx, tenant, input) => {
  await expect(createCredential(ctx, await tenant(), input)).rejects.toMatchObject({
    code: "url_not_allowed",
    extras: { param: "fields.base_url" },
  });
});
