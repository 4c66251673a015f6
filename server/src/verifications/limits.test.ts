import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { liveShop, openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { verificationRoom } from "#test/support/messages/verifications.ts";
import { sendLimits } from "./change/limit-sends.ts";
import { verificationTasks } from "./due/verification-tasks.ts";
import { resendCode, startVerification } from "./index.ts";

const app = await testApp({ sms: openSms([scriptedCarrier()]) });
const { ctx, clock } = app;
const room = verificationRoom(ctx);
const refused = { code: "verification_limit" };

test("one recipient gets exactly ten codes an hour of a project in LIVE, however they are requested", async () => {
  const shop = await liveShop(app);
  const to = "+14155552671";
  const rows = [];
  for (let made = 0; made < 4; made += 1) rows.push(await room.start(shop, { to }));
  for (const row of rows.slice(0, 3)) for (let again = 0; again < 2; again += 1) await resendCode(ctx, shop, { id: row.id, channel: null });
  await expect(room.start(shop, { to })).rejects.toMatchObject({ ...refused, extras: { headers: { "retry-after": "3600" } } });
  await expect(resendCode(ctx, shop, { id: rows[3]?.id ?? "", channel: null })).rejects.toMatchObject(refused);
  await room.start(shop, { to: "+14155552672" });
  await room.start(await liveShop(app), { to });
  clock.advance(3_600_000);
  await room.start(shop, { to });
});

test("forty concurrent codes to one recipient are ten", async () => {
  const shop = await liveShop(app);
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => room.start(shop, { to: "+14155552673" })));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(sendLimits.perRecipient.live);
});

test("a project of the free tier sends exactly its hundred codes an hour", async () => {
  const shop = await app.tenant();
  const start = (n: number) =>
    startVerification(ctx, shop, { tier: "free", verification: { to: `reader${n}@corner-readers.com`, channels: ["email"] } });
  const results = await Promise.allSettled(Array.from({ length: 104 }, (_none, n) => start(n)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(sendLimits.perProject.free);
  await expect(start(200)).rejects.toMatchObject(refused);
});

test("codes that were sent while the clock was ahead don't count after it was set back", async () => {
  const shop = await liveShop(app);
  const to = "+14155552674";
  const now = clock.now();
  // Longer than seconds fit into 32 bits.
  clock.advance(70 * 365 * 86_400_000);
  await room.start(shop, { to });
  clock.set(now);
  for (let made = 0; made < sendLimits.perRecipient.live; made += 1) await room.start(shop, { to });
  await expect(room.start(shop, { to })).rejects.toMatchObject({ ...refused, extras: { headers: { "retry-after": "3600" } } });
  clock.advance(3_600_000);
  await room.start(shop, { to });
});

test("what a channel's quota refuses leaves no verification behind and doesn't count", async () => {
  const shop = await app.tenant();
  const tight = { ...ctx, channels: { ...ctx.channels, quotasOf: () => ({ free: 1, starter: 1, pro: 1, enterprise: 1 }) } };
  const start = () => startVerification(tight, shop, { tier: "pro", verification: { to: "+15005551000", channels: ["sms"] } });
  const first = await start();
  await expect(start()).rejects.toMatchObject({ code: "quota_exceeded" });
  expect((await room.find(first)).sends).toHaveLength(1);
});

test("windows that have ended are deleted", async () => {
  clock.advance(7_200_000);
  const [, clear] = verificationTasks();
  let gone = 0;
  for (let portion = await clear?.run(ctx); portion !== undefined && portion > 0; portion = await clear?.run(ctx)) gone += portion;
  expect(gone).toBeGreaterThan(100);
  expect(await clear?.run(ctx)).toBe(0);
});
