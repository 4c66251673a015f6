import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprintOf } from "#platform/index.ts";
import { tierLimits } from "#test/routes/world.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { updateFingerprint } from "#test/support/database/idempotency.sql.ts";
import { email, megabyte } from "#test/support/messages/large-bodies.ts";

const app = await testApp({ http: { tierLimits } });
const file = { filename: "a.bin", content: randomBytes(megabyte).toString("base64") };

test("a request from before long texts stayed bytes gets the same response after the upgrade, and is refused with another text", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const html = `<p class="a\\b">"你好" 😀 "\\u0000text:</p>\r\n`.repeat(9_000);
  const content = `\0${createHash("sha256").update(file.content).digest("hex")}`;
  const [lifted, tagged] = [
    { ...file, content },
    { ...email, text: null, html },
  ];
  const bodies = [
    { path: "/v1/emails", sent: tagged, written: { ...email, text: undefined, html } },
    { path: "/v1/emails", sent: tagged, written: tagged },
    {
      path: "/v1/emails",
      sent: { ...email, html, text: html, attachments: [file] },
      written: { ...email, html, text: html, attachments: [lifted] },
    },
    {
      path: "/v1/emails/batch",
      sent: { defaults: { html }, emails: [email, { ...email, html }] },
      written: { defaults: { html }, emails: [email, { ...email, html }] },
    },
  ];
  for (const [index, { path, sent, written }] of bodies.entries()) {
    const key = `before the upgrade ${index}`.replaceAll(" ", "-");
    const headers = { "idempotency-key": key };
    const first = await api.post(path, sent, { headers });
    expect(first.status, first.text).toBe(201);
    await updateFingerprint(app.ctx.db, key, fingerprintOf(written));
    const again = await api.post(path, sent, { headers });
    expect([again.status, again.headers["idempotent-replayed"], again.body]).toEqual([201, "true", first.body]);
    const other = JSON.parse(JSON.stringify(sent).replace("你好", "您好"));
    expect((await api.post(path, other, { headers })).body.error.code).toBe("idempotency_key_reused");
  }
});
