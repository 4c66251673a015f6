import { expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import type { SendingChannel } from "./channel.ts";
import { listChannels } from "./list-channels.ts";
import { listUsage } from "./quota/list-usage.ts";
import { takeQuota } from "./quota/take-quota.ts";
import { createSuppression } from "./suppression/create-suppression.ts";
import { findBarred, findSuppressed } from "./suppression/find-suppressed.ts";
import { findSuppression, listSuppressions } from "./suppression/find-suppression.ts";
import { foldSuppressions } from "./suppression/fold-suppressions.ts";
import { insertSuppression } from "./suppression/sql.ts";
import { readTierLimits } from "./tier-limits.ts";

const noNumber = { reason: "not_a_number", message: "This is not a number." };

/** Another channel than e-mail: addresses are numbers, however they are written, and pages are what is counted. */
const pager: SendingChannel = {
  name: "sms",
  addresses: {
    canonical: (text) => text.replace(/\D/g, ""),
    plain: "^[0-9]+$",
    fault: (text) => (/\d{3}/.test(text) ? null : noNumber),
    isSimulated: (number) => number.startsWith("000"),
  },
  limits: { pages: { free: 1, starter: 5, pro: 50, enterprise: 500 } },
  quota: { unit: "pages", daily: { free: 3, starter: 30, pro: 300, enterprise: 3_000 } },
  messages: emailChannel.messages,
  queue: emailChannel.queue,
  waiting: [],
};

const app = await testApp();
const ctx: Ctx = { ...app.ctx, channels: listChannels([emailChannel, pager], ["starter.pages=7"]) };

test("a channel's own rules determine which spellings are one address", async () => {
  const shop = await app.tenant();
  const { id, address } = await createSuppression(ctx, shop, { channel: pager, address: "555-12 34" });
  expect(address).toBe("5551234");
  expect((await createSuppression(ctx, shop, { channel: pager, address: "(555) 1234" })).id).toBe(id);
  expect(await findSuppression(ctx, shop, { channel: pager, id: "555.1234" })).toMatchObject({ id, channel: "sms" });
  expect([...(await findSuppressed(ctx.db, shop, { channel: pager, addresses: ["55 51 234", "5551235"] })).keys()]).toEqual(["55 51 234"]);
  const list = async (filters: object) => (await listSuppressions(ctx, shop, { limit: 10, filters })).rows.map((row) => row.id);
  expect([await list({ address: ["5-5-5-1234"] }), await list({ q: "555-1" }), await list({ q: "556" })]).toEqual([[id], [id], []]);
  await expect(createSuppression(ctx, shop, { channel: pager, address: "none" })).rejects.toMatchObject({ code: "parameter_invalid" });
  expect((await createSuppression(ctx, shop, { channel: pager, address: "000 123" })).address).toBe("000123");
  expect((await findSuppressed(ctx.db, shop, { channel: pager, addresses: ["000123"] })).size).toBe(0);
});

test("what one channel suppresses, another may still reach", async () => {
  const shop = await app.tenant();
  await createSuppression(ctx, shop, { channel: pager, address: "5551234" });
  const named = [{ ...tenantOf(shop), address: "555 1234" }];
  const barred = (channel: SendingChannel) => ctx.transact((tx) => findBarred(tx, channel, named));
  expect([await barred(pager), await barred(emailChannel)]).toEqual([named, []]);
});

test("odd spellings of earlier versions are converted to the channel's form, and no other channel's", async () => {
  const shop = await app.tenant();
  const at = ctx.now();
  const row = { ...tenantOf(shop), reason: "manual", source_id: null, expires_at: null, created_at: at, updated_at: at };
  await ctx.transact(async (tx) => {
    await insertSuppression(tx, { ...row, id: ctx.id("sup"), channel: "sms", address: "555-9999" });
    await insertSuppression(tx, { ...row, id: ctx.id("sup"), channel: "email", address: '"bob"@corner-readers.com' });
  });
  expect([await foldSuppressions(ctx, pager), await foldSuppressions(ctx, pager)]).toEqual([1, 0]);
  const left = await listSuppressions(ctx, shop, { limit: 10, filters: {} });
  expect(left.rows.map(({ address }) => address).sort()).toEqual(['"bob"@corner-readers.com', "5559999"]);
});

test("each channel counts its own unit against its own daily quota", async () => {
  const shop = await app.tenant();
  const take = (tier: "free" | "system", units: number) =>
    ctx.transact((tx) => takeQuota(tx, ctx, { channel: pager, uses: [{ tenant: shop, tier, units }], now: ctx.now(), timeoutMs: 1_000 }));
  await take("free", 2);
  await take("system", 50);
  await expect(take("free", 2)).rejects.toMatchObject({ code: "quota_exceeded" });
  const usedOf = async (channel: SendingChannel) => (await listUsage(ctx, shop, { channel, tier: "free" })).days.at(-1)?.used;
  expect([await usedOf(pager), await usedOf(emailChannel)]).toEqual([2, 0]);
});

test("the operator's changes and the tiers' limits are those of the channels in the list", () => {
  expect(ctx.channels.quotasOf(pager)).toEqual({ free: 3, starter: 7, pro: 300, enterprise: 3_000 });
  expect(ctx.channels.quotasOf(emailChannel)).toEqual(emailChannel.quota.daily);
  expect(readTierLimits(ctx.channels.all, ["free.pages=9"]).free).toMatchObject({ pages: 9, emails: 20, reads: 100 });
  expect(() => listChannels([emailChannel], ["free.pages=1"])).toThrow("not a quota of a tier");
  expect(() => listChannels([emailChannel, { ...pager, name: "email" }])).toThrow("share a name");
  expect(() => ctx.channels.named("pigeon")).toThrow("no channel");
});

function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}
