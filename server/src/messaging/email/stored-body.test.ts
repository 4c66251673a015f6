import { expect, it } from "vitest";
import { longTextOf, stringOf } from "#platform/index.ts";
import { house } from "#test/house.ts";
import type { SendBody } from "./shapes.ts";
import { readBody, readSendBody, storeBody } from "./stored-body.ts";

const { ctx } = await house();
const keys = ctx.masterKeys;
const html = `<p class="a\\b">"你好" 😀</p>\r\n`.repeat(10_000);
const rest = { headers: { "X-A": '"x"' }, attachments: [{ filename: "a.txt", content_type: null, content_id: null, size_bytes: 2, file: "emails/a" }] };

const storedText = (body: SendBody, secret = false) => {
  const stored = storeBody(keys, { email_id: "em_1", body, secret });
  return typeof stored === "string" ? stored : Buffer.concat(stored).toString("utf8");
};

it.each([
  ["HTML", { html: longTextOf(html), text: null }, { html, text: null }],
  ["a text", { html: null, text: longTextOf(html) }, { html: null, text: html }],
  ["both", { html: longTextOf(html), text: "short" }, { html, text: "short" }],
])("stores the bytes of %s as it stores the string", (_what, long, short) => {
  expect(storedText({ ...long, ...rest })).toBe(storedText({ ...short, ...rest }));
  expect(readBody(keys, "em_1", storedText({ ...long, ...rest }, true))).toEqual({ ...short, ...rest });
});

it("reads long texts for sending as bytes, and short ones as they are", async () => {
  const read = await readSendBody(keys, "em_1", storedText({ html, text: "short", ...rest }));
  expect(read).toMatchObject({ text: "short", ...rest });
  expect(typeof read.html).toBe("object");
  expect(stringOf(read.html ?? "")).toBe(html);
  const short = { html: "<p>x</p>", text: null, ...rest };
  expect(await readSendBody(keys, "em_1", storedText(short))).toEqual(short);
  expect(await readSendBody(keys, "em_1", storedText(short, true))).toEqual(short);
});
