import { expect, test } from "vitest";
import { type AnyText, stringOf } from "#platform/index.ts";
import { liftContents, settleContents } from "./lift-contents.ts";

const bytes = Buffer.alloc(3_000, 7);

test.each([
  ["one message", (message: object) => message],
  ["a bare list", (message: object) => [message]],
  ["a batch's emails", (message: object) => ({ emails: [{}, message] })],
  ["a batch's messages", (message: object) => ({ messages: [message] })],
  ["a batch's defaults", (message: object) => ({ defaults: message, emails: [{}] })],
])("contents are extracted from %s and put back as bytes", (_name, bodyOf) => {
  const attachment: { content: unknown } = { content: bytes.toString("base64") };
  const body = bodyOf({ attachments: [attachment] });
  const lifted = liftContents(body);
  expect(attachment.content).toMatch(/^\0[0-9a-f]{64}$/);
  settleContents(body, lifted);
  expect(attachment.content).toEqual({ bytes });
});

test.each([
  ["one message", (message: object) => message],
  ["a bare list", (message: object) => [message, message]],
  ["a batch's messages", (message: object) => ({ messages: [{}, message] })],
  ["a batch's defaults", (message: object) => ({ defaults: message, emails: [{}] })],
])("long texts are extracted from %s and put back as packed bytes; short ones remain", (_name, bodyOf) => {
  const html = `"\\你\n`.repeat(20_000);
  const message: Record<string, unknown> = { html, text: "x".repeat(1_000), subject: html };
  const body = bodyOf(message);
  const lifted = liftContents(body);
  expect(message).toMatchObject({ html: expect.stringMatching(/^\0text:[0-9a-f]{64}$/), text: "x".repeat(1_000), subject: html });
  settleContents(body, lifted);
  expect(message.html).toEqual({ packed: expect.any(Uint8Array), characters: html.length, bytes: Buffer.byteLength(html) });
  expect(stringOf(message.html as AnyText)).toBe(html);
});

test("what is short, blank or not text remains in place, and what isn't base64 is reported as such", () => {
  const unchanged = [{ content: "aGk=" }, { content: " ".repeat(2_000) }, { content: 7 }, "none", null];
  const faulty: { content: unknown } = { content: "*".repeat(2_000) };
  const body = { attachments: [...unchanged, faulty] };
  const before = structuredClone(unchanged);
  settleContents(body, liftContents(body));
  expect(unchanged).toEqual(before);
  expect(faulty.content).toEqual({ bytes: null });
});
