import { describe, expect, test } from "vitest";
import { listAudit } from "#audit/index.ts";
import { listEmails } from "#email/index.ts";
import { addMember, createPerson } from "#identity/index.ts";
import { sendNotices } from "#notices/index.ts";
import { type AppError, ownProject, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { callGateway } from "../call/call-gateway.ts";
import { openAccount } from "../call/open-account.ts";
import { changeCredential } from "./change-credential.ts";
import { type CredentialInput, createCredential } from "./create-credential.ts";
import { findCredential, listCredentials } from "./find-credential.ts";
import { checkCredential, recheckCredentials } from "./recheck-credentials.ts";
import { removeCredential } from "./remove-credential.ts";

const provider = await scriptedProvider();
const { ctx, clock, tenant } = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`] } });
const gateway = "testpay";
const good = (more: Partial<CredentialInput> = {}): CredentialInput => ({
  gateway,
  fields: { key: "tp_test_1", secret: "sk-very-secret-1" },
  ...more,
});
const errorOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => Promise.reject(new Error("it was taken")),
    (error: AppError) => error,
  );
const everythingStored = async () =>
  JSON.stringify(await runStatement(ctx.db, "select * from gateway_credentials c full join gateway_attempts a on false"));

describe("an account is saved", () => {
  test("with its secrets sealed and never returned, once its provider has confirmed them", async () => {
    const shop = await tenant();
    const made = await createCredential(ctx, shop, good({ label: "Main" }));
    expect(made).toMatchObject({
      ...{
        gateway,
        label: "Main",
        enabled: true,
        position: 1,
        weight: 100,
        status: "checked",
        account: "acct_1",
        account_name: "Corner Books",
      },
      ...{ fields: { key: "tp_test_1" }, secret_last4: { secret: "et-1" }, check_error: null, version: 1, checked_at: ctx.now() },
    });
    expect(JSON.stringify(made)).not.toContain("sk-very-secret");
    expect(await everythingStored()).not.toContain("sk-very-secret");
    expect((await openAccount(ctx, shop, made.id)).account.id).toBeNull();
    expect(provider.received.at(-1)).toMatchObject({ method: "GET", path: "/account", authorization: "Bearer sk-very-secret-1" });
    expect(await listCredentials(ctx, shop, gateway)).toEqual([made]);
  });

  test("with surrounding blanks removed, and empty fields omitted", async () => {
    const made = await createCredential(
      ctx,
      await tenant(),
      good({ fields: { key: " tp_test_1\n", secret: "sk-very-secret-1 ", certificate: "" } }),
    );
    expect([made.fields, Object.keys(made.secret_last4)]).toEqual([{ key: "tp_test_1" }, ["secret"]]);
  });

  test("as unchecked if the provider can't be reached, with a reason, and is checked again automatically, less and less often", async () => {
    const shop = await tenant();
    provider.down = true;
    const made = await createCredential(ctx, shop, good());
    expect(made).toMatchObject({ status: "unchecked", checked_at: null, account: null, check_error: { code: "connection" } });
    const waits: number[] = [];
    for (let minutes = 1; waits.length < 4; minutes += 1) {
      clock.advance(60_000);
      if ((await recheckCredentials(ctx)) === 0) continue;
      waits.push(minutes);
      minutes = 0;
    }
    expect(waits).toEqual([1, 1, 2, 4]);
    provider.down = false;
    clock.advance(3_600_000);
    expect(await recheckCredentials(ctx)).toBe(1);
    expect(await findCredential(ctx, shop, made)).toMatchObject({ status: "checked", account: "acct_1", check_error: null, version: 1 });
    clock.advance(86_400_000);
    expect(await recheckCredentials(ctx)).toBe(0);
  });

  test("as permanently unchecked if the provider has no such check, until a call shows that it accepts them", async () => {
    const shop = await tenant();
    const blind = { ...ctx, gateways: { ...ctx.gateways, find: () => scriptedGateway({ checks: false }) } };
    const made = await createCredential(blind, shop, good());
    expect(made.status).toBe("unchecked");
    const query = async () => {
      const opened = await openAccount(blind, shop, made.id);
      return callGateway(blind, { opened, verb: "query", reference: "ps_1" }, (account, call) =>
        account.query(call, { reference: "ps_1", providerId: null }),
      );
    };
    await query();
    expect(await findCredential(blind, shop, made)).toMatchObject({ status: "checked", check_error: null });
    provider.script({ status: 401, body: "gone" });
    await expect(query()).rejects.toMatchObject({ kind: "auth" });
    expect(await findCredential(blind, shop, made)).toMatchObject({ status: "failed", check_error: { code: "401" } });
  });
});

test.each([
  ["an unknown gateway", { gateway: "stranger" }, { code: "gateway_not_found", status: 404 }, []],
  ["a personal code", { gateway: "alipay" }, { code: "gateway_not_found" }, []],
  ["missing fields", { fields: {} }, { code: "parameter_missing" }, ["fields.key required", "fields.secret required"]],
  ["a field taken out by null", { fields: { key: null, secret: "s-1" } }, { code: "parameter_missing" }, ["fields.key required"]],
  [
    "a field that the form doesn't have",
    { fields: { key: "tp_test_1", secret: "s-1", pin: "1" } },
    { code: "parameter_unknown" },
    ["fields.pin unknown_field"],
  ],
  ["a line break inside a key", { fields: { key: "tp_test_1\n2", secret: "s-1" } }, {}, ["fields.key forbidden_characters"]],
  [
    "every fault at once",
    { fields: { key: "x", secret: "a b" } },
    { code: "parameter_invalid" },
    ["fields.key malformed", "fields.secret malformed"],
  ],
  [
    "a key of the other environment",
    { fields: { key: "tp_live_1", secret: "s-1" } },
    { code: "parameter_invalid" },
    ["fields.key wrong_environment"],
  ],
  [
    "faults beside those of the fields",
    { fields: { key: "x", secret: "s-1" }, currencies: ["CNY"] },
    {},
    ["currencies currency_not_taken", "fields.key malformed"],
  ],
  ["a currency that doesn't exist", { currencies: ["XQQ"] }, { code: "parameter_invalid" }, ["currencies not_a_currency"]],
  [
    "a currency that the gateway doesn't take",
    { currencies: ["USD"] },
    { code: "unsupported_currency" },
    ["currencies currency_not_taken"],
  ],
  [
    "limits that nothing is within",
    { limits: { min_minor: 100, max_minor: 99 } },
    { code: "parameter_conflict" },
    ["limits.max_minor limits_crossed"],
  ],
  ["a card number in the label", { label: "4111 1111 1111 1111" }, { code: "card_number_refused" }, []],
  [
    "credentials that the provider refuses",
    { fields: { key: "tp_test_1", secret: "wrong-secret-9" } },
    { code: "parameter_invalid" },
    ["fields credentials_refused"],
  ],
])("%s is refused, and nothing is saved", async (_what, more, expected, faults) => {
  const shop = await tenant();
  const error = await errorOf(createCredential(ctx, shop, good(more as Partial<CredentialInput>)));
  expect(error).toMatchObject(expected);
  const details = error.extras.details ?? [{ param: error.extras.param, reason: error.extras.reason }];
  if (faults.length > 0) expect(details.map(({ param, reason }) => `${param} ${reason}`)).toEqual(faults);
  expect(JSON.stringify(error)).not.toContain("wrong-secret-9");
  expect(error.message).not.toContain("wrong-secret-9");
  expect(await listCredentials(ctx, shop, gateway)).toEqual([]);
});

test("TEST and LIVE are separate, and so are projects", async () => {
  const shop = await tenant();
  const live: Tenant = { project_id: shop.project_id, livemode: true };
  const made = await createCredential(ctx, live, good({ fields: { key: "tp_live_1", secret: "s-1" } }));
  for (const other of [shop, await tenant({ livemode: true })]) {
    expect(await listCredentials(ctx, other, gateway)).toEqual([]);
    await expect(findCredential(ctx, other, made)).rejects.toMatchObject({ code: "resource_missing" });
    await expect(openAccount(ctx, other, made.id)).rejects.toMatchObject({ code: "resource_missing" });
    await expect(removeCredential(ctx, other, { ...made, if_version: null })).rejects.toMatchObject({ code: "resource_missing" });
  }
});

test("a project has at most 32 accounts, however many are added concurrently", async () => {
  const shop = await tenant();
  const added = await Promise.allSettled(Array.from({ length: 35 }, () => createCredential(ctx, shop, good())));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(32);
  expect(new Set(added.flatMap((one) => (one.status === "rejected" ? [(one.reason as AppError).code] : [])))).toEqual(
    new Set(["limit_reached"]),
  );
  expect((await listCredentials(ctx, shop, gateway)).map(({ position }) => position)).toEqual(
    Array.from({ length: 32 }, (_none, index) => index + 1),
  );
});

test("a manual check reports the provider's current response", async () => {
  const shop = await tenant();
  const made = await createCredential(ctx, shop, good());
  provider.script({ status: 401, body: "sk-very-secret-1 was revoked" });
  const failed = await checkCredential(ctx, shop, made);
  expect(failed).toMatchObject({ status: "failed", check_error: { code: "401", message: "The provider refused with … was revoked" } });
  expect(await checkCredential(ctx, shop, made)).toMatchObject({ status: "checked", check_error: null });
});

test("an account that its provider refused for a while is used again once it is accepted; an email and the audit log say both", async () => {
  const shop = await tenant();
  const email = "ada@corner.books";
  const person = { email, name: "Ada", password: "correct horse battery", language: "en", passwordWork: "light" } as const;
  const { id: person_id } = await createPerson(ctx, person);
  await addMember(ctx, { merchant_id: shop.merchant_id, person_id, role: "developer" });
  const made = await createCredential(ctx, shop, good({ label: "Main" }));
  const mails = async () => {
    await sendNotices(ctx);
    const { rows } = await listEmails(ctx, ownProject, { limit: 100, filters: { to: [email] } });
    return rows.map(({ email: { subject } }) => subject).filter((subject) => subject.includes("payment provider"));
  };
  const account = () => findCredential(ctx, shop, made);
  await runStatement(ctx.db, "update gateway_credentials set status = 'unchecked', check_due_at = app_now() where id = ?", made.id);
  provider.script({ status: 401 });
  await recheckCredentials(ctx);
  expect(await account()).toMatchObject({ status: "failed", check_error: { code: "401" } });
  const refused = "[TEST] Shop: a payment provider no longer accepts your account";
  expect(await mails()).toEqual([refused]);
  provider.down = true;
  clock.advance(60_000);
  await recheckCredentials(ctx);
  expect(await account(), "not because it can't be reached").toMatchObject({ status: "failed", check_error: { code: "401" } });
  expect(await mails()).toEqual([refused]);
  provider.down = false;
  clock.advance(3_600_000);
  await recheckCredentials(ctx);
  expect(await account()).toMatchObject({ status: "checked", check_error: null });
  expect(await mails()).toEqual(["[TEST] Shop: your account at a payment provider works again", refused]);
  const { rows } = await listAudit(ctx, { filters: { merchant_id: shop.merchant_id, project_id: shop.project_id }, limit: 100 });
  const checked = rows.filter(({ action, object_id }) => object_id === made.id && action === "gateway_credential.checked");
  expect(checked.map(({ detail }) => detail?.["status"])).toEqual(["checked", "failed"]);
});

test("a removed account is no longer shown, and what was started on it continues", async () => {
  const shop = await tenant();
  const made = await createCredential(ctx, shop, good());
  await removeCredential(ctx, shop, { ...made, if_version: 1 });
  await expect(findCredential(ctx, shop, made)).rejects.toMatchObject({ code: "resource_missing" });
  await expect(changeCredential(ctx, shop, { gateway, id: made.id, if_version: null, enabled: true })).rejects.toMatchObject({
    code: "resource_missing",
  });
  expect(await listCredentials(ctx, shop, gateway)).toEqual([]);
  expect((await openAccount(ctx, shop, made.id)).credential).toMatchObject({ enabled: false, removed_at: ctx.now() });
});

test("every act is in the audit log, without a secret", async () => {
  const shop = await tenant();
  const made = await createCredential(ctx, shop, good());
  await changeCredential(ctx, shop, { gateway, id: made.id, if_version: null, enabled: false });
  await changeCredential(ctx, shop, { gateway, id: made.id, if_version: null, fields: { secret: "new-secret-2" } });
  await checkCredential(ctx, shop, made);
  await removeCredential(ctx, shop, { ...made, if_version: null });
  const { rows } = await listAudit(ctx, { filters: { merchant_id: shop.merchant_id, project_id: shop.project_id }, limit: 100 });
  const audited = rows.filter(({ object_id }) => object_id === made.id).reverse();
  expect(audited.map(({ action }) => action.replace("gateway_credential.", ""))).toEqual([
    "created",
    "updated",
    "rotated",
    "checked",
    "deleted",
  ]);
  expect(audited[1]?.detail).toMatchObject({ gateway, enabled: false, previous_enabled: true });
  expect(audited[2]?.detail).toMatchObject({ fields_changed: ["secret"] });
  expect(JSON.stringify(audited)).not.toMatch(/very-secret|new-secret/);
});

describe("a merchant's own server", () => {
  const own = { ...ctx, gateways: { ...ctx.gateways, find: () => scriptedGateway({ ownServer: true }), hostOf: () => null } };

  test.each(["http://btc.example.com", "https://127.0.0.1/", "https://10.0.0.1", "https://btc.example.com:22"])(
    "isn't saved at %s",
    async (base_url) => {
      const error = await errorOf(createCredential(own, await tenant(), good({ fields: { key: "tp_test_1", secret: "s-1", base_url } })));
      expect(error).toMatchObject({ code: "url_not_allowed", extras: { param: "fields.base_url" } });
    },
  );

  test("is reached through the guard each time", async () => {
    const shop = await tenant();
    const made = await createCredential(
      own,
      shop,
      good({ fields: { key: "tp_test_1", secret: "s-1", base_url: "https://btc.example.com" } }),
    );
    expect(made).toMatchObject({ status: "unchecked", check_error: { code: "connection" } });
    await runStatement(
      ctx.db,
      "update gateway_credentials set fields = fields || jsonb_build_object('base_url', ?::text) where id = ?",
      provider.url,
      made.id,
    );
    const requestCount = provider.received.length;
    expect(await checkCredential(own, shop, made)).toMatchObject({ status: "unchecked" });
    expect(provider.received).toHaveLength(requestCount);
  });
});
