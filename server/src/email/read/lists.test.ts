import { beforeAll, expect, it } from "vitest";
import { createEmailBatch } from "#email/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { listEmailAttempts } from "./list-email-attempts.ts";
import { listEmails } from "./list-emails.ts";
import type { EmailFilters } from "./sql.ts";

const { ctx, tenant, clock } = await testApp();
const shop = await tenant();
const other = await tenant();
const room = mailRoom(ctx);
const names = new Map<string, string>();
let batch = "";

beforeAll(async () => {
  const add = async (name: string, given: Parameters<typeof newEmail>[0]) => {
    clock.advance(60_000);
    names.set((await room.send(shop, given)).email.id, name);
  };
  await add("plain", { to: "ada@x.dev" });
  await add("tagged", { to: "Bob <bob@x.dev>", tags: [{ name: "kind", value: "receipt" }] });
  await add("bounced", { to: "bounced@simulator.tillpost.test", from: "Else <Else@shop.dev>" });
  await add("copied", {
    to: ["eve@x.dev"],
    cc: "Ada@x.dev",
    tags: [
      { name: "kind", value: "news" },
      { name: "run", value: "7" },
    ],
  });
  await room.send(other, { to: "ada@x.dev" });
  const made = await createEmailBatch(ctx, shop, { tier: "pro", items: [newEmail({ to: "batch@x.dev" })], strict: true });
  batch = made.id;
  names.set(made.data[0]?.id ?? "", "batched");
  await room.settle();
});

const filters: [string, () => EmailFilters, string[]][] = [
  ["nothing", () => ({}), ["batched", "copied", "bounced", "tagged", "plain"]],
  ["a status", () => ({ status: ["bounced"] }), ["bounced"]],
  ["several states", () => ({ status: ["bounced", "delivered"] }), ["batched", "copied", "bounced", "tagged", "plain"]],
  ["a sender in any case", () => ({ from: ["else@SHOP.dev"] }), ["bounced"]],
  ["a recipient wherever it stood", () => ({ to: ["ada@x.dev"] }), ["copied", "plain"]],
  ["a tag", () => ({ tag: [{ name: "kind", value: "receipt" }] }), ["tagged"]],
  [
    "either of two tags",
    () => ({
      tag: [
        { name: "kind", value: "receipt" },
        { name: "run", value: "7" },
      ],
    }),
    ["copied", "tagged"],
  ],
  ["no such tag", () => ({ tag: [{ name: "kind", value: "7" }] }), []],
  ["a batch", () => ({ batch_id: [batch] }), ["batched"]],
  ["a time", () => ({ created_gt: new Date("2026-11-20T08:02:00Z"), created_lte: new Date("2026-11-20T08:03:00Z") }), ["bounced"]],
  ["the beginning of a recipient", () => ({ q: "BOB@" }), ["tagged"]],
  ["signs that mean something to a pattern", () => ({ q: "%" }), []],
  ["two at once", () => ({ to: ["ada@x.dev"], tag: [{ name: "run", value: "7" }] }), ["copied"]],
];
it.each(filters)("filters by %s", async (_name, filter, expected) => {
  const { rows, total_count } = await listEmails(ctx, shop, { limit: 10, filters: filter(), total: true });
  expect(rows.map(({ email }) => names.get(email.id))).toEqual(expected);
  expect(total_count).toBe(expected.length);
});

it("pages both ways, with recipients, and rejects a stranger's cursor", async () => {
  const first = await listEmails(ctx, shop, { limit: 2, filters: {} });
  expect(first.has_more).toBe(true);
  const next = await listEmails(ctx, shop, { limit: 10, filters: {}, starting_after: first.rows[1]?.email.id ?? "" });
  expect(next.rows.map(({ email }) => names.get(email.id))).toEqual(["bounced", "tagged", "plain"]);
  expect(next.rows.map(({ recipients }) => recipients[0]?.address)).toEqual(["bounced@simulator.tillpost.test", "bob@x.dev", "ada@x.dev"]);
  const back = await listEmails(ctx, shop, { limit: 1, filters: {}, ending_before: next.rows[0]?.email.id ?? "" });
  expect(back.rows.map(({ email }) => names.get(email.id))).toEqual(["copied"]);
  const [id] = [...names.keys()];
  await expect(listEmails(ctx, other, { limit: 1, filters: {}, starting_after: id ?? "" })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
  await expect(listEmails(ctx, { ...shop, livemode: true }, { limit: 1, filters: {}, ending_before: id ?? "" })).rejects.toMatchObject({
    code: "invalid_cursor",
    extras: { param: "ending_before" },
  });
});

it.each(["a@bücher.de", "A@BÜCHER.de", "a@xn--bcher-kva.de", '"a"@bücher.de'])("finds a recipient's attempts by %s", async (spelling) => {
  const { email } = await room.send(shop, { to: ["a@bücher.de", "b@bücher.de"] });
  await room.settle();
  const found = await listEmailAttempts(ctx, shop, { id: email.id, recipients: [spelling] });
  expect(found).toMatchObject([{ recipient: "a@xn--bcher-kva.de" }]);
});
