import type { EmailTransport, SendOutcome } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { type MailRoom, mailRoom, scriptedTransport } from "#test/support/mail/mail.ts";
import { receiver } from "#test/support/network/receiver.ts";
import type { PayShop } from "#test/support/payments/pay-shop.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { OwedMails } from "./known.ts";
import { good } from "./preserved-states.ts";

type Shop = PayShop & { index: number };

const email = { from: "orders@tillpost.example", subject: "Hello", text: "Hello" };
const ends = ["delivered", "bounced", "mailbox-full", "blocked", "expired", "failed", "suppressed", "complained", "late-bounce"];

/**
 * Emails in every state that a recipient can be in. Don't send anything else with the same worker afterwards: one message stays at its
 * server indefinitely.
 */
export async function fillEveryMail(app: TestApp, { live, test }: { live: Shop; test: Shop }): Promise<OwedMails> {
  const transport = scriptedTransport();
  const room = mailRoom(app.ctx, transport);
  await endInTest(app, { shop: test, room });
  await endInLive(app, { shop: live, room });
  const owed = await leaveUnderWay(app, { shop: live, room });
  return { ...owed, shop: live.index };
}

/** What the simulator's recipients do, and all kinds of recipients and emails. */
async function endInTest(app: TestApp, { shop, room }: { shop: Shop; room: MailRoom }): Promise<void> {
  const api = app.api(shop.tenant.key);
  for (const name of ends) good(await api.post("/v1/emails", { ...email, to: `${name}@simulator.tillpost.test` }));
  good(
    await api.post("/v1/emails", {
      ...email,
      to: "a@corner-readers.com",
      cc: "b@readers.dev",
      bcc: ["c@readers.dev"],
      category: "marketing",
    }),
  );
  const sent: string[] = [];
  for (const name of ["angry", "leaving"])
    sent.push(good(await api.post("/v1/emails", { ...email, to: `${name}@corner-readers.com`, category: "marketing" })).id);
  const callback = await receiver();
  good(await api.post("/v1/emails", { ...email, to: "told@corner-readers.com", status_callback: `${callback.url}/status` }));
  await room.settle();
  for (const [at, type] of ["complaint", "unsubscribe"].entries()) good(await api.post("/v1/test/inbound", { type, email_id: sent[at] }));
  // What recipients do afterwards happens a second later.
  app.clock.advance(2_000);
  await room.settle();
}

async function endInLive(app: TestApp, { shop, room }: { shop: Shop; room: MailRoom }): Promise<void> {
  const api = app.api(shop.tenant.key);
  const answers: Record<string, SendOutcome> = {
    relayed: { provider: "script", result: "accepted", final: false, smtp_code: 250 },
    gone: { provider: "script", result: "refused", bounce: { type: "permanent", subtype: "no_email" }, suppress: true, smtp_code: 550 },
  };
  room.transport.answer = ({ to }) =>
    answers[to.split("@", 1).join("")] ?? { provider: "script", result: "accepted", final: true, smtp_code: 250 };
  for (const name of [...Object.keys(answers), "taken"]) good(await api.post("/v1/emails", { ...email, to: `${name}@corner-readers.com` }));
  await room.settle();
  good(await api.post("/v1/emails", { ...email, to: "gone@corner-readers.com" }));
  const scheduled_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const { id } = good(await api.post("/v1/emails", { ...email, to: "nobody@corner-readers.com", scheduled_at }));
  good(await api.post(`/v1/emails/${id}/cancel`, {}));
}

/** Deferred, lost with its worker, taken or not, half a batch; and one whose worker is lost while its lease is still valid. */
async function leaveUnderWay(app: TestApp, { shop, room }: { shop: Shop; room: MailRoom }): Promise<Omit<OwedMails, "shop">> {
  const api = app.api(shop.tenant.key);
  const send = async (name: string) => good(await api.post("/v1/emails", { ...email, to: `${name}@corner-readers.com` })).id as string;
  const deferred: SendOutcome = {
    provider: "script",
    result: "deferred",
    bounce: { type: "transient", subtype: "general" },
    smtp_code: 451,
  };
  room.transport.answer = ({ to }) => (to.startsWith("deferred") ? deferred : { provider: "script", result: "unknown" });
  const [put_off, unknown] = [await send("deferred"), await send("unknown")];
  await sendOnce(app, room.transport);
  const lost = await send("lost");
  await beginAndDie(app, room.transport);
  app.clock.advance(60_000);
  const at_its_server = await send("at-its-server");
  await beginAndDie(app, room.transport);
  // Only now: a second worker lost with the same message would set it aside.
  await reviveEmails(app.ctx);
  const [first] = good(
    await api.post(
      "/v1/emails/batch",
      [email, email].map((one, n) => ({ ...one, to: `batch-${n}@corner-readers.com` })),
    ),
  ).data;
  return { at_its_server, lost, unknown, deferred: put_off, batch: first.id };
}

async function sendOnce({ ctx }: TestApp, live: EmailTransport): Promise<void> {
  const sender = createEmailSender({ transports: { live, test: createSimulator() } });
  await sender.run(ctx);
  await sender.finish(ctx);
}

/** A worker claims what is due, hands it over, and is lost. */
async function beginAndDie({ ctx }: TestApp, like: EmailTransport): Promise<void> {
  let started = 0;
  const never: EmailTransport = {
    ...like,
    send: () => {
      started += 1;
      return new Promise(() => {});
    },
  };
  await createEmailSender({ transports: { live: never, test: createSimulator() } }).run(ctx);
  await eventually("a message is at its server", () => started > 0);
}
