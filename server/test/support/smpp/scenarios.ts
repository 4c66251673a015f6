import { expect } from "vitest";
import type { SmppLimits } from "#providers/sms/smpp/bind/limits.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { type Carried, carriedAt, patient, sms } from "./carried.ts";
import type { SmscAction, SmscPlan } from "./perl-smsc.ts";
import { receiptOf, receiptSpellings } from "./receipts.ts";

/** An exchange between us and a carrier: played against another's program, and again from the recorded bytes. */
export interface Scenario {
  name: string;
  plan: SmscPlan;
  limits?: Partial<SmppLimits>;
  play(carried: Carried): Promise<void>;
}

const [one, two, three, four] = ["+15551230001", "+15551230002", "+15551230003", "+15551230004"] as const;
const digits = (number: string) => number.slice(1);
const ok = (message_id: string): SmscAction => ({ resp: { message_id } });
const send = ({ transport }: Carried, ...given: Parameters<typeof sms>) => transport.send(sms(...given), patient);

const texts: Scenario = {
  name: "texts",
  plan: {
    submit: {
      [digits(one)]: [[ok("5f3a9c01")]],
      [digits(two)]: [[ok("1597999105")]],
      [digits(three)]: Array.from({ length: 10 }, (_, index) => [ok(`000000004${index}`)]),
      [digits(four)]: [[ok("short")]],
    },
  },
  async play(carried) {
    expect(await send(carried, one, "Price: 5 € {net} [a|b] ~ ^ \\")).toMatchObject({
      result: "accepted",
      sent: [{ index: 0, provider_message_id: "5f3a9c01" }],
    });
    const brand = { value: "ACME", kind: "alphanumeric" } as const;
    expect(await send(carried, two, "您的验证码是 424242 😀", { from: brand })).toMatchObject({
      result: "accepted",
      provider: "smpp:main",
    });
    const long = await send(carried, three, "0123456789".repeat(150));
    expect(long.sent.map(({ provider_message_id }) => provider_message_id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `000000004${index}`),
    );
    expect(await send(carried, four, "Hi", { from: { value: "72345", kind: "short_code" } })).toMatchObject({ result: "accepted" });
  },
};

const receipts: Scenario = {
  name: "receipts",
  plan: {
    submit: { [digits(one)]: [[ok("a1b2c3d4"), ...receiptSpellings.map(([, fields]): SmscAction => ({ deliver: receiptOf(fields) }))]] },
  },
  async play(carried) {
    await send(carried, one, "Hi");
    await eventually("every receipt came", () => carried.receipts.length === receiptSpellings.length);
    expect(carried.receipts.map((receipt) => ({ ...receipt, provider: receipt.provider }))).toEqual(
      receiptSpellings.map(([, , read]) => ({ provider: "smpp:main", ...read })),
    );
  },
};

const early = receiptOf({
  short_message: "id:77aa sub:001 dlvrd:001 submit date:2611240000 done date:2611240001 stat:DELIVRD err:000 text:Hi",
});

const receiptFirst: Scenario = {
  name: "receipt-before-answer",
  plan: { submit: { [digits(one)]: [[{ deliver: early }, ok("77aa")]] } },
  async play(carried) {
    expect(await send(carried, one, "Hi")).toMatchObject({ result: "accepted", sent: [{ provider_message_id: "77aa" }] });
    await eventually("the receipt came", () => carried.receipts.length === 1);
    expect(carried.receipts).toMatchObject([{ provider_message_id: "77aa", state: "delivered" }]);
  },
};

const notStored: Scenario = {
  name: "receipt-not-stored",
  // The carrier sends it again after a refusal; the second response completes it.
  plan: { submit: { [digits(one)]: [[{ deliver: early }, ok("77aa")]], [digits(two)]: [[ok("77ab"), { deliver: early }]] } },
  async play(carried) {
    carried.broken.is = true;
    await send(carried, one, "Hi");
    expect(carried.receipts).toEqual([]);
    carried.broken.is = false;
    await send(carried, two, "Hi");
    await eventually("the receipt was stored", () => carried.receipts.length === 1);
  },
};

const status = (number: number, message_id = ""): SmscAction => ({ resp: { status: number, message_id } });

const throttled: Scenario = {
  name: "throttled",
  plan: { submit: { [digits(one)]: [[status(0x58)], [status(0x14)], [ok("later")]] } },
  async play(carried) {
    const deferred = { result: "deferred", code: "throttled", retry_after_ms: expect.any(Number), sent: [] };
    expect(await send(carried, one, "Hi")).toMatchObject({ ...deferred, provider_code: "0x00000058" });
    expect(await again(carried, one, "Hi")).toMatchObject({ ...deferred, provider_code: "0x00000014" });
    expect(await again(carried, one, "Hi")).toMatchObject({ result: "accepted", sent: [{ provider_message_id: "later" }] });
  },
};

/** How long a bind rests at most, in these tests. */
const restMs = 1_000;

/** Retries once the carrier may be tried again; until then the message is held, which isn't an attempt. */
async function again(carried: Carried, ...given: Parameters<typeof sms>) {
  expect(await send(carried, ...given)).toMatchObject({ result: "held", sent: [] });
  carried.advance(restMs);
  return send(carried, ...given);
}

