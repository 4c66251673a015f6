import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { signedMessage } from "#test/support/mail/signed-message.ts";
import { composeApart, composeLimitMs, createComposer, TooComplex } from "./compose-apart.ts";

/** One thread for nearly all, because each takes long to start. */
const isLarge = { isLarge: true };

it("fails one message that can't be signed, and composes the next", async () => {
  const wrong = generateKeyPairSync("ed25519").privateKey;
  const bad = composeApart({ ...signedMessage, dkim: { domain: "acme.example", selector: "t1", key: wrong } }, isLarge);
  const good = composeApart(signedMessage, isLarge);
  await expect(bad).rejects.toThrow();
  expect((await good).toString()).toContain("DKIM-Signature:");
});

it("ends only a message that takes too long, and composes the next", async () => {
  const compose = createComposer({ limitMs: 20 });
  const long = { ...signedMessage, html: "<li>x".repeat(400_000), text: null };
  await expect(compose(long, { isLarge: false })).rejects.toThrow(TooComplex);
  expect((await composeApart({ ...signedMessage, html: "<p>Hi</p>", text: null }, isLarge)).toString()).toContain("<p>Hi</p>");
});

it("takes no longer for a message than the guide says", () => {
  const guide = readFileSync(new URL("../../../../docs/email.md", import.meta.url), "utf8");
  expect(composeLimitMs).toBe(5_000);
  expect(guide).toContain(`takes more than ${composeLimitMs / 1000} seconds to compose`);
});

it("leaves out empty HTML, however it is tracked, and makes a text for an empty one", async () => {
  const small = { ...signedMessage, tracking: { open: "https://mail.example/o/x.gif", click: null, own: [] } };
  const plain = await PostalMime.parse(await composeApart({ ...small, html: "", text: "Your code is 123456" }, isLarge));
  expect([plain.html, plain.text?.trim()]).toEqual([undefined, "Your code is 123456"]);
  const rich = await PostalMime.parse(await composeApart({ ...small, html: "<p>Your code</p>", text: "" }, isLarge));
  expect([rich.html?.includes("Your code"), rich.text?.trim()]).toEqual([true, "Your code"]);
});

it.each([
  ["to be tracked", { open: "https://mail.example/o/x.gif", click: null, own: [] }, "Hi"],
  ["without a text", null, null],
])("reports that HTML which is nested too deeply, %s, can't be composed", async (_what, tracking, text) => {
  const deep = { ...signedMessage, html: "<div>".repeat(400_000), text, tracking };
  await expect(composeApart(deep, isLarge)).rejects.toThrow("nested too deeply");
});
