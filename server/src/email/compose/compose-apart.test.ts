import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { dkimRecordOf } from "#test/support/mail/dkim-record.ts";
import { type ComposeJob, composeApart, composeLimitMs, createComposer, TooComplex } from "./compose-apart.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const content = randomBytes(25 * 1024 * 1024);
const large: ComposeJob = {
  message_id: "<em_1@acme.example>",
  date: new Date("2026-11-20T08:00:00Z"),
  from: "Acme <hello@acme.example>",
  to: ["Ada <ada@example.com>"],
  cc: [],
  reply_to: [],
  subject: "Hello",
  html: null,
  text: "Hi",
  headers: {},
  attachments: [{ filename: "a.bin", content, content_type: null, content_id: null }],
  unsubscribe: null,
  dkim: { domain: "acme.example", selector: "t1", key },
  tracking: null,
};
const isLarge = { isLarge: true };

it("composes 25 MB completely and signed", async () => {
  const result = await composeApart(
    { ...large, attachments: [{ filename: "a.bin", content: Buffer.from(content), content_type: null, content_id: null }] },
    isLarge,
  );
  const mail = await PostalMime.parse(result);
  expect(Buffer.compare(Buffer.from(mail.attachments[0]?.content as ArrayBuffer), content)).toBe(0);
  const resolver = async () => [[dkimRecordOf(key)]];
  const { results } = await dkimVerify(result, { resolver });
  expect(results[0]?.status.result).toBe("pass");
});

it("fails one message that can't be signed, and composes the next", async () => {
  const wrong = generateKeyPairSync("ed25519").privateKey;
  const bad = composeApart({ ...large, attachments: [], dkim: { domain: "acme.example", selector: "t1", key: wrong } }, isLarge);
  const good = composeApart({ ...large, attachments: [] }, isLarge);
  await expect(bad).rejects.toThrow();
  expect((await good).toString()).toContain("DKIM-Signature:");
});

it("ends only a message that takes too long, and composes the next", async () => {
  const compose = createComposer({ limitMs: 20 });
  const long = { ...large, attachments: [], html: "<li>x".repeat(400_000), text: null };
  await expect(compose(long, { isLarge: false })).rejects.toThrow(TooComplex);
  expect((await composeApart({ ...large, attachments: [], html: "<p>Hi</p>", text: null }, { isLarge: false })).toString()).toContain(
    "<p>Hi</p>",
  );
});

it("takes no longer for a message than the guide says", () => {
  const guide = readFileSync(new URL("../../../../docs/email.md", import.meta.url), "utf8");
  expect(composeLimitMs).toBe(5_000);
  expect(guide).toContain(`takes more than ${composeLimitMs / 1000} seconds to compose`);
});

it("leaves out empty HTML, however it is tracked, and makes a text for an empty one", async () => {
  const small = { ...large, attachments: [], tracking: { open: "https://mail.example/o/x.gif", click: null, own: [] } };
  const plain = await PostalMime.parse(await composeApart({ ...small, html: "", text: "Your code is 123456" }, { isLarge: false }));
  expect([plain.html, plain.text?.trim()]).toEqual([undefined, "Your code is 123456"]);
  const rich = await PostalMime.parse(await composeApart({ ...small, html: "<p>Your code</p>", text: "" }, { isLarge: false }));
  expect([rich.html?.includes("Your code"), rich.text?.trim()]).toEqual([true, "Your code"]);
});

it.each([
  ["to be tracked", { open: "https://mail.example/o/x.gif", click: null, own: [] }, "Hi"],
  ["without a text", null, null],
])("reports that HTML which is nested too deeply, %s, can't be composed", async (_what, tracking, text) => {
  const deep = { ...large, attachments: [], html: "<div>".repeat(400_000), text, tracking };
  await expect(composeApart(deep, { isLarge: false })).rejects.toThrow("nested too deeply");
});
