import { describe, expect, it, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { accepted, idOf, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { createSmsSender } from "../sending/create-sms-sender.ts";
import type { OutgoingSms, SmsReceipt } from "../transport.ts";
import { insertEarly } from "./sql.ts";
import { retryEarlyReceipts, takeReceipt } from "./take-receipt.ts";

const carrier = scriptedCarrier();
let commits = 0;
const app = await testApp({ sms: openSms([carrier]), probe: (text) => void (text.includes("from sms_id_forms") && (commits += 1)) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const tenant = await liveShop(app);
const long = "a".repeat(400);

const report = (provider_message_id: string, state: SmsReceipt["state"] = "delivered", more: Partial<SmsReceipt> = {}): SmsReceipt => ({
  ...{ provider: "carrier", provider_message_id, state, code: null, provider_code: null, occurred_at: null },
  ...more,
});

async function sent(body?: string) {
  const { id } = await room.send(tenant, body === undefined ? {} : { body });
  await room.settle();
  return id;
}

test("a sent message is delivered once, however often that is reported", async () => {
  const id = await sent();
  expect(await takeReceipt(ctx, report(idOf(id)))).toBe("stored");
  expect(await takeReceipt(ctx, report(idOf(id)))).toBe("stored");
  expect(await takeReceipt(ctx, report(idOf(id), "undelivered"))).toBe("stored");
  expect(await room.find(tenant, id)).toMatchObject({ status: "delivered", error: null, delivered_at: ctx.now() });
  expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent", "delivered"]);
  expect((await room.data(tenant, id)).map(({ previous_status, sequence }) => [previous_status, sequence])).toEqual([
    [null, 1],
    ["sending", 2],
    ["sent", 3],
  ]);
});

test("twelve concurrent reports of one message report one end", async () => {
  const id = await sent();
  await Promise.all(
    Array.from({ length: 12 }, (_none, n) => takeReceipt(ctx, report(idOf(id), n % 2 === 0 ? "delivered" : "undelivered"))),
  );
  expect((await room.eventsOf(tenant, id)).length).toBe(3);
});

test("concurrent reports share transactions, each gets its own result, and one that can't be stored harms no other", async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, async () => (await room.send(tenant)).id));
  await room.settle();
  commits = 0;
  const fine = ids.map((id, n) => takeReceipt(ctx, report(idOf(id), n % 4 === 0 ? "undelivered" : "delivered")));
  const [unknown, poison] = [takeReceipt(ctx, report("of no message")), takeReceipt(ctx, report("a\u0000b"))];
  await expect(poison).rejects.toThrow();
  expect(await unknown).toBe("unmatched");
  expect(new Set(await Promise.all(fine))).toEqual(new Set(["stored"]));
  const statuses = await Promise.all(ids.map(async (id) => (await room.find(tenant, id)).status));
  expect(statuses).toEqual(ids.map((_id, n) => (n % 4 === 0 ? "undelivered" : "delivered")));
  // The group with the faulty one is taken apart, and no other.
  expect(commits).toBeLessThan(24);
  commits = 0;
  await Promise.all(ids.map((id) => takeReceipt(ctx, report(idOf(id)))));
  expect(commits).toBeLessThan(3);
});

test("a negative report says why", async () => {
  const id = await sent();
  await takeReceipt(ctx, report(idOf(id), "undelivered", { code: "unknown_subscriber", provider_code: "1" }));
  expect(await room.find(tenant, id)).toMatchObject({
    status: "undelivered",
    error: { code: "unknown_subscriber", message: "The number has no subscriber.", provider_code: "1" },
  });
});

test("a report that the carrier has accepted it changes nothing", async () => {
  const id = await sent();
  expect(await takeReceipt(ctx, report(idOf(id), "accepted"))).toBe("stored");
  expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent"]);
});

describe("a message of three parts", () => {
  const cutOffAfter = async (parts: number) => {
    const cut = { provider: "carrier", result: "unknown", message: "The answer was lost." } as const;
    carrier.answer = (sms) => ({ ...cut, sent: accepted(sms).sent.slice(0, parts) });
    const id = await sent(long);
    carrier.answer = (sms) => accepted(sms);
    return id;
  };

  it("is delivered when all are", async () => {
    const id = await sent(long);
    for (const index of [2, 0]) await takeReceipt(ctx, report(idOf(id, index)));
    expect((await room.find(tenant, id)).status).toBe("sent");
    await takeReceipt(ctx, report(idOf(id, 1)));
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });

  it("is undelivered as soon as one is", async () => {
    const id = await sent(long);
    await takeReceipt(ctx, report(idOf(id, 0)));
    await takeReceipt(ctx, report(idOf(id, 1), "undelivered", { code: "expired" }));
    await takeReceipt(ctx, report(idOf(id, 2)));
    expect(await room.find(tenant, id)).toMatchObject({ status: "undelivered", error: { code: "expired" } });
    expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent", "undelivered"]);
  });

  it("is delivered when one is and no other report arrives for an hour", async () => {
    const id = await sent(long);
    await takeReceipt(ctx, report(idOf(id, 0)));
    clock.advance(3_599_000);
    await room.settle();
    expect((await room.find(tenant, id)).status).toBe("sent");
    clock.advance(2_000);
    await room.settle();
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });

  it("is never delivered if its parts after one in doubt weren't sent, whatever is reported about the first ones", async () => {
    const id = await cutOffAfter(1);
    const { expires_at } = await room.find(tenant, id);
    await takeReceipt(ctx, report(idOf(id, 0)));
    clock.advance(7_200_000);
    await room.settle();
    const error = { code: "outcome_unknown" };
    expect(await room.find(tenant, id)).toMatchObject({ status: "sent", segments_sent: 1, settle_at: expires_at, error });
    clock.advance(expires_at.getTime() - ctx.now().getTime());
    await room.settle();
    expect(await room.find(tenant, id)).toMatchObject({ status: "undelivered", error });
  });

  it("is delivered by reports of all parts but the last if only that one is in doubt, after an hour", async () => {
    const id = await cutOffAfter(2);
    for (const index of [0, 1]) await takeReceipt(ctx, report(idOf(id, index)));
    expect((await room.find(tenant, id)).status).toBe("sent");
    clock.advance(3_601_000);
    await room.settle();
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });

  it("is delivered by one report if the carrier takes whole texts and gives one id", async () => {
    carrier.answer = (sms) => ({ provider: "carrier", result: "accepted", sent: [{ index: 0, provider_message_id: idOf(sms.sms_id) }] });
    const id = await sent(long);
    carrier.answer = (sms) => accepted(sms);
    expect((await room.find(tenant, id)).segments_sent).toBe(3);
    await takeReceipt(ctx, report(idOf(id)));
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });
});

describe("a report that arrives before the response to its submission", () => {
  it("is stored and matched when the response is stored", async () => {
    carrier.answer = async (sms) => {
      expect(await takeReceipt(ctx, report(idOf(sms.sms_id)))).toBe("unmatched");
      return accepted(sms);
    };
    const id = await sent();
    carrier.answer = (sms) => accepted(sms);
    expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent", "delivered"]);
  });

  it("is matched even if both were stored concurrently without seeing each other", async () => {
    const id = await sent();
    await ctx.transact((tx) => insertEarly(tx, [report(idOf(id))]));
    expect((await room.find(tenant, id)).status).toBe("sent");
    clock.advance(3_000);
    await retryEarlyReceipts(ctx);
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });

  it("is matched even if the response took long to be stored, and they were searched for in between", async () => {
    const id = await sent();
    await ctx.transact((tx) => insertEarly(tx, [report(idOf(id))]));
    // As while the response's own transaction is in progress.
    await runStatement(ctx.db, "update sms_parts set provider = 'elsewhere' where sms_id = ?", id);
    clock.advance(3_000);
    await retryEarlyReceipts(ctx);
    expect((await room.find(tenant, id)).status).toBe("sent");
    await runStatement(ctx.db, "update sms_parts set provider = 'carrier' where sms_id = ?", id);
    clock.advance(3_000);
    await retryEarlyReceipts(ctx);
    expect((await room.find(tenant, id)).status).toBe("delivered");
  });

  it("is dropped after five minutes", async () => {
    expect(await takeReceipt(ctx, report("nobody's"))).toBe("unmatched");
    clock.advance(3_000);
    expect(await retryEarlyReceipts(ctx)).toBe(0);
    clock.advance(30_000);
    expect(await retryEarlyReceipts(ctx)).toBe(1);
    expect(await retryEarlyReceipts(ctx)).toBe(0);
    clock.advance(300_000);
    expect(await retryEarlyReceipts(ctx)).toBe(1);
    expect(await retryEarlyReceipts(ctx)).toBe(0);
  });
});

describe("a report that identifies the message by our id", () => {
  const lost = async () => {
    carrier.answer = () => ({ provider: "carrier", sent: [], result: "unknown", message: "The answer was lost." });
    const id = await sent();
    carrier.answer = (sms) => accepted(sms);
    return id;
  };
  const named = (id: string, of: { project_id: string; livemode: boolean } = tenant) => ({
    message: { project_id: of.project_id, livemode: of.livemode, id },
  });

  it("decides about one whose response was lost, and the next ones are found by the carrier's id", async () => {
    const id = await lost();
    expect(await room.find(tenant, id)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" } });
    expect(await takeReceipt(ctx, report("SM1", "accepted", named(id)))).toBe("stored");
    expect(await room.find(tenant, id)).toMatchObject({
      status: "sent",
      error: null,
      settle_at: null,
      provider: "carrier",
      segments_sent: 1,
    });
    expect(await takeReceipt(ctx, report("SM1", "undelivered", { code: "expired" }))).toBe("stored");
    expect(await room.find(tenant, id)).toMatchObject({ status: "undelivered", error: { code: "expired" } });
    expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent", "undelivered"]);
  });

  it("decides once, even if it has two carriers' ids", async () => {
    const id = await lost();
    const recorded = await Promise.all(["SM2", "SM3"].map((sid) => takeReceipt(ctx, report(sid, "delivered", named(id)))));
    expect(recorded.toSorted()).toEqual(["stored", "unmatched"]);
    expect(await room.eventsOf(tenant, id)).toEqual(["queued", "sent", "delivered"]);
  });

  it.each<[string, () => Promise<[id: string, more: Partial<SmsReceipt>]>]>([
    ["whose answer came", async () => [await sent(), {}]],
    ["that another carrier has", async () => [await lost(), { provider: "another" }]],
    ["of another project", async () => [await lost(), named("", await liveShop(app))]],
    ["of the other environment", async () => [await lost(), named("", { ...tenant, livemode: false })]],
  ])("says nothing about one %s", async (_what, make) => {
    const [id, more] = await make();
    const { message = named(id).message, ...other } = more;
    const before = await room.find(tenant, id);
    expect(await takeReceipt(ctx, report("SM4", "delivered", { ...other, message: { ...message, id } }))).toBe("unmatched");
    expect(await room.find(tenant, id)).toEqual(before);
  });
});

test("a carrier's report says nothing about a message that had the same id days ago", async () => {
  const id = await sent();
  clock.advance(73 * 3_600_000);
  expect(await takeReceipt(ctx, report(idOf(id)))).toBe("unmatched");
  expect((await room.find(tenant, id)).status).toBe("sent");
});

test("parts that are reported on while others still wait count once all have been sent", async () => {
  const deferOnce = (sms: OutgoingSms) => {
    const outcome = accepted(sms);
    const isFirst = sms.attempt === 1;
    return isFirst
      ? {
          ...outcome,
          sent: outcome.sent.slice(0, 1),
          result: "deferred" as const,
          retry_after_ms: 1_000,
          code: "throttled",
          message: "Later.",
          provider_code: "88",
        }
      : outcome;
  };
  carrier.answer = deferOnce;
  const { id } = await room.send(tenant, { body: long });
  await room.settle();
  expect(await room.find(tenant, id)).toMatchObject({ status: "queued", segments_sent: 1, error: { code: "throttled" } });
  await takeReceipt(ctx, report(idOf(id, 0)));
  clock.advance(1_000);
  await room.settle();
  carrier.answer = (sms) => accepted(sms);
  expect(carrier.taken.filter(({ sms_id }) => sms_id === id).map(({ firstPart }) => firstPart)).toEqual([0, 1]);
  for (const index of [1, 2]) await takeReceipt(ctx, report(idOf(id, index)));
  expect(await room.find(tenant, id)).toMatchObject({ status: "delivered", error: null });
});

test("a report for a message that a worker is sending leaves it with that worker", async () => {
  let answer: () => void = () => {};
  carrier.answer = async (sms) => {
    await new Promise<void>((resolve) => void (answer = resolve));
    return accepted(sms);
  };
  const { id } = await room.send(tenant);
  const sender = createSmsSender({ transports: [carrier] });
  await sender.run(ctx);
  await expect.poll(async () => (await room.find(tenant, id)).begun).toBe(true);
  await takeReceipt(ctx, report(idOf(id)));
  expect((await room.find(tenant, id)).state).toBe("leased");
  answer();
  await sender.finish(ctx);
  carrier.answer = (sms) => accepted(sms);
  expect((await room.find(tenant, id)).status).toBe("delivered");
});
