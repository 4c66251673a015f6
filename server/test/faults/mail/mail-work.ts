import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { addressPolicy, openDatabase } from "#platform/index.ts";
import { createMxTransport } from "#providers/email/smtp/mx/create-mx-transport.ts";
import type { MailDns } from "#providers/email/smtp/mx/mail-dns.ts";
import { contextOn } from "#test/support/app/context.ts";
import { startWorkers } from "#workers/start-workers.ts";

/** Settings of a worker that will be killed. */
export interface MailWorkerPlan {
  url: string;
  /** Its EHLO name. */
  hello: string;
  /** Where every domain's email goes. */
  port: number;
  leaseMs: number;
  /** The maximum number of concurrent emails. */
  inProgress: number;
}

const nowhere = async () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENODATA" }));
const dns: MailDns = {
  mx: async (domain) => [{ priority: 10, exchange: `mx.${domain}` }],
  addresses: async () => ["127.0.0.1"],
  txt: nowhere,
};

/** Sends a database's emails to one server until it is stopped. */
export function startMailWork({ url, hello, port, leaseMs, inProgress }: MailWorkerPlan): { stop(): Promise<void> } {
  const database = openDatabase({ url, max: 4, applicationName: "tillpost-mail-worker" });
  const files = { put: nowhere, get: async () => null, remove: nowhere };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const admits = addressPolicy(["127.0.0.0/8"]);
  const live = createMxTransport({ hello, now: ctx.now, dns, fetchText: async () => null, admits, port, concurrency: inProgress });
  const sender = createEmailSender({ transports: { live, test: createSimulator() }, leaseMs });
  const workers = startWorkers(ctx, undefined, [
    { name: "send_emails", everyMs: 100, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "release_emails", everyMs: 300, run: releaseScheduled },
    { name: "revive_emails", everyMs: 500, run: reviveEmails },
  ]);
  return {
    async stop() {
      await workers.stop();
      await live.close();
      await database.close();
    },
  };
}
