import { describe, expect, test } from "vitest";
import { AppError } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { testCode, verificationRoom } from "#test/support/messages/verifications.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { cancelVerification, checkCode, resendCode } from "./index.ts";

const app = await testApp();
const { ctx, clock } = app;
const room = verificationRoom(ctx);
const shop = await app.tenant();
const wrong = "000000";

const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === "rejected" ? [result.reason instanceof AppError ? result.reason.code : String(result.reason)] : [],
  );
const fulfilled = <T>(results: PromiseSettledResult<T>[]): T[] =>
  results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
const conflict = { code: "verification_state_conflict" };

test("the right code approves, once, and reports it once", async () => {
  const row = await room.start(shop);
  expect(row).toMatchObject({ status: "pending", checks_left: 5, sends_left: 2, channel: "sms" });
  expect(await checkCode(ctx, shop, { id: row.id, code: testCode })).toMatchObject({ status: "approved", checks_left: 5 });
  await expect(checkCode(ctx, shop, { id: row.id, code: testCode })).rejects.toMatchObject(conflict);
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "approved"]);
});

test("a wrong code is counted; the last one fails the verification, and then the right one is too late", async () => {
  const row = await room.start(shop);
  for (const left of [4, 3, 2, 1])
    expect(await checkCode(ctx, shop, { id: row.id, code: wrong })).toMatchObject({ status: "pending", checks_left: left });
  expect(await checkCode(ctx, shop, { id: row.id, code: wrong })).toMatchObject({ status: "failed", checks_left: 0 });
  await expect(checkCode(ctx, shop, { id: row.id, code: testCode })).rejects.toMatchObject(conflict);
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "failed"]);
});

test("of fifty concurrent wrong codes exactly five are compared", async () => {
  const row = await room.start(shop);
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => checkCode(ctx, shop, { id: row.id, code: wrong })));
  expect(
    fulfilled(results)
      .map(({ checks_left }) => checks_left)
      .sort(),
  ).toEqual([0, 1, 2, 3, 4]);
  expect(codesOf(results)).toEqual(new Array(45).fill("verification_state_conflict"));
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "failed"]);
});

test("of twenty concurrent right codes one approves", async () => {
  const row = await room.start(shop);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => checkCode(ctx, shop, { id: row.id, code: testCode })));
  expect(fulfilled(results).map(({ status }) => status)).toEqual(["approved"]);
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "approved"]);
});

test("the right code among four concurrent wrong ones is found, whatever their order", async () => {
  const row = await room.start(shop);
  const codes = [wrong, wrong, testCode, wrong, wrong];
  await Promise.allSettled(codes.map((code) => checkCode(ctx, shop, { id: row.id, code })));
  expect((await room.find(row)).status).toBe("approved");
});

test("a code is valid until its time is up, to the millisecond, and the verification expires automatically", async () => {
  const [first, second] = [await room.start(shop, { expires_in: 60 }), await room.start(shop, { to: "+15005559991", expires_in: 60 })];
  clock.advance(59_999);
  expect((await checkCode(ctx, shop, { id: first.id, code: testCode })).status).toBe("approved");
  clock.advance(1);
  await expect(checkCode(ctx, shop, { id: second.id, code: testCode })).rejects.toMatchObject(conflict);
  await room.processDue();
  expect(await room.find(second)).toMatchObject({ status: "expired", checks_left: 5 });
  expect(await room.eventsOf(second)).toEqual(["created", "sent", "expired"]);
});

test("checked while it expires, it is one or the other, and reported once", async () => {
  const row = await room.start(shop, { to: "+15005559992", expires_in: 60 });
  clock.advance(60_000);
  await Promise.allSettled([room.processDue(), checkCode(ctx, shop, { id: row.id, code: testCode }), room.processDue()]);
  expect((await room.find(row)).status).toBe("expired");
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "expired"]);
});

