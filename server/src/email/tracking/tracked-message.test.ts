import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { findEmailSource } from "../read/find-email-source.ts";
import { readTrackToken } from "./track-token.ts";

const { ctx, tenant } = await testApp();

test("a tracked message has tracked links only in its HTML; its text shows where they lead", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const html = '<p>Your order: <a href="https://books.example/orders/7?a=1&amp;b=2">look here</a></p>';
  const { email, recipients } = await room.send(shop, { html, tracking: { opens: true, clicks: true } });
  const { raw } = await findEmailSource(ctx, shop, { id: email.id });
  const parsed = await PostalMime.parse(raw);
  expect(parsed.text).toContain("https://books.example/orders/7?a=1&b=2");
  expect(parsed.text).not.toContain("/c/");
  const copy = { tenant: { project_id: shop.project_id, livemode: false }, email_id: email.id, recipient_id: recipients[0]?.id };
  const [, click = ""] = /href="[^"]*\/c\/([^"]+)"/.exec(parsed.html ?? "") ?? [];
  expect(readTrackToken(ctx, "click", click)).toEqual({ ...copy, kind: "click", url: "https://books.example/orders/7?a=1&b=2" });
  const [, open = ""] = /src="[^"]*\/o\/([^"]+)"/.exec(parsed.html ?? "") ?? [];
  expect(readTrackToken(ctx, "open", open)).toEqual({ ...copy, kind: "open" });
});
