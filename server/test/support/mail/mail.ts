import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { type Compose, TooComplex } from "#email/compose/compose-apart.ts";
import { composeJob } from "#email/compose/compose-job.ts";
import {
  createEmail,
  type EmailBundle,
  type EmailInput,
  type EmailTransport,
  findEmail,
  type OutgoingEmail,
  type SendOutcome,
} from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { playEmailFollowUps } from "#email/simulator/play-follow-ups.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { listEventsOf } from "#events/sql.ts";
import { asBuffer, type Ctx, type Tenant } from "#platform/index.ts";

/** A message that may be sent, with the fields that a test specifies. */
export function newEmail(given: Partial<EmailInput> = {}): EmailInput {
  return {
    from: "Corner Books <orders@tillpost.example>",
    to: "ada@lovelace.dev",
    subject: "Your order",
    html: "<p>It is on its way.</p>",
    ...given,
  };
}

/** A transport that responds as a test specifies and remembers what it was given. */
export interface ScriptedTransport extends EmailTransport {
  emails: OutgoingEmail[];
  /** How the next sends end; without one, `accepted` and final. */
  answer: (outgoing: OutgoingEmail, signal: AbortSignal) => SendOutcome | Promise<SendOutcome>;
}

/** Time to send everything: on a busy machine the thread of a process's first message takes long to start. */
export const drainMs = 240_000;

export const taken: SendOutcome = { provider: "script", result: "accepted", final: true, smtp_code: 250 };

export function scriptedTransport(concurrency = 10): ScriptedTransport {
  const transport: ScriptedTransport = {
    name: "relay",
    concurrency,
    emails: [],
    answer: () => taken,
    async send(outgoing, signal) {
      transport.emails.push(outgoing);
      return transport.answer(outgoing, signal);
    },
    close: async () => {},
  };
  return transport;
}

/** Composes as a process's threads do, but in this one: starting a thread takes longer than most tests. */
export const composeHere: Compose = async (job) => {
  const composed = await composeJob(job);
  if (composed === null) throw new TooComplex("The HTML is nested too deeply.");
  return asBuffer(composed);
};

/** All email work over one database, step by step. */
export interface MailRoom {
  transport: ScriptedTransport;
  send(tenant: Tenant, given?: Partial<EmailInput>): Promise<EmailBundle>;
  /** Runs every task until nothing is due now. */
  settle(): Promise<void>;
  status(tenant: Tenant, id: string): Promise<string>;
  /** Names of a message's events, oldest first, without `email.`. */
  eventsOf(tenant: Tenant, id: string): Promise<string[]>;
  /** The data of a message's events, oldest first. */
  data(tenant: Tenant, id: string): Promise<Record<string, unknown>[]>;
}

/** `apart`: messages are composed in threads. */
export function mailRoom(ctx: Ctx, transport = scriptedTransport(), { apart = false }: { apart?: boolean } = {}): MailRoom {
  const events = async (tenant: Tenant, id: string) =>
    (await listEventsOf(ctx.db, tenant, { object_id: id, after: null, limit: 1000 })).reverse();
  return {
    transport,
    send: (tenant, given) => createEmail(ctx, tenant, { tier: "pro", email: newEmail(given) }),
    async settle() {
      for (let idle = false; !idle; ) {
        const transports = { live: transport, test: createSimulator() };
        const sender = createEmailSender({ transports, drainMs, ...(apart ? {} : { compose: composeHere }) });
        const before = transport.emails.length;
        const done = (await releaseScheduled(ctx)) + (await reviveEmails(ctx)) + (await playEmailFollowUps(ctx));
        await sender.run(ctx);
        await sender.finish(ctx);
        idle = done === 0 && transport.emails.length === before;
      }
    },
    status: async (tenant, id) => (await findEmail(ctx, tenant, id)).email.status,
    eventsOf: async (tenant, id) => (await events(tenant, id)).map((row) => row.event.replace("email.", "")),
    data: async (tenant, id) =>
      (await events(tenant, id)).map((row) => (JSON.parse(row.body.toString()) as { data: Record<string, unknown> }).data),
  };
}
