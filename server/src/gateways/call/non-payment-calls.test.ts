import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { createCredential } from "../account/create-credential.ts";
import { findCredential } from "../account/find-credential.ts";
import { callGateway } from "./call-gateway.ts";
import { openAccount } from "./open-account.ts";

const provider = await scriptedProvider();
const { ctx, tenant } = await testApp({
  gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait: async () => {} },
});
const key = { reference: "ps_1", providerId: null };

async function open() {
  const shop = await tenant();
  const { id } = await createCredential(ctx, shop, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  const ask = async (verb: "verify" | "identify" | "list_settled" | "query") =>
    callGateway(ctx, { opened: await openAccount(ctx, shop, id), verb, reference: null }, (account, call) => account.query(call, key));
  const account = () => findCredential(ctx, shop, { gateway: "testpay", id });
  return { id, ask, account };
}

test.each(["verify", "identify", "list_settled"] as const)(
  "payments still go to a provider that leaves an auxiliary call unanswered: %s",
  async (verb) => {
    const { ask, account } = await open();
    provider.down = true;
    for (let call = 0; call < 25; call += 1) await expect(ask(verb)).rejects.toMatchObject({ kind: "unavailable" });
    provider.down = false;
    expect(await account()).toMatchObject({ is_paused: false, consecutive_failures: 0, failing_since: null, status: "checked" });
    provider.script({ status: 503 });
    await ask("query");
    expect(await account(), "nor with one more failure of another call").toMatchObject({ is_paused: false });
    provider.down = true;
    await expect(ask("query")).rejects.toMatchObject({ kind: "unavailable" });
    provider.down = false;
    expect(await account(), "nor with three in a row").toMatchObject({ is_paused: false, consecutive_failures: 3 });
  },
);

test.each(["verify", "identify"] as const)("a refusal of %s doesn't change the account's credentials", async (verb) => {
  const { ask, account } = await open();
  provider.script({ status: 401 });
  await expect(ask(verb)).rejects.toMatchObject({ kind: "auth" });
  expect(await account()).toMatchObject({ status: "checked" });
});

test("a readable callback closes no breaker: it may be a stranger's", async () => {
  const { id, ask, account } = await open();
  await runStatement(
    ctx.db,
    "update gateway_credentials set breaker_until = app_now() + interval '1 minute', failing_since = app_now() where id = ?",
    id,
  );
  await ask("verify");
  expect(await account()).toMatchObject({ is_paused: true });
});
