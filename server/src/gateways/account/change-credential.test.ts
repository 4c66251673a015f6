import { describe, expect, test } from "vitest";
import type { AppError, Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { callGateway } from "../call/call-gateway.ts";
import { openAccount } from "../call/open-account.ts";
import { changeCredential } from "./change-credential.ts";
import { type CredentialInput, createCredential } from "./create-credential.ts";
import { findCredential } from "./find-credential.ts";
import { recheckCredentials } from "./recheck-credentials.ts";
import { tidyGateways } from "./tidy-gateways.ts";

const provider = await scriptedProvider();
const { ctx, clock, tenant } = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`] } });
const gateway = "testpay";
const saved = (shop: Tenant, more: Partial<CredentialInput> = {}) =>
  createCredential(ctx, shop, { gateway, fields: { key: "tp_test_1", secret: "sk-very-secret-1" }, ...more });

describe("a change", () => {
  const change = (shop: Tenant, id: string, more: object) => changeCredential(ctx, shop, { gateway, id, if_version: null, ...more });

  test("of the choices leaves the rest as it was and queries no provider", async () => {
    const shop = await tenant();
    const made = await saved(shop, { limits: { min_minor: 100 } });
    const requestCount = provider.received.length;
    const changed = await change(shop, made.id, {
      enabled: false,
      weight: 5,
      limits: { max_minor: 900 },
      currencies: ["eur"],
      label: "Second",
    });
    expect(changed).toMatchObject({
      enabled: false,
      weight: 5,
      min_minor: 100,
      max_minor: 900,
      currencies: ["EUR"],
      label: "Second",
      position: 1,
      version: 2,
    });
    expect(changed).toMatchObject({ status: "checked", fields_version: 1, former_until: null });
    expect(provider.received).toHaveLength(requestCount);
    await expect(change(shop, made.id, { limits: { min_minor: 901 } })).rejects.toMatchObject({ code: "parameter_conflict" });
    expect(await change(shop, made.id, { currencies: null, limits: { min_minor: null, max_minor: null } })).toMatchObject({
      currencies: null,
      min_minor: null,
    });
  });

  test("that hasn't seen the newest version is refused, before the provider is queried", async () => {
    const shop = await tenant();
    const made = await saved(shop);
    await change(shop, made.id, { label: "a" });
    const requestCount = provider.received.length;
    await expect(change(shop, made.id, { if_version: 1, fields: { secret: "new-secret-2" } })).rejects.toMatchObject({
      code: "version_conflict",
    });
    expect(provider.received).toHaveLength(requestCount);
  });

  test("of fields is used immediately, and the former ones verify callbacks for a day", async () => {
    const shop = await tenant();
    const made = await saved(shop);
    const changed = await change(shop, made.id, { fields: { secret: "new-secret-2" } });
    expect(changed).toMatchObject({ fields: { key: "tp_test_1" }, secret_last4: { secret: "et-2" }, status: "checked", fields_version: 2 });
    expect(changed.former_until?.getTime()).toBe(ctx.now().getTime() + 86_400_000);
    expect(provider.received.at(-1)).toMatchObject({ authorization: "Bearer new-secret-2" });
    expect(await verifying(shop, made.id)).toEqual(["new-secret-2", "sk-very-secret-1"]);
    clock.advance(86_400_000);
    expect(await verifying(shop, made.id)).toEqual(["new-secret-2"]);
    expect((await findCredential(ctx, shop, made)).former_until).toBeNull();
    expect(await tidyGateways(ctx)).toBeGreaterThan(0);
    expect(await runStatement(ctx.db, "select from gateway_former_fields where credential_id = ?", made.id)).toHaveLength(0);
  });

  test("of fields again and again retains the three newest former ones, and none if the old ones leaked", async () => {
    const shop = await tenant();
    const made = await saved(shop);
    for (const end of [2, 3, 4, 5]) await change(shop, made.id, { fields: { secret: `next-secret-${end}` } });
    expect(await verifying(shop, made.id)).toEqual([5, 4, 3, 2].map((end) => `next-secret-${end}`));
    await change(shop, made.id, { fields: { secret: "next-secret-6" }, expire_old_in_seconds: 0 });
    expect(await verifying(shop, made.id)).toEqual(["next-secret-6"]);
  });

  test("of fields ends each former set at its own time", async () => {
    const shop = await tenant();
    const made = await saved(shop);
    await change(shop, made.id, { fields: { secret: "next-secret-2" }, expire_old_in_seconds: 3_600 });
    await change(shop, made.id, { fields: { secret: "next-secret-3" } });
    clock.advance(3_600_000);
    expect(await verifying(shop, made.id)).toEqual(["next-secret-3", "next-secret-2"]);
  });

  test.each([
    ["that the provider refuses", { secret: "wrong-secret-9" }, "credentials_refused"],
    ["of another account", { secret: "other-secret-9" }, "other_account"],
    ["of the other environment", { key: "tp_live_1" }, "wrong_environment"],
  ])("of fields %s is refused, and the old ones remain valid", async (_what, fields, reason) => {
    provider.accounts.set("other-secret-9", "acct_2");
    const shop = await tenant();
    const made = await saved(shop);
    const refusal = await change(shop, made.id, { fields }).then(
      () => null,
      (error: AppError) => error.extras,
    );
    expect(refusal?.details?.[0]?.reason ?? refusal?.reason).toBe(reason);
    expect(await findCredential(ctx, shop, made)).toEqual(made);
  });

  test("of fields that couldn't be checked is detected as another account's at the next check", async () => {
    provider.accounts.set("other-secret-9", "acct_2");
    const shop = await tenant();
    const made = await saved(shop);
    provider.script("hang_up");
    expect(await change(shop, made.id, { fields: { secret: "other-secret-9" } })).toMatchObject({ status: "unchecked", account: "acct_1" });
    clock.advance(60_000);
    await recheckCredentials(ctx);
    expect(await findCredential(ctx, shop, made)).toMatchObject({
      status: "failed",
      account: "acct_1",
      check_error: { code: "other_account" },
    });
  });

  /** The secrets that verify a callback, the current one first. */
  async function verifying(shop: Tenant, id: string): Promise<string[]> {
    const opened = await openAccount(ctx, shop, id);
    const callback = { method: "POST", path: "/", headers: {}, receivedAt: ctx.now() };
    const secrets = ["sk-very-secret-1", "new-secret-2", ...[2, 3, 4, 5, 6].map((end) => `next-secret-${end}`)];
    const found: string[] = [];
    for (const one of [opened, ...opened.former]) {
      for (const secret of secrets) {
        const verify = { opened: one, verb: "verify", reference: null } as const;
        const { ok } = await callGateway(ctx, verify, (account, call) => account.verify(call, { ...callback, body: Buffer.from(secret) }));
        if (ok) found.push(secret);
      }
    }
    return found;
  }
});
