import { expect, test } from "vitest";
import { narrow } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { auditedActions, noticesSent } from "#test/support/payments/collection.sql.ts";
import { putProfile } from "./put-profile.ts";
import { findProfile } from "./sql.ts";

const app = await testApp();
const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const someone = narrow(app.ctx, { actor: { kind: "person", id: "usr_owner" } }, app.database);
const put =
  (livemode: boolean, payload = wechat) =>
  async (tenant: { project_id: string }) =>
    putProfile(someone, { project_id: tenant.project_id, livemode }, { channel: "wechat", if_version: null, qr_payload: payload });

test("a person may change a LIVE code; it is audited, and the merchant is only notified of a new code", async () => {
  const shop = await app.tenant({ livemode: true });
  const first = await put(true)(shop);
  await put(true)(shop);
  const last = await put(true, `${wechat}2`)(shop);
  expect(last).toMatchObject({ version: 3, updated_by: "usr_owner" });
  const actions = await auditedActions(app.ctx.db, first.id);
  expect(actions.map((action) => [action.action, action.actor_id, action.detail.code_changed])).toEqual([
    ["collection_profile.updated", "usr_owner", true],
    ["collection_profile.updated", "usr_owner", false],
    ["collection_profile.updated", "usr_owner", true],
  ]);
  expect(actions.at(-1)?.detail).toMatchObject({ qr_payload: `${wechat}2`, previous_qr_payload: wechat });
  expect(await noticesSent(app.ctx.db, shop.merchant_id)).toEqual(["collection_code_changed", "collection_code_changed"]);
});

test("a TEST code causes no email", async () => {
  const shop = await app.tenant();
  await put(false)(shop);
  expect(await noticesSent(app.ctx.db, shop.merchant_id)).toEqual([]);
});

test("a tenant's profile doesn't exist for another", async () => {
  const shop = await app.tenant();
  await put(false)(shop);
  expect(await findProfile(app.ctx.db, await app.tenant(), "wechat")).toBeNull();
  expect(await findProfile(app.ctx.db, { ...shop, livemode: true }, "wechat")).toBeNull();
});
