import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createEmailBatch, findEmailSource } from "#email/index.ts";
import { longTextOf } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { newEmail } from "#test/support/mail/mail.ts";

const app = await testApp();

it("has the whole text of a message in its source, although it is stored in parts", async () => {
  const shop = await app.tenant();
  const text = randomBytes(220_000).toString("base64");
  const items = [{ ...newEmail({}), html: null, text: longTextOf(text) }];
  const { data } = await createEmailBatch(app.ctx, shop, { tier: "pro", items, strict: true });
  const { raw } = await findEmailSource(app.ctx, shop, { id: data[0]?.id ?? "" });
  expect(raw.toString("latin1").replaceAll(/=?\r\n/g, "")).toContain(text.slice(0, 1_000));
});
