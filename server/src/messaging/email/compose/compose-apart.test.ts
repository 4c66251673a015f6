import { generateKeyPairSync, randomBytes } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { composeApart } from "./compose-apart.ts";
import { type ComposeParts, composeEmail } from "./compose-email.ts";
import { dkimRecordOf } from "./dkim-key.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const content = randomBytes(25 * 1024 * 1024);
const large: ComposeParts = {
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
};

/** The longest time in which nothing else could run here while `work` did, in milliseconds. */
async function heldUp<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let [last, longest, isOver] = [performance.now(), 0, false];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  isOver = true;
  return { result, longest: Math.max(longest, performance.now() - last) };
}

it("composes 25 MB whole and signed, and holds up a small part of what it would beside everything else", { timeout: 120_000 }, async () => {
  await composeApart({ ...large, attachments: [] });
  const here = await heldUp(() => composeEmail(large));
  const copies = Array.from({ length: 3 }, () => [{ filename: "a.bin", content: Buffer.from(content), content_type: null, content_id: null }]);
  const runs = [];
  for (const attachments of copies) runs.push(await heldUp(() => composeApart({ ...large, attachments })));
  // Once of three times the machine had nothing else to do: what is left is what we ask of the process.
  const apart = runs.sort((left, right) => left.longest - right.longest)[0] as (typeof runs)[0];
  console.info(`25 MB held others up for ${here.longest.toFixed(0)} ms here, for ${apart.longest.toFixed(0)} ms from a thread`);
  expect(apart.longest).toBeLessThan(here.longest / 3);
  expect(apart.result.length).toBe(here.result.length);
  const mail = await PostalMime.parse(apart.result);
  expect(Buffer.compare(Buffer.from(mail.attachments[0]?.content as ArrayBuffer), content)).toBe(0);
  const resolver = async () => [[dkimRecordOf(key)]];
  const { results } = await dkimVerify(apart.result, { resolver });
  expect(results[0]?.status.result).toBe("pass");
});

it("fails one message that cannot be signed, and composes the next", async () => {
  const wrong = generateKeyPairSync("ed25519").privateKey;
  const bad = composeApart({ ...large, attachments: [], dkim: { domain: "acme.example", selector: "t1", key: wrong } });
  const good = composeApart({ ...large, attachments: [] });
  await expect(bad).rejects.toThrow();
  expect((await good).toString()).toContain("DKIM-Signature:");
});
