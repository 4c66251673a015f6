import { describe, expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import type { SmsReceipt } from "../transport.ts";
import { retryEarlyReceipts, takeReceipt } from "./take-receipt.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const tenant = await liveShop(app);

const statusOf = async (id: string) => (await room.find(tenant, id)).status;

/** Lets the time pass in which a response may still be stored, as the task that checks early reports sees it. */
async function wait(ms: number): Promise<void> {
  clock.advance(ms);
  await retryEarlyReceipts(ctx);
}

/** A carrier that gives each message the next id; what it does before it responds is up to the test. */
function carrierOf(provider: string) {
  const report = (provider_message_id: string, more: Partial<SmsReceipt> = {}) =>
    takeReceipt(ctx, { provider, provider_message_id, state: "delivered", code: null, provider_code: null, occurred_at: null, ...more });
  const send = async (provider_message_id: string, meanwhile: () => Promise<unknown> = async () => {}) => {
    carrier.answer = async () => {
      await meanwhile();
      return { provider, result: "accepted", sent: [{ index: 0, provider_message_id }] };
    };
    const { id } = await room.send(tenant);
    await room.settle();
    return id;
  };
  return { report, send };
}

describe("a carrier that reports ids as it gave them", () => {
  it.each([
    ["before it is known to", async () => {}],
    [
      "once it is known to",
      async ({ send, report }: ReturnType<typeof carrierOf>) => {
        await send("99");
        expect(await report("99")).toBe("stored");
      },
    ],
  ])("ends the right message, %s, if it reports before it responds", async (what, learn) => {
    const { send, report } = carrierOf(`as given, ${what}`);
    await learn({ send, report });
    const similar = await send("10");
    const early = await send("16", async () => expect(await report("16")).toBe("unmatched"));
    expect([await statusOf(similar), await statusOf(early)], "16 is the decimal of 10").toEqual(["sent", "delivered"]);
    await wait(3_000);
    await wait(30_000);
    expect(await statusOf(similar)).toBe("sent");
  });

  it("is understood in another base after half a minute if nothing else fits, which teaches nothing", async () => {
    const { send, report } = carrierOf("as given, once otherwise");
    await send("99");
    await report("99");
    const message = await send("10");
    expect(await report("16")).toBe("unmatched");
    await wait(29_000);
    expect(await statusOf(message)).toBe("sent");
    await wait(2_000);
    expect(await statusOf(message)).toBe("delivered");
    await send("20");
    expect(await report("32")).toBe("unmatched");
    await wait(31_000);
  });
});

describe("a carrier that reports ids in another base", () => {
  it("is waited for half a minute once, and from then on its reports count right away", async () => {
    const { send, report } = carrierOf("hexadecimal");
    const first = await send("1a2b3c4d");
    expect(await report("439041101")).toBe("unmatched");
    await wait(31_000);
    expect(await statusOf(first)).toBe("delivered");
    const [hexadecimal, exact] = [await send("10"), await send("16")];
    expect(await report("16")).toBe("stored");
    expect([await statusOf(hexadecimal), await statusOf(exact)], "16 is the decimal of 10").toEqual(["delivered", "sent"]);
  });

  it("is waited for no longer if its first report arrives before its response", async () => {
    const { send, report } = carrierOf("hexadecimal and early");
    const message = await send("1a2b3c4e", () => report("439041102"));
    expect(await statusOf(message)).toBe("sent");
    await wait(31_000);
    expect(await statusOf(message)).toBe("delivered");
  });

  it("ends the right message if it reports before it responds, though another has the reported id", async () => {
    const { send, report } = carrierOf("hexadecimal, then early");
    await send("1a2b3c4f");
    await report("439041103");
    await wait(31_000);
    const exact = await send("16");
    const early = await send("10", async () => expect(await report("16")).toBe("unmatched"));
    expect([await statusOf(exact), await statusOf(early)]).toEqual(["sent", "delivered"]);
  });

  it("gives a late response's id as it gives all: it is its own message's, though the same text reports another's", async () => {
    const { send, report } = carrierOf("hexadecimal, then late");
    await send("1a2b3c51");
    await report("439041105");
    await wait(31_000);
    const other = await send("4d2");
    let part = { project_id: tenant.project_id, livemode: true, id: "", place: 0 };
    carrier.answer = (sms) => {
      part = { ...part, id: sms.sms_id };
      return { provider: "hexadecimal, then late", sent: [], result: "unknown", message: "The response was lost." };
    };
    const { id } = await room.send(tenant);
    await room.settle();
    expect(await report("4660")).toBe("unmatched");
    expect(await report("1234", { state: "accepted", message: part })).toBe("stored");
    expect([await statusOf(other), await statusOf(id)]).toEqual(["sent", "delivered"]);
    expect(await report("1234")).toBe("stored");
    expect(await statusOf(other)).toBe("delivered");
  });

  it("may change to reporting them as it gave them, and is waited for half a minute once", async () => {
    const { send, report } = carrierOf("no longer hexadecimal");
    await send("1a2b3c50");
    await report("439041104");
    await wait(31_000);
    const changed = await send("ab-1");
    expect(await report("ab-1")).toBe("unmatched");
    await wait(31_000);
    expect(await statusOf(changed)).toBe("delivered");
    await send("ab-2");
    expect(await report("ab-2")).toBe("stored");
  });
});
