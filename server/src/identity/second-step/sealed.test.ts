import { expect, test } from "vitest";
import { readMasterKeys, resealColumn } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";
import { listRows } from "../sign-in/library.sql.ts";
import { twoFactorSecrets } from "./sealed.sql.ts";

const app = await testApp();
const { ctx } = app;
const next = { ...readMasterKeys(`${testMasterKeys},2:${"b6".repeat(32)}`), signing: 2 };

test("recovery codes that a sign-in has read aren't resealed before it has marked one as used", async () => {
  const li = await visitor(app);
  const { recovery_codes } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  const reseal = async () => {
    let done = 0;
    for (const column of twoFactorSecrets) done += (await resealColumn({ ...ctx, masterKeys: next }, column, async () => {})).done;
    return done;
  };
  await ctx.transact(async (tx) => {
    const where = [{ column: "person_id", operator: "eq", value: li.id }] as const;
    expect(await listRows(tx, "twoFactor", { where: [...where], limit: 1, offset: 0, sort: null })).toHaveLength(1);
    expect(await reseal()).toBe(0);
  });
  expect(await reseal()).toBe(2);
  const codes = twoFactorSecrets[1];
  const [row] = await ctx.transact((tx) => listRows(tx, "twoFactor", { where: [], limit: 1, offset: 0, sort: null }));
  const plain = await codes?.open(next, { row: String(row?.["id"]), sealed: String(row?.["backup_codes"]) });
  expect(JSON.parse(String(plain))).toEqual(recovery_codes);
});