const refused: Scenario = {
  name: "refused",
  plan: { submit: { [digits(one)]: [[status(0x0b)], [status(0x0a)], [status(0x45)], [status(0x01)], [status(0x08)], [ok("fine")]] } },
  async play(carried) {
    const outcomes = [];
    for (let index = 0; index < 6; index += 1) outcomes.push(await send(carried, one, "Hi"));
    expect(outcomes.map((outcome) => [outcome.result, "code" in outcome ? outcome.code : null])).toEqual([
      ["refused", "invalid_number"],
      ["refused", "carrier_rejected"],
      ["refused", "carrier_rejected"],
      ["refused", "provider_error"],
      ["deferred", "provider_error"],
      ["accepted", null],
    ]);
  },
};

const partly: Scenario = {
  name: "throttled-between-parts",
  plan: { submit: { [digits(one)]: [[ok("p1")], [status(0x58)], [ok("p2")], [ok("p3")]] } },
  async play(carried) {
    const body = "x".repeat(400);
    expect(await send(carried, one, body)).toMatchObject({ result: "deferred", sent: [{ index: 0, provider_message_id: "p1" }] });
    const outcome = await again(carried, one, body, { firstPart: 1, firstPartsBy: "smpp:main", attempt: 2 });
    expect(outcome).toMatchObject({
      result: "accepted",
      sent: [
        { index: 1, provider_message_id: "p2" },
        { index: 2, provider_message_id: "p3" },
      ],
    });
  },
};

const lostAnswer: Scenario = {
  name: "lost-answer",
  limits: { responseMs: 250 },
  plan: { submit: { [digits(one)]: [[]], [digits(two)]: [[ok("next")]] } },
  async play(carried) {
    expect(await send(carried, one, "Hi")).toMatchObject({ result: "unknown", sent: [] });
    expect(carried.changes).toContain("main lost");
  },
};

const lostBind: Scenario = {
  name: "bind-lost-and-back",
  plan: { submit: { [digits(one)]: [[{ close: 1 }]], [digits(two)]: [[ok("back")]] } },
  async play(carried) {
    expect(await send(carried, one, "Hi")).toMatchObject({
      result: "unknown",
      message: "The carrier's response was lost: main didn't respond.",
    });
    await eventually("it is bound again", () => carried.changes.filter((one) => one === "main up").length === 2);
    expect(await send(carried, two, "Hi")).toMatchObject({ result: "accepted", sent: [{ provider_message_id: "back" }] });
  },
};

const refusedBind: Scenario = {
  name: "bind-refused",
  plan: { bind: [[status(0x0e)], [{ resp: {} }]], submit: { [digits(one)]: [[ok("in")]] } },
  async play(carried) {
    expect(await send(carried, one, "Hi")).toMatchObject({ result: "accepted" });
    expect(carried.changes.slice(0, 2)).toEqual(["main down: the bind was refused with 0x0000000E", "main up"]);
  },
};

const fromHandset = { source_addr_ton: 1, source_addr_npi: 1, source_addr: digits(four), dest_addr_ton: 3, destination_addr: "72345" };
const handset = (fields: Record<string, string | number | { hex: string }>): SmscAction => ({ deliver: { ...fromHandset, ...fields } });
const hexOf = (text: string, encoding: "utf16be" | "latin1" = "latin1") => ({
  hex: (encoding === "latin1" ? Buffer.from(text, "latin1") : Buffer.from(text, "utf16le").swap16()).toString("hex"),
});

const inbound: Scenario = {
  name: "inbound",
  plan: {
    submit: {
      [digits(one)]: [
        [
          ok("mo"),
          handset({ short_message: "STOP" }),
          handset({ data_coding: 8, short_message: hexOf("好的", "utf16be") }),
          handset({ data_coding: 3, short_message: hexOf("Müller") }),
          handset({ esm_class: 0x40, short_message: { hex: "0500032a0201486921" } }),
          handset({ esm_class: 0x40, short_message: { hex: "06080401f402023f" } }),
          handset({
            short_message: "part",
            sar_msg_ref_num: { hex: "0102" },
            sar_total_segments: { hex: "03" },
            sar_segment_seqnum: { hex: "02" },
          }),
          handset({ short_message: "", message_payload: "x".repeat(300) }),
          handset({ data_coding: 4, short_message: { hex: "00ff10" } }),
        ],
      ],
    },
  },
  async play(carried) {
    await send(carried, one, "Hi");
    await eventually("every message came", () => carried.inbound.length === 8);
    const common = {
      provider: "smpp:main",
      provider_message_id: null,
      from: four,
      to: "72345",
      received_at: carriedAt,
      part: null,
      reach: [],
    };
    expect(carried.inbound).toEqual([
      { ...common, body: "STOP", encoding: "GSM-7" },
      { ...common, body: "好的", encoding: "UCS-2" },
      { ...common, body: "Müller", encoding: "GSM-7" },
      { ...common, body: "Hi!", encoding: "GSM-7", part: { reference: 0x2a, total: 2, index: 1 } },
      { ...common, body: "?", encoding: "GSM-7", part: { reference: 0x01f4, total: 2, index: 2 } },
      { ...common, body: "part", encoding: "GSM-7", part: { reference: 0x0102, total: 3, index: 2 } },
      { ...common, body: "x".repeat(300), encoding: "GSM-7" },
      { ...common, body: "00ff10", encoding: "binary" },
    ]);
  },
};

/** What is recorded, and replayed by `npm test`. */
export const scenarios: readonly Scenario[] = [
  ...[texts, receipts, receiptFirst, notStored, throttled, refused, partly],
  ...[lostAnswer, lostBind, refusedBind, inbound],
];
