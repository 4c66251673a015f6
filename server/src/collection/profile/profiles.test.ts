import { expect, test } from "vitest";
import { narrow } from "#platform/index.ts";
import { house } from "#test/support/house/house.ts";
import { auditedActs, noticesSent } from "#test/support/payments/collection.sql.ts";
import { putProfile } from "./put-profile.ts";
import { findProfile } from "./sql.ts";

const home = await house();
const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const someone = narrow(home.ctx, { actor: { kind: "person", id: "usr_owner" } }, home.database);
const put =
  (livemode: boolean, payload = wechat) =>
  async (tenant: { project_id: string }) =>
    putProfile(someone, { project_id: tenant.project_id, livemode }, { channel: "wechat", if_version: null, qr_payload: payload });

test("a person may change a LIVE code; it is audited, and the merchant is told of a new code alone", async () => {
  const shop = await home.tenant({ livemode: true });
  const first = await put(true)(shop);
  await put(true)(shop);
  const last = await put(true, `${wechat}2`)(shop);
  expect(last).toMatchObject({ version: 3, updated_by: "usr_owner" });
  const acts = await auditedActs(home.ctx.db, first.id);
  expect(acts.map((act) => [act.action, act.actor_id, act.detail.code_changed])).toEqual([
    ["collection_profile.updated", "usr_owner", true],
    ["collection_profile.updated", "usr_owner", false],
    ["collection_profile.updated", "usr_owner", true],
  ]);
  expect(acts.at(-1)?.detail).toMatchObject({ qr_payload: `${wechat}2`, previous_qr_payload: wechat });
  expect(await noticesSent(home.ctx.db, shop.merchant_id)).toEqual(["collection_code_changed", "collection_code_changed"]);
});

test("a TEST code is nobody's mail", async () => {
  const shop = await home.tenant();
  await put(false)(shop);
  expect(await noticesSent(home.ctx.db, shop.merchant_id)).toEqual([]);
});

test("one tenant's profile is not there for another", async () => {
  const shop = await home.tenant();
  await put(false)(shop);
  expect(await findProfile(home.ctx.db, await home.tenant(), "wechat")).toBeNull();
  expect(await findProfile(home.ctx.db, { ...shop, livemode: true }, "wechat")).toBeNull();
});
