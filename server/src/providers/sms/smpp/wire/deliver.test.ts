import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildDeliver } from "#test/support/smpp/build-pdu.ts";
import { receiptOf, receiptSpellings } from "#test/support/smpp/receipts.ts";
import { readInbound } from "./inbound.ts";
import { decodePdu, type Pdu } from "./pdu.ts";
import { isReceipt, readReceipt } from "./receipt.ts";

const pduOf = (fields: Parameters<typeof buildDeliver>[0]): Pdu => {
  const pdu = decodePdu(buildDeliver(fields));
  if (pdu === null) throw new Error("the test's own PDU can't be read");
  return pdu;
};

describe("a receipt is read", () => {
  test.each(receiptSpellings)("%s", (_what, fields, read) => {
    const pdu = pduOf(receiptOf(fields));
    expect(isReceipt(pdu)).toBe(true);
    expect(readReceipt(pdu, 0)).toEqual({
      provider_message_id: read.provider_message_id,
      state: read.state,
      code: read.code,
      provider_code: read.provider_code,
      occurred_at: read.occurred_at,
    });
  });

  test("with the carrier's own clock moved to UTC", () => {
    const pdu = pduOf(receiptOf({ short_message: "id:a1 done date:2611241831 stat:DELIVRD" }));
    expect(readReceipt(pdu, 480)?.occurred_at).toEqual(new Date("2026-11-24T10:31:00Z"));
  });

  test.each([
    ["it names no message", { short_message: "stat:DELIVRD" }],
    ["its id is empty", { short_message: "id: stat:DELIVRD" }],
    ["its id is longer than ids are", { short_message: `id:${"a".repeat(66)} stat:DELIVRD` }],
    ["it is empty", { short_message: "" }],
  ])("as nothing if %s", (_what, fields) => {
    const receipt = readReceipt(pduOf(receiptOf(fields)), 0);
    expect(receipt === null || receipt.provider_message_id === "stat:DELIVRD").toBe(true);
  });

  test.each([
    ["its id's TLV is empty", { receipted_message_id: "", message_state: { hex: "02" } }],
    ["its id's TLV is a NUL", { receipted_message_id: "\0" }],
    ["its payload is empty", { message_payload: "" }],
  ])("from its text if %s", (_what, fields) => {
    const pdu = pduOf(receiptOf({ short_message: "id:a1 stat:DELIVRD", ...fields }));
    expect(readReceipt(pdu, 0)).toMatchObject({ provider_message_id: "a1", state: "delivered" });
  });

  test("as a receipt only if the type of the message says so", () => {
    expect([0x00, 0x40, 0x08, 0x10, 0x18].map((esm_class) => isReceipt(pduOf({ esm_class, short_message: "id:a1 stat:DELIVRD" })))).toEqual(
      Array(5).fill(false),
    );
    expect([0x04, 0x44, 0x07, 0x20].map((esm_class) => isReceipt(pduOf({ esm_class })))).toEqual(Array(4).fill(true));
  });
});

const packed = { hex: "c8329bfd06" };