test("a check that waited for the row while the time ran out is too late", async () => {
  const row = await room.start(shop, { to: "+15005559993", expires_in: 60 });
  clock.advance(59_000);
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = ctx.transact(async (tx) => {
    await runStatement(tx, "select id from verifications where id = ? for update", row.id);
    held.resolve();
    await over.promise;
  });
  await held.promise;
  const checking = checkCode(ctx, shop, { id: row.id, code: testCode });
  checking.catch(() => {});
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await eventually("the check waits", async () => (await app.asSuperuser((db) => runStatement(db, waiting))).length > 0);
  clock.advance(2_000);
  over.resolve();
  await holding;
  await expect(checking).rejects.toMatchObject(conflict);
});

describe("sending again", () => {
  test("is possible up to three sends, and the fourth is refused until the verification's time is up", async () => {
    const row = await room.start(shop, { to: "+15005559994" });
    expect((await resendCode(ctx, shop, { id: row.id, channel: null })).sends_left).toBe(1);
    const last = await resendCode(ctx, shop, { id: row.id, channel: null });
    expect([last.sends_left, last.sends.map(({ cause }) => cause)]).toEqual([0, ["start", "resend", "resend"]]);
    await expect(resendCode(ctx, shop, { id: row.id, channel: null })).rejects.toMatchObject({
      code: "verification_limit",
      extras: { headers: { "retry-after": "600" } },
    });
    expect((await checkCode(ctx, shop, { id: row.id, code: testCode })).status).toBe("approved");
  });

  test("ten times concurrently sends twice", async () => {
    const row = await room.start(shop, { to: "+15005559995" });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => resendCode(ctx, shop, { id: row.id, channel: null })));
    expect(codesOf(results)).toEqual(new Array(8).fill("verification_limit"));
    expect((await room.find(row)).sends).toHaveLength(3);
  });

  test("while a code is checked leaves one outcome, and no message of an ended verification", async () => {
    for (let round = 0; round < 8; round += 1) {
      const row = await room.start(shop, { to: `+150055598${round}0` });
      await Promise.allSettled([
        resendCode(ctx, shop, { id: row.id, channel: null }),
        checkCode(ctx, shop, { id: row.id, code: testCode }),
        resendCode(ctx, shop, { id: row.id, channel: null }),
      ]);
      const after = await room.find(row);
      expect(after.status).toBe("approved");
      const waiting = await runStatement(ctx.db, "select id from sms where recipient = ? and status = 'queued'", after.recipient);
      expect(waiting).toHaveLength(0);
    }
  });

  test("only uses a channel of the verification", async () => {
    const row = await room.start(shop, { to: "+15005559996", channels: ["sms", "call"] });
    expect((await resendCode(ctx, shop, { id: row.id, channel: "call" })).channel).toBe("call");
    await expect(resendCode(ctx, shop, { id: row.id, channel: "email" })).rejects.toMatchObject({
      code: "parameter_invalid",
      extras: { param: "channel" },
    });
  });

  test("withdraws an earlier message that hasn't been sent", async () => {
    const row = await room.start(shop, { to: "+15005559997" });
    await resendCode(ctx, shop, { id: row.id, channel: null });
    const texts = await runStatement<{ status: string }>(ctx.db, "select status from sms where recipient = '+15005559997' order by id");
    expect(texts.map(({ status }) => status)).toEqual(["canceled", "queued"]);
  });
});

test("once canceled, it accepts no code, and its message is withdrawn", async () => {
  const row = await room.start(shop, { to: "+15005559970" });
  expect((await cancelVerification(ctx, shop, { id: row.id })).status).toBe("canceled");
  await expect(checkCode(ctx, shop, { id: row.id, code: testCode })).rejects.toMatchObject(conflict);
  await expect(cancelVerification(ctx, shop, { id: row.id })).rejects.toMatchObject(conflict);
  const texts = await runStatement<{ status: string }>(ctx.db, "select status from sms where recipient = '+15005559970'");
  expect(texts.map(({ status }) => status)).toEqual(["canceled"]);
});

test("another project, and the other environment, find nothing", async () => {
  const row = await room.start(shop, { to: "+15005559971" });
  const live = { project_id: shop.project_id, livemode: true };
  for (const other of [await app.tenant(), live])
    for (const action of [checkCode, cancelVerification])
      await expect(action(ctx, other, { id: row.id, code: testCode })).rejects.toMatchObject({ code: "resource_missing" });
  expect(await room.find(row)).toMatchObject({ status: "pending", checks_left: 5 });
});
