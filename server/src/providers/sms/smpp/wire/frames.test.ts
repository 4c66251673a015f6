import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { partsOf } from "#sms/text/encode-parts.ts";
import { buildPdu } from "#test/support/smpp/build-pdu.ts";
import { createFrameReader } from "./frames.ts";
import { longestPdu } from "./pdu.ts";
import { readText } from "./text.ts";

test("PDUs are whole and in order, however the stream is cut", () => {
  const sizes = fc.array(fc.constantFrom(0, 1, 17, 300, longestPdu), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5_000 }), (bodies, step) => {
      const pdus = bodies.map((size, index) => buildPdu(0x15, [0, index + 1], Buffer.alloc(size, index)));
      const stream = Buffer.concat(pdus);
      const reader = createFrameReader();
      const frames = [];
      for (let at = 0; at < stream.length; at += step) frames.push(...reader.push(stream.subarray(at, at + step)));
      expect(frames.map(({ bytes, isCut }) => [isCut, bytes.readUInt32BE(12)])).toEqual(
        bodies.map((size, index) => [size + 16 > longestPdu, index + 1]),
      );
    }),
  );
});

test("the PDUs of a chunk aren't copied, and one that arrives byte by byte is joined twice", () => {
  const pdus = Array.from({ length: 100 }, (_none, index) => buildPdu(0x15, [0, index + 1], Buffer.alloc(40)));
  const chunk = Buffer.concat(pdus);
  const frames = createFrameReader().push(chunk);
  expect(frames.map(({ bytes }) => [bytes.buffer === chunk.buffer, bytes.byteOffset - chunk.byteOffset])).toEqual(
    pdus.map((_pdu, index) => [true, index * 56]),
  );
  const concat = vi.spyOn(Buffer, "concat");
  const reader = createFrameReader();
  const slow = [...(pdus[0] as Buffer)].flatMap((byte) => reader.push(Buffer.from([byte])));
  expect([slow.length, concat.mock.calls.length]).toEqual([1, 2]);
  concat.mockRestore();
});

test.each([
  ["shorter than its own head", 15],
  ["of no length", 0],
  ["longer than anything there is", 0xffffffff],
])("a stream that announces a PDU %s is out of step", (_what, length) => {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(length, 0);
  expect(() => createFrameReader().push(bytes)).toThrow(`a PDU of ${length} bytes was announced`);
});

test("what the room encodes is read as the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const joined = partsOf(text, 7).map((part) => {
        const headerBytes = part.hasHeader ? 6 : 0;
        return readText(part.bytes.subarray(headerBytes), { dataCoding: part.encoding === "GSM-7" ? 0 : 8, alphabet: "gsm7", headerBytes })
          .body;
      });
      expect(joined.join("")).toBe(text.replaceAll("\0", "\ufffd").toWellFormed());
    }),
  );
});
