import { describe, expect, test } from "vitest";
import { createSuppression } from "#messaging/suppression/create-suppression.ts";
import { deleteSuppression } from "#messaging/suppression/delete-suppression.ts";
import { findSuppression, listSuppressions } from "#messaging/suppression/find-suppression.ts";
import { foldSuppressions } from "#messaging/suppression/fold-suppressions.ts";
import { insertSuppression, type SuppressionRow } from "#messaging/suppression/sql.ts";
import { canonicalAddress, newId, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { createEmailBatch } from "../accept/create-email-batch.ts";
import { listEmails } from "../read/list-emails.ts";
import { emailChannel } from "./email-channel.ts";

const app = await testApp();
const { ctx } = app;

/** Spellings of one address each, the canonical one first. */
const spellings: [string, ...string[]][] = [
  [
    "ada@corner-readers.com",
    "ADA@Corner-Readers.COM",
    '"ada"@corner-readers.com',
    '"a\\d\\a"@corner-readers.com',
    "ａｄａ＠corner-readers．com",
    " ada@corner-readers.com ",
  ],
  ["ada@xn--bcher-kva.de", "ada@bücher.de", "Ada@BÜCHER.de", "ada@XN--BCHER-KVA.de", '"ada"@bücher.de', "ada@bücher。de", "ada@ｂücher.de"],
  ["ada+news@corner-readers.com", '"ada+news"@corner-readers.com', "ADA＋news@corner-readers.com"],
  ['"ada b"@corner-readers.com', '"Ada B"@corner-readers.com', '"ada\\ b"@CORNER-readers.com'],
  ['"a..b"@corner-readers.com', '"A..B"@corner-readers.com'],
  ["用户@xn--fsqu00a.com", "用户@例子.com", "用户@例子。com"],
];

describe("an address", () => {
  test.each(spellings)("has one form, %s, however it is spelled", (canonical, ...others) => {
    for (const one of [canonical, ...others]) expect(canonicalAddress(one)).toBe(canonical);
  });

  test.each([
    ["ada@a.com", "ada.b@a.com"],
    ["ada@a.com", "ada+x@a.com"],
    ["ada@a.com", "ada@a.org"],
    ['"ada b"@a.com', "adab@a.com"],
    ["ada@strasse.de", "ada@straße.de"],
    ['"a@b"@a.com', "b@a.com"],
  ])("%s differs from %s", (left, right) => {
    expect(canonicalAddress(left)).not.toBe(canonicalAddress(right));
  });
});

test("suppressed under one spelling, it is suppressed under all: single sends, copies and batches", async () => {
  const room = mailRoom(ctx);
  const missed: string[] = [];
  for (const [row, left] of spellings.flatMap((row) => row.map((left) => [row, left] as const))) {
    const shop = await app.tenant();
    await createSuppression(ctx, shop, { channel: emailChannel, address: left });
    for (const right of row) {
      const single = await room.send(shop, { to: right });
      const copy = await room.send(shop, { to: "bob@corner-readers.com", cc: [right] });
      const batch = await createEmailBatch(ctx, shop, {
        tier: "pro",
        strict: true,
        items: [{ from: "a@tillpost.example", to: right, subject: "x", text: "x" }],
      });
      const found = [single.email.status, copy.recipients.find(({ type }) => type === "cc")?.status, batch.data[0]?.status];
      if (found.some((status) => status !== "suppressed")) missed.push(`${left} → ${right}: ${found.join()}`);
    }
  }
  expect(missed).toEqual([]);
});

test("is one suppression to search for, list, add again and lift, and one recipient of a message", async () => {
  const room = mailRoom(ctx);
  for (const [canonical, ...others] of spellings) {
    for (const other of others) {
      const shop = await app.tenant();
      const { id } = await createSuppression(ctx, shop, { channel: emailChannel, address: other });
      expect((await createSuppression(ctx, shop, { channel: emailChannel, address: canonical })).id).toBe(id);
      expect(await findSuppression(ctx, shop, { channel: emailChannel, id: other })).toMatchObject({ id, address: canonical });
      expect((await listSuppressions(ctx, shop, { limit: 10, filters: { address: [other] } })).rows.length).toBe(1);
      await deleteSuppression(ctx, shop, { channel: emailChannel, id: canonical });
      const { recipients, email } = await room.send(shop, { to: [canonical, other] });
      expect(recipients.length).toBe(1);
      expect((await listEmails(ctx, shop, { limit: 10, filters: { to: [canonical] } })).rows.map(({ email: { id } }) => id)).toEqual([
        email.id,
      ]);
    }
  }
});

describe("rows of an earlier version", () => {
  const stored = (shop: Tenant, address: string, more: Partial<SuppressionRow> = {}): SuppressionRow => ({
    ...{
      project_id: shop.project_id,
      livemode: shop.livemode,
      id: newId("sup"),
      channel: "email",
      address,
      reason: "manual",
      source_id: null,
      expires_at: null,
    },
    ...{ created_at: ctx.now(), updated_at: ctx.now(), ...more },
  });
  const insert = (row: SuppressionRow) => ctx.transact((tx) => insertSuppression(tx, row));
  const addressOf = async (row: Tenant) => (await listSuppressions(ctx, row, { limit: 10, filters: {} })).rows[0]?.address;

  test("are converted to the one form, once", async () => {
    const shop = await app.tenant();
    for (const address of ["ada@bücher.de", '"bob"@corner-readers.com', "carol@corner-readers.com"]) await insert(stored(shop, address));
    expect(await foldSuppressions(ctx, emailChannel)).toBe(2);
    expect((await listSuppressions(ctx, shop, { limit: 10, filters: {} })).rows.map(({ address }) => address).sort()).toEqual([
      "ada@xn--bcher-kva.de",
      "bob@corner-readers.com",
      "carol@corner-readers.com",
    ]);
    expect(await foldSuppressions(ctx, emailChannel)).toBe(0);
    expect((await mailRoom(ctx).send(shop, { to: "ada@bücher.de" })).email.status).toBe("suppressed");
  });

  test("that can't be converted keep no others from being converted, and fail the run, so that it is repeated soon", async () => {
    const [odd, other] = [stored(await app.tenant(), "ada@bücher.de"), stored(await app.tenant(), "ada@bücher.de")];
    for (const row of [odd, other]) await insert(row);
    const allow = await refuseRows(app, "suppressions", { ids: [odd.id] });
    await expect(foldSuppressions(ctx, emailChannel)).rejects.toThrow("suppressed addresses that couldn't be converted: 1");
    expect([await addressOf(odd), await addressOf(other)]).toEqual(["ada@bücher.de", "ada@xn--bcher-kva.de"]);
    await allow();
    expect(await foldSuppressions(ctx, emailChannel)).toBe(1);
  });

  test.each([
    ["complaint", "bounce", "complaint"],
    ["bounce", "complaint", "complaint"],
  ] as const)("of two spellings, %s and %s, the more severe remains", async (odd, plain, left) => {
    const shop = await app.tenant();
    await insert(stored(shop, "ada@bücher.de", { reason: odd }));
    await insert(stored(shop, "ada@xn--bcher-kva.de", { reason: plain }));
    expect(await foldSuppressions(ctx, emailChannel)).toBe(1);
    expect((await listSuppressions(ctx, shop, { limit: 10, filters: {} })).rows.map(({ address, reason }) => [address, reason])).toEqual([
      ["ada@xn--bcher-kva.de", left],
    ]);
  });
});
