import { expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import { removeCredential } from "../account/remove-credential.ts";
import type { RawCallback } from "../callback-port.ts";
import { takeCallback } from "./take-callback.ts";

const provider = await scriptedProvider();
/** Its callbacks name the account of the provider that they are for. */
const adapter = {
  ...scriptedGateway(),
  hint: ({ path }: RawCallback) => ({ account: path.split("#")[1] ?? "", keyId: null, reference: "ps_1", providerId: null }),
};
const app = await testApp({ gateways: { adapters: [adapter], urls: [`testpay=${provider.url}`] } });
const { ctx } = app;

/** An account of a separate shop, named as its provider does, or with an unknown name. */
async function shopWith(secret: string, account: string | null) {
  const tenant = await app.tenant();
  provider.accounts.set(secret, account ?? "acct_of_nobody");
  const { id } = await createCredential(ctx, tenant, { gateway: "testpay", fields: { key: "tp_test_1", secret } });
  if (account === null) await runStatement(ctx.db, "update gateway_credentials set account = null where id = ?", id);
  return { tenant, id, secret };
}
const take = ({ secret }: { secret: string }, payments: { tenant: TestTenant; id: string }[], account = "acct_shared") =>
  takeCallback(ctx, {
    gateway: "testpay",
    credentialId: null,
    raw: {
      method: "POST",
      path: `/api/payments/testpay/webhook#${account}`,
      headers: {},
      body: Buffer.from(secret),
      receivedAt: ctx.now(),
    },
    isAppliedNow: true,
    listPlaces: async () => payments.map(({ tenant: { project_id, livemode }, id }) => ({ project_id, livemode, credential_id: id })),
  });

/** What tells nothing leaves nothing to apply. */
const believed = { outcome: "stored", answer: { status: 200 }, callback: null };
const again = { ...believed, outcome: "repeated" };
const named = await shopWith("sk-named-1", "acct_shared");
const unnamed = await shopWith("sk-unnamed-1", null);
const other = await shopWith("sk-other-1", "acct_other");

test("a callback at the shared URL belongs to the account that its payment was started on, even if no one entered that account's name", async () => {
  expect(await take(unnamed, [unnamed])).toMatchObject(believed);
  expect(await take(named, [named])).toMatchObject(believed);
});

test("a payment of an account with another name isn't attributed to it, and its secret isn't tried", async () => {
  expect(await take(other, [other])).toMatchObject({ outcome: "nobody", answer: null });
  expect(await take(unnamed, [unnamed, named])).toMatchObject({ outcome: "nobody" });
});

test("a removed account still receives its own payments' callbacks, even if another one took its name", async () => {
  const before = await shopWith("sk-before-1", "acct_moved");
  await removeCredential(ctx, before.tenant, { gateway: "testpay", id: before.id, if_version: null });
  const after = await shopWith("sk-after-1", "acct_moved");
  const say = (shop: typeof before, payments: (typeof before)[]) => take(shop, payments, "acct_moved");
  expect(await say(before, [before])).toMatchObject(believed);
  expect(await say(after, [after])).toMatchObject(believed);
  expect(await say(after, [])).toMatchObject(again);
});

test("without a payment it belongs to the one account with that name", async () => {
  expect(await take(named, [])).toMatchObject(again);
  expect(await take(unnamed, [])).toMatchObject({ outcome: "signature" });
});

test("a payment's account is found however many projects have entered the same account with the provider", async () => {
  const shops = [];
  for (const at of [1, 2, 3, 4, 5]) shops.push(await shopWith(`sk-branch-${at}`, "acct_chain"));
  for (const shop of shops) expect(await take(shop, [shop], "acct_chain")).toMatchObject({ ...believed, credential_id: shop.id });
  expect(await take(shops[4] as (typeof shops)[0], [], "acct_chain")).toMatchObject({ outcome: "nobody", answer: null });
});