describe("a message from a handset is read", () => {
  test.each<[string, Parameters<typeof buildDeliver>[0], ReturnType<typeof readInbound>["body"], string]>([
    ["in the default alphabet", { short_message: { hex: "00011b65" } }, "@£€", "GSM-7"],
    ["with an escape that means nothing", { short_message: { hex: "1b41" } }, "A", "GSM-7"],
    ["with an escape at its end", { short_message: { hex: "411b" } }, "A ", "GSM-7"],
    ["with septets that are none", { short_message: { hex: "41ff" } }, "A\ufffd", "GSM-7"],
    ["in IA5", { data_coding: 1, short_message: "A@[]" }, "A@[]", "GSM-7"],
    ["in Latin-1", { data_coding: 3, short_message: { hex: "e4f6fc" } }, "äöü", "GSM-7"],
    ["in UCS-2, pairs included", { data_coding: 8, short_message: { hex: "4f60d83dde00" } }, "你😀", "UCS-2"],
    ["in UCS-2 with half a pair and a byte too many", { data_coding: 8, short_message: { hex: "0041d83d00" } }, "A\ufffd", "UCS-2"],
    ["in Cyrillic", { data_coding: 6, short_message: { hex: "bfe0d8d2d5e2" } }, "Привет", "UCS-2"],
    ["with a class, in the default alphabet", { data_coding: 0xf0, short_message: "A" }, "A", "GSM-7"],
    ["with a class, in bytes", { data_coding: 0xf5, short_message: "A" }, "41", "binary"],
    ["shown at once, in UCS-2", { data_coding: 0x18, short_message: { hex: "0041" } }, "A", "UCS-2"],
    ["in a group that nobody defined", { data_coding: 0x80, short_message: "A" }, "41", "binary"],
    ["with NUL, which no database holds", { data_coding: 3, short_message: { hex: "4100" } }, "A\ufffd", "GSM-7"],
    ["from its payload", { message_payload: "long" }, "long", "GSM-7"],
    ["with a header longer than itself", { esm_class: 0x40, short_message: { hex: "ff41" } }, "\ufffdA", "GSM-7"],
  ])("%s", (_what, fields, body, encoding) => {
    expect(readInbound(pduOf(fields), "gsm7")).toMatchObject({ body, encoding, part: null });
  });

  test.each([
    ["gsm7-packed", { short_message: packed }, "Hello"],
    ["gsm7-packed", { short_message: { hex: "31d98c56b3dd00" } }, "1234567"],
    ["gsm7-packed", { esm_class: 0x40, short_message: { hex: "050003010201906536fb0d" } }, "Hello"],
    ["latin1", { short_message: { hex: "e9" } }, "é"],
    ["ascii", { short_message: { hex: "7e" } }, "~"],
  ] as const)("by a bind's setting for its default alphabet: %s", (alphabet, fields, body) => {
    expect(readInbound(pduOf(fields), alphabet).body).toBe(body);
  });

  test.each([
    ["none of a header that contradicts itself", { esm_class: 0x40, short_message: { hex: "05000301020341" } }, null],
    ["none of a header that counts from nought", { esm_class: 0x40, short_message: { hex: "05000301020041" } }, null],
    ["none of an element that is cut off", { esm_class: 0x40, short_message: { hex: "0300030141" } }, null],
    [
      "behind another element of the header",
      { esm_class: 0x40, short_message: { hex: "0824010100030702024141" } },
      { reference: 7, total: 2, index: 2 },
    ],
    ["none of TLVs that are not all there", { short_message: "x", sar_total_segments: { hex: "02" } }, null],
  ])("as a part: %s", (_what, fields, part) => {
    expect(readInbound(pduOf(fields), "gsm7").part).toEqual(part);
  });

  test.each([
    [1, "447700900123", "+447700900123"],
    [1, "00447700900123", "+447700900123"],
    [0, "447700900123", "447700900123"],
    [0, "07700900123", "07700900123"],
    [2, "7700900123", "7700900123"],
    [3, "72345", "72345"],
    [5, "ACME", "ACME"],
    [1, "+447700900123", "+447700900123"],
  ])("with its sender: kind %i, %s", (source_addr_ton, source_addr, from) => {
    expect(readInbound(pduOf({ source_addr_ton, source_addr, short_message: "x" }), "gsm7").from).toBe(from);
  });
});

test("whatever the bytes, reading only fails by reporting that they can't be read", () => {
  const anyBody = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(anyBody, fc.constantFrom(...(["gsm7", "gsm7-packed", "latin1", "ascii"] as const)), (body, alphabet) => {
      const bytes = Buffer.concat([Buffer.from([0, 0, 0, 16 + body.length, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1]), body]);
      const pdu = decodePdu(bytes);
      if (pdu === null) return;
      if (isReceipt(pdu)) readReceipt(pdu, 0);
      const { body: text } = readInbound(pdu, alphabet);
      expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
