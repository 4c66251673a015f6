import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { createEmail, type EmailInput, type EmailTransport, findEmail } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { drainMs, newEmail } from "#test/support/mail/mail.ts";
import { requirePrograms } from "./debian-programs.ts";
import type { Postfix } from "./postfix.ts";

/** Throws with what to install if something is missing. */
export function requireMailPrograms(): void {
  requirePrograms("/usr/sbin/postfix", "/usr/sbin/smtp-sink", "/usr/sbin/opendkim");
}

/** One attempt of whatever is due. */
export async function attempt(ctx: Ctx, live: EmailTransport): Promise<void> {
  await releaseScheduled(ctx);
  const sender = createEmailSender({ transports: { live, test: createSimulator() }, drainMs });
  await sender.run(ctx);
  await sender.finish(ctx);
}

export interface SentMail {
  id: string;
  message_id: string;
  status(): Promise<string>;
  recipient(): Promise<Awaited<ReturnType<typeof findEmail>>["recipients"][number] | undefined>;
}

/** Sends one message through the whole of messaging, to the end of one attempt. */
export async function sendOne(
  given: { ctx: Ctx; shop: Tenant; live: EmailTransport },
  to: string,
  more: Partial<EmailInput> = {},
): Promise<SentMail> {
  const { ctx, shop, live } = given;
  const { email } = await createEmail(ctx, shop, { tier: "pro", email: newEmail({ to, ...more }) });
  const look = () => findEmail(ctx, shop, email.id);
  await attempt(ctx, live);
  return {
    id: email.id,
    message_id: email.message_id,
    status: async () => (await look()).email.status,
    recipient: async () => (await look()).recipients[0],
  };
}

/** The emails in one of a Postfix's mailboxes. */
export function mailsIn(postfix: Postfix, box: string): string[] {
  const folder = join(postfix.folder, "mail", box, "new");
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
}

/** Waits until a condition is true; shows a Postfix's log if it never is. */
export async function until(what: () => Promise<boolean> | boolean, postfix?: Postfix): Promise<void> {
  for (const end = performance.now() + 30_000; !(await what()); await sleep(50))
    if (performance.now() > end) throw new Error(`it did not come about:\n${postfix?.log() ?? ""}`);
}
