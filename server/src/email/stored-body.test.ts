import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createEmailBatch, findEmail } from "#email/index.ts";
import { longTextOf, stringOf } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { countParts, deleteParts, listStoredBodies, updateStoredBody } from "#test/support/mail/mail-bodies.sql.ts";
import { clearBodies } from "./change/clear-bodies.ts";
import { findSendBody } from "./rows.sql.ts";
import type { SendBody } from "./shapes.ts";
import { partBytes, readSendBody, storeBody } from "./stored-body.ts";

const inserts: string[] = [];
const app = await testApp({ probe: (text) => void (/insert into email_body_parts/.test(text) && inserts.push(text)) });
const { ctx } = app;
const keys = ctx.masterKeys;
const html = `<p class="a\\b">"你好" 😀</p>\r\n`.repeat(10_000);
/** What no compression makes smaller than its parts. */
const noise = randomBytes(220_000).toString("base64");
const rest = {
  headers: { "X-A": '"x"' },
  attachments: [{ filename: "a.txt", content_type: null, content_id: null, size_bytes: 2, file: "emails/a" }],
};

/** Stores a body and reads it again as it is read for sending, its texts as strings. */
const again = async (body: SendBody, secret = false) => {
  const stored = storeBody(keys, { email_id: "em_1", body, secret });
  const gather = async ({ first }: { first: number }) => (first === 0 ? stored.long[0] : stored.long[1]) as Uint8Array;
  const read = await readSendBody(keys, { email_id: "em_1", stored: stored.body, gather });
  return { ...read, html: read.html && stringOf(read.html), text: read.text && stringOf(read.text) };
};

it.each([
  ["HTML", { html: longTextOf(html), text: null }, { html, text: null }],
  ["a text", { html: null, text: longTextOf(html) }, { html: null, text: html }],
  ["both", { html: longTextOf(html), text: "short" }, { html, text: "short" }],
  ["two long ones", { html: longTextOf(html), text: longTextOf(noise) }, { html, text: noise }],
])("reads what it stored of %s, also sealed", async (_what, long, short) => {
  expect(await again({ ...long, ...rest })).toEqual({ ...short, ...rest });
  expect(await again({ ...long, ...rest }, true)).toEqual({ ...short, ...rest });
  expect(storeBody(keys, { email_id: "em_1", body: { ...long, ...rest }, secret: false }).body.length).toBeLessThan(1_000);
});

it("reads for sending as bytes what an earlier version stored in one piece, and short texts as they are", async () => {
  const gather = () => Promise.reject(new Error("no parts"));
  const read = await readSendBody(keys, { email_id: "em_1", stored: JSON.stringify({ html, text: "short", ...rest }), gather });
  expect(read).toMatchObject({ text: "short", ...rest });
  expect(typeof read.html).toBe("object");
  expect(stringOf(read.html ?? "")).toBe(html);
  const short = { html: "<p>x</p>", text: null, ...rest };
  expect(await again(short)).toEqual(short);
  expect(await again(short, true)).toEqual(short);
});

async function batchOf(texts: Pick<SendBody, "html" | "text">[]) {
  const shop = await app.tenant();
  const items = texts.map((one) => ({ ...newEmail({}), ...one }));
  const { data } = await createEmailBatch(ctx, shop, { tier: "pro", items, strict: true });
  return { shop, ids: data.map(({ id }) => id) };
}

it("stores long texts in parts of a few kilobytes, sends a text shared by several messages once, and reads them back completely", async () => {
  const [page, emailText] = [longTextOf(html), longTextOf(noise)];
  inserts.length = 0;
  const { shop, ids } = await batchOf([
    { html: page, text: emailText },
    { html: null, text: emailText },
    { html: page, text: "short" },
  ]);
  const parts = Math.ceil(emailText.packed.length / partBytes);
  expect(parts, "the text takes several statements").toBeGreaterThan(4);
  // The first message's: one for its HTML and one for each four parts of its text. Each of the others: a copy.
  expect(inserts).toHaveLength(1 + Math.ceil(parts / 4) + 2);
  expect(await Promise.all(ids.map((id) => countParts(ctx.db, shop, id)))).toEqual([parts + 1, parts, 1]);
  const read = await Promise.all(ids.map(async (id) => (await findEmail(ctx, shop, id)).body));
  expect(read.map((body) => [body?.html, body?.text])).toEqual([
    [html, noise],
    [null, noise],
    [html, "short"],
  ]);
  const sent = await findSendBody(ctx, shop, ids[1] ?? "");
  expect(typeof sent?.text).toBe("object");
  expect(stringOf(sent?.text ?? "")).toBe(noise);
});

it("deletes the parts with the texts, and distinguishes deleted texts from broken ones", async () => {
  const { shop, ids } = await batchOf([
    { html: longTextOf(html), text: null },
    { html: longTextOf(noise), text: null },
  ]);
  const [intact = "", broken = ""] = ids;
  await deleteParts(ctx.db, shop, { email_id: broken, part: 2 });
  await expect(findSendBody(ctx, shop, broken)).rejects.toThrow("parts of the texts");
  app.clock.advance(31 * 86_400_000);
  while ((await clearBodies(ctx)) > 0);
  expect(await Promise.all(ids.map((id) => countParts(ctx.db, shop, id)))).toEqual([0, 0]);
  expect(await findSendBody(ctx, shop, intact)).toBeNull();
});

it("still reads what an earlier version stored in one piece", async () => {
  const { shop, ids } = await batchOf([{ html: "<p>x</p>", text: null }]);
  const [id = ""] = ids;
  await updateStoredBody(ctx.db, shop, { email_id: id, body: JSON.stringify({ html, text: null, headers: {}, attachments: [] }) });
  expect((await findEmail(ctx, shop, id)).body).toMatchObject({ html, attachments: [] });
  expect((await listStoredBodies(ctx.db, shop, id)).length).toBe(1);
});

it("can be shown, but isn't sent, by a program that knows nothing of parts", async () => {
  const { body } = storeBody(keys, { email_id: "em_1", body: { html: longTextOf(html), text: null, ...rest }, secret: false });
  const older = JSON.parse(body) as Pick<SendBody, "attachments">;
  expect(older.attachments.map(({ filename }) => filename)).toEqual(["text-in-parts", "a.txt"]);
  // It sends no message one of whose files is gone.
  expect(await ctx.files.get(older.attachments[0]?.file ?? "")).toBeNull();
});
