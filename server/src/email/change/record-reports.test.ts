import { expect, it } from "vitest";
import { findSuppressed } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, mailRoom, scriptedTransport, taken } from "#test/support/mail/mail.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { createEmailSender } from "../sending/create-email-sender.ts";
import { reviveEmails } from "../sending/revive-emails.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { recordBounce, recordComplaint } from "./record-reports.ts";

const { ctx, tenant, clock } = await testApp();
const minute = 60_000;

it("accepts a report of a relayed message's bounce once", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => ({ ...taken, final: false });
  const { email, recipients } = await room.send(shop);
  const other = await room.send(shop, { to: "b@here.dev" });
  await room.settle();
  expect(await room.status(shop, email.id)).toBe("sent");
  const report = { kind: "failed", bounce: { type: "permanent", subtype: "no_email" }, suppress: true, smtp_code: 550 } as const;
  const [recipient_id, other_id] = [recipients[0]?.id ?? "", other.recipients[0]?.id ?? ""];
  const repeated = [];
  for (let time = 0; time < 3; time += 1) repeated.push(await recordBounce(ctx, { recipient_id, ...report }));
  expect(repeated).toEqual(["applied", "unchanged", "unchanged"]);
  expect(await recordBounce(ctx, { recipient_id: other_id, kind: "delivered" })).toBe("applied");
  expect(await recordBounce(ctx, { recipient_id: other_id, kind: "delayed" })).toBe("unchanged");
  expect(await recordComplaint(ctx, { recipient_id: other_id })).toBe("applied");
  expect(await recordComplaint(ctx, { recipient_id: other_id })).toBe("unchanged");
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "sent", "bounced"]);
  expect(await room.eventsOf(shop, other.email.id)).toEqual(["queued", "sent", "delivered", "complained"]);
  expect(await recordBounce(ctx, { recipient_id: "dlv_none", ...report })).toBe("missing");
  expect((await room.data(shop, email.id)).at(-1)).toMatchObject({
    previous_status: "sent",
    bounce: { subtype: "no_email", recipient: "ada@lovelace.dev" },
  });
});

it("believes a report about what a lost worker may have handed over, and doesn't send it again", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email, recipients } = await room.send(shop);
  const stuck = scriptedTransport();
  stuck.answer = () => new Promise(() => {});
  await createEmailSender({ transports: { live: stuck, test: createSimulator() }, compose: composeHere }).run(ctx);
  await expect.poll(() => stuck.emails.length).toBe(1);
  const report = { recipient_id: recipients[0]?.id ?? "", kind: "failed", suppress: true } as const;
  expect(await recordBounce(ctx, report)).toBe("sending");
  clock.advance(46_000);
  expect(await reviveEmails(ctx)).toBe(1);
  expect(await recordBounce(ctx, report)).toBe("applied");
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "bounced"]);
});

it("suppresses a missing mailbox and a person who complains, even if the message has ended otherwise", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => ({ provider: "script", result: "unknown" });
  const gone = await room.send(shop, { to: "gone@here.dev", expires_in: 60 });
  const angry = await room.send(shop, { to: "angry@here.dev", expires_in: 60 });
  await room.settle();
  clock.advance(6 * minute);
  await room.settle();
  expect([await room.status(shop, gone.email.id), await room.status(shop, angry.email.id)]).toEqual(["failed", "failed"]);
  const idOf = ({ recipients }: typeof gone) => recipients[0]?.id ?? "";
  expect(await recordBounce(ctx, { recipient_id: idOf(gone), kind: "failed", suppress: true })).toBe("applied");
  expect(await recordComplaint(ctx, { recipient_id: idOf(angry) })).toBe("applied");
  expect(await recordComplaint(ctx, { recipient_id: idOf(angry) })).toBe("unchanged");
  const found = await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: ["gone@here.dev", "angry@here.dev"] });
  expect([...found].map(([address, { reason }]) => [address, reason])).toEqual([
    ["gone@here.dev", "bounce"],
    ["angry@here.dev", "complaint"],
  ]);
});
