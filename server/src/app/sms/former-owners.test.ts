import { describe, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber, deleteNumber, rejectNumber } from "#numbers/index.ts";
import { createSmsIntake } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: { routes: [carrier] } });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const intake = createSmsIntake(ctx);
let numbers = 0;
const [newNumber, someone] = [() => `+1415555${4000 + (numbers += 1)}`, () => `+1415555${5000 + (numbers += 1)}`];

async function newShop(): Promise<TestTenant> {
  const shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  return shop;
}

const assign = ({ project_id }: TestTenant, value: string) => assignNumber(ctx, { project_id, value, channels: ["sms"] });
const tomorrow = () => new Date(ctx.now().getTime() + 86_400_000).toISOString();
const schedule = async (shop: TestTenant, from: string, to: string) => (await room.send(shop, { from, to, scheduled_at: tomorrow() })).id;
const listed = async ({ key }: TestTenant, path: string) => (await app.api(key).get(path)).body.data;
const inboundOf = (shop: TestTenant) => listed(shop, "/v1/sms?direction=inbound");
const optOutsOf = async (shop: TestTenant) =>
  (await listed(shop, "/v1/suppressions?channel=sms")).map(({ address, reason }: { address: string; reason: string }) => [address, reason]);

const come = (from: string, to: string, body = "STOP") =>
  intake.inbound({
    ...{ provider: "carrier", provider_message_id: null, encoding: "GSM-7", received_at: ctx.now(), part: null },
    ...{ from, to, body },
  });

async function endOf(shop: TestTenant, id: string) {
  clock.advance(86_400_000);
  await room.settle();
  const { status, error } = await room.find(shop, id);
  return [status, error?.code ?? null];
}

describe("STOP to a number that its project lost", () => {
  test.each([
    ["because it was revoked", (_shop: TestTenant, id: string) => rejectNumber(ctx, { id, reason: "Not yours" })],
    ["because it was removed", (shop: TestTenant, id: string) => deleteNumber(ctx, shop, id)],
  ])("%s stops the messages that were accepted from it, and no others", async (_why, lose) => {
    const [shop, number, recipient, other] = [await newShop(), newNumber(), someone(), someone()];
    const { id } = await assign(shop, number);
    const [stopped, unaffected] = [await schedule(shop, number, recipient), await schedule(shop, number, other)];
    await lose(shop, id);
    await come(recipient, number, "Who is this?");
    expect(await optOutsOf(shop)).toEqual([]);
    await come(recipient, number);
    expect([await optOutsOf(shop), await inboundOf(shop)]).toEqual([[[`${recipient}/${number}`, "unsubscribe"]], []]);
    expect(await endOf(shop, stopped)).toEqual(["failed", "opted_out"]);
    expect((await room.find(shop, unaffected)).status).toBe("sent");
    expect(carrier.taken.filter(({ to }) => to === recipient)).toEqual([]);
  });

  test("to another one is the other one's message, and stops what the former one still has to send", async () => {
    const [former, present, stranger] = [await newShop(), await newShop(), await newShop()];
    const [number, own, recipient] = [newNumber(), newNumber(), someone()];
    const { id } = await assign(former, number);
    await assign(stranger, own);
    const stopped = await schedule(former, number, recipient);
    const unaffected = await schedule(stranger, own, recipient);
    await rejectNumber(ctx, { id, reason: "Ported" });
    await assign(present, number);
    await come(recipient, number);
    const optOut = [[`${recipient}/${number}`, "unsubscribe"]];
    expect([await optOutsOf(former), await optOutsOf(present), await optOutsOf(stranger)]).toEqual([optOut, optOut, []]);
    expect([(await inboundOf(former)).length, (await inboundOf(present)).length]).toEqual([0, 1]);
    expect(await endOf(former, stopped)).toEqual(["failed", "opted_out"]);
    expect((await room.find(stranger, unaffected)).status).toBe("sent");
  });

  test("says nothing to projects that have nothing to send to its sender", async () => {
    const [shop, number, recipient] = [await newShop(), newNumber(), someone()];
    const { id } = await assign(shop, number);
    await room.send(shop, { from: number, to: recipient });
    await room.settle();
    await rejectNumber(ctx, { id, reason: "Not yours" });
    await come(recipient, number);
    expect(await optOutsOf(shop)).toEqual([]);
  });
});
