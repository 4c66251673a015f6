import { expect, test } from "vitest";
import { findCall } from "#calls/index.ts";
import { findEmail } from "#email/index.ts";
import { findEmailSource } from "#email/read/find-email-source.ts";
import { findSms, listSms } from "#sms/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { tablesThatHold, verificationRoom } from "#test/support/messages/verifications.ts";
import { codeOf } from "./derive-code.ts";
import { cancelVerification, checkCode, resendCode } from "./index.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]), calls: { hasRoute: () => true, mayUse: async () => true } });
const { ctx, clock } = app;
const room = verificationRoom(ctx);
const [texts, calls, mails] = [smsRoom(ctx, [carrier]), callRoom(app), mailRoom(ctx)];
const shop = await liveShop(app);
/** Ten digits: nothing else looks like them by accident. */
const long = { code_length: 10 };
const byCall = { to: "+14155552674", from: "+14155552670", channels: ["call" as const], ...long };
const byPerson = { ...ctx, actor: { kind: "person" as const, id: "usr_1" } };
const messageOf = ({ sends }: { sends: { message_id: string }[] }) => sends.at(-1)?.message_id ?? "";

test("neither the code nor a message with it is anywhere in the database, whatever happens", async () => {
  const rows = [
    await room.start(shop, { to: "+14155552671", ...long }),
    await room.start(shop, { to: "ada@corner-readers.com", channels: ["email"], ...long }),
    await room.start(shop, byCall),
    await room.start(shop, { to: "+14155552675", ...long }),
  ];
  const codes = rows.map((row) => codeOf(ctx.masterKeys, row));
  const expectNowhere = async () => {
    for (const text of [...codes, ...codes.map((code) => [...code].join(", "))]) expect(await tablesThatHold(ctx, text), text).toEqual([]);
  };
  expect(await tablesThatHold(ctx, "+14155552671")).toContain("verifications");
  await expectNowhere();
  await texts.settle();
  await mails.settle();
  const sms = carrier.taken.find(({ to }) => to === rows[0]?.recipient)?.body;
  const mail = mails.transport.emails.find(({ to }) => to === rows[1]?.recipient)?.raw.toString();
  expect([sms, mail].map((text, at) => text?.includes(codes[at] ?? "-"))).toEqual([true, true]);
  await expectNowhere();
  await resendCode(ctx, shop, { id: rows[0]?.id ?? "", channel: null });
  await checkCode(byPerson, shop, { id: rows[0]?.id ?? "", code: codes[0] ?? "" });
  await cancelVerification(ctx, shop, { id: rows[2]?.id ?? "" });
  clock.advance(600_000);
  await room.processDue();
  await expectNowhere();
});

test("an SMS with a code shows no text: queued, sent, in lists", async () => {
  const id = messageOf(await room.start(shop, { to: "+14155552676" }));
  const shown = async () => [
    (await findSms(ctx, shop, id)).body,
    (await listSms(ctx, shop, { limit: 100, filters: {} })).rows.map(({ body }) => body),
  ];
  expect((await shown()).flat().filter((body) => body !== null)).toEqual([]);
  await texts.settle();
  expect((await shown()).flat().filter((body) => body !== null)).toEqual([]);
});

test("an email with a code shows no text and no source", async () => {
  const id = messageOf(await room.start(shop, { to: "bob@corner-readers.com", channels: ["email"] }));
  const shown = async () => [
    (await findEmail(ctx, shop, id)).body,
    await findEmailSource(ctx, shop, { id }).catch(({ code }: { code: string }) => code),
  ];
  expect(await shown()).toEqual([null, "resource_missing"]);
  await mails.settle();
  expect(await shown()).toEqual([null, "resource_missing"]);
});

test("a call with a code shows nothing of what it says, and records nothing", async () => {
  const live = await room.start(shop, { ...byCall, to: "+14155552677" });
  expect(await findCall(ctx, shop, messageOf(live))).toMatchObject({ said: null, record: null });
});

test("once a message has been sent, or its verification has ended, its text is deleted", async () => {
  const test_ = await app.tenant();
  const countStored = async () => {
    const [row] = await runStatement<{ sms: number; calls: number; mails: number }>(
      ctx.db,
      `select (select count(*)::int from sms where project_id = ? and sealed_body is not null) as sms, (select count(*)::int from calls where project_id = ? and sealed_said is not null) as calls,
        (select count(*)::int from email_bodies where project_id = ? and body like 'v1.%') as mails`,
      ...[test_.project_id, test_.project_id, test_.project_id],
    );
    return row;
  };
  const begin = async () => [
    await room.start(test_, { to: "+15005551000" }),
    await room.start(test_, { to: "+15005559999", channels: ["call"] }),
    await room.start(test_, { to: "ada@corner-readers.com", channels: ["email"] }),
  ];
  await begin();
  expect(await countStored()).toEqual({ sms: 1, calls: 1, mails: 1 });
  await texts.settle();
  await calls.settle();
  await mails.settle();
  expect(await countStored()).toEqual({ sms: 0, calls: 0, mails: 0 });
  for (const row of await begin()) await cancelVerification(ctx, test_, { id: row.id });
  expect(await countStored()).toEqual({ sms: 0, calls: 0, mails: 0 });
  await begin();
  clock.advance(600_000);
  await room.processDue();
  expect(await countStored()).toEqual({ sms: 0, calls: 0, mails: 0 });
});

test("an ended verification stores nothing that a code could be compared with", async () => {
  const [approved, canceled, expired] = [
    await room.start(shop, { to: "+14155552681" }),
    await room.start(shop, { to: "+14155552682" }),
    await room.start(shop, { to: "+14155552683" }),
  ];
  await checkCode(byPerson, shop, { id: approved.id, code: codeOf(ctx.masterKeys, approved) });
  await cancelVerification(ctx, shop, { id: canceled.id });
  clock.advance(600_000);
  await room.processDue();
  const rows = await runStatement<{ status: string; code_mac: string | null }>(
    ctx.db,
    "select status, code_mac from verifications where id in (?, ?, ?) order by status",
    ...[approved.id, canceled.id, expired.id],
  );
  expect(rows).toEqual(["approved", "canceled", "expired"].map((status) => ({ status, code_mac: null })));
});
