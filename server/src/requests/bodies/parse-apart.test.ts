import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError, readBase64 } from "#platform/index.ts";
import { tierLimits } from "#test/routes/world.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { email, megabyte } from "#test/support/messages/large-bodies.ts";
import { parseJson } from "../validation/parse-json.ts";
import { parseApart, takeContents } from "./parse-apart.ts";

const app = await testApp({ http: { tierLimits } });
const folder = await mkdtemp(join(tmpdir(), "tillpost-apart-"));
const bytes = randomBytes(megabyte);
const file = { filename: "a.bin", content: bytes.toString("base64") };

/** A body as the thread reads it. */
async function apart(text: string | Buffer): Promise<unknown> {
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  const body = await parseApart(path);
  return takeContents(body, body);
}

const refusalOf = (error: unknown) =>
  error instanceof AppError ? { code: error.code, message: error.message, param: error.extras.param } : error;

test("reads the same from every place in a body as this thread does: the same values, contents as bytes, and null for what isn't base64", async () => {
  const small = { filename: "a.bin", content: randomBytes(3_000).toString("base64") };
  const broken = `${small.content}%%%`;
  const bodies = [
    { ...email, attachments: [small, { ...small, content: broken }, { filename: "b.txt", content: "aGVsbG8=" }] },
    [email, { ...email, attachments: [small] }],
    {
      defaults: { ...email, attachments: [small] },
      emails: [{ to: "bob@corner-readers.com" }, { attachments: [small], html: small.content }],
    },
    { ...email, attachments: [{ ...small, content: " ".repeat(2_000) }] },
    { ...email, attachments: "none", emails: 7, defaults: null, content: small.content },
    [null, 1, { attachments: [null, 2, { content: 3 }] }],
    "text",
  ];
  for (const body of bodies) {
    const read = JSON.parse(JSON.stringify(body), (_name, value) => {
      const isLifted = typeof value?.content === "string" && value.content.trim().length > 1024 && value.filename !== undefined;
      return isLifted ? { ...value, content: { bytes: readBase64(value.content) } } : value;
    });
    expect(await apart(JSON.stringify(body))).toEqual(read);
  }
});

test("refuses what this thread refuses, in the same words", async () => {
  const bodies = [
    '{"a": 1,}',
    Buffer.from([0x22, 0xff, 0x22]),
    '{"a":{"__proto__":1}}',
    '{"to":"\\u0000"}',
    '{"b":["\\ud800"]}',
    "[".repeat(70) + "]".repeat(70),
  ];
  for (const body of bodies) {
    let here: unknown;
    try {
      parseJson(Buffer.from(body));
    } catch (error) {
      here = error;
    }
    expect(here).toBeInstanceOf(AppError);
    expect(await apart(body).catch(refusalOf)).toEqual(refusalOf(here));
  }
});

test("no long text is transferred as a string", async () => {
  const html = "<p>x</p>".repeat(60_000);
  for (const body of [{ ...email, html, text: html }, [{ ...email, html }], { defaults: { html }, messages: [{ ...email, text: html }] }]) {
    const path = join(folder, randomUUID());
    await writeFile(path, JSON.stringify(body));
    const value = await parseApart(path);
    expect(JSON.stringify(value).length).toBeLessThan(1_000);
    expect(JSON.stringify(takeContents(value, value)), "they are bytes once they are put in").not.toContain("<p>x</p>");
  }
});

test("a long HTML is checked, stored and composed like a short one, in a single message, in a batch and as a batch's default", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const html = `<p class="a\\b">"你好" 😀</p>\r\n`.repeat(9_000);
  const long = { ...email, html };
  const first = await api.post("/v1/emails", long, { headers: { "idempotency-key": "long" } });
  expect(first.status).toBe(201);
  expect((await api.post("/v1/emails", long, { headers: { "idempotency-key": "long" } })).body.id).toBe(first.body.id);
  const other = await api.post("/v1/emails", { ...email, html: `${html}!` }, { headers: { "idempotency-key": "long" } });
  expect(other.body.error.code).toBe("idempotency_key_reused");
  const batch = await api.post("/v1/emails/batch", {
    defaults: { html },
    emails: [email, { ...email, html: "<p>short</p>", attachments: [file] }, long],
  });
  expect(batch.body.accepted).toBe(3);
  const htmlOf = async (id: string) => (await api.get(`/v1/emails/${id}`)).body.html;
  const ids = batch.body.data.map(({ id }: { id: string }) => id);
  expect(await Promise.all([first.body.id, ...ids].map(htmlOf))).toEqual([html, html, "<p>short</p>", html]);
  expect((await api.get(`/v1/emails/${first.body.id}/source`)).text).toContain("Content-Type: text/html");
  const faults = [
    ["html", { html: "<div>".repeat(60_000) }, "nested up to 500 deep"],
    ["html", { html: "x".repeat(2_000_001) }, "2 MB"],
    ["html", { html: "你".repeat(700_000) }, "2 MB"],
    ["text", { text: "x".repeat(2_000_001) }, "2 million"],
  ] as const;
  for (const [param, given, words] of faults) {
    const refused = await api.post("/v1/emails", { ...email, ...given });
    expect(refused.body.error).toMatchObject({ code: "parameter_invalid", param, message: expect.stringContaining(words) });
  }
});

test("a large message retains its faults, its file and its fingerprint", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const broken = await api.post("/v1/emails", { ...email, attachments: [{ ...file, content: `${file.content}%%%` }] });
  expect(broken.body.error).toMatchObject({
    code: "attachment_invalid",
    param: "attachments[0].content",
    message: "The content isn't base64.",
  });
  const headers = { "idempotency-key": "large" };
  const body = { ...email, attachments: [file] };
  const [first, again] = [await api.post("/v1/emails", body, { headers }), await api.post("/v1/emails", body, { headers })];
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
  const other = { ...email, attachments: [{ ...file, content: `AAAA${file.content.slice(4)}` }] };
  expect((await api.post("/v1/emails", other, { headers })).body.error.code).toBe("idempotency_key_reused");
  const batch = await api.post("/v1/emails/batch", {
    defaults: { ...email, attachments: [file] },
    emails: [{ to: "ada@corner-readers.com" }, {}],
  });
  const sizes = batch.body.data.map(async ({ id }: { id: string }) => (await api.get(`/v1/emails/${id}`)).body.attachments[0].size_bytes);
  expect(await Promise.all(sizes)).toEqual([bytes.length, bytes.length]);
  const source = await api.get(`/v1/emails/${first.body.id}/source`);
  expect(source.text.replaceAll(/\s/g, "")).toContain(file.content.slice(-1000));
});
