import { emitAll, type NewEvent } from "#events/index.ts";
import { historyOf, type MessageError, type Place, queueStates } from "#messaging/index.ts";
import { type Ctx, ownProject, pipeline, type Tenant, type Tx, updatePlanning } from "#platform/index.ts";
import { type EmailChange, emailEvent } from "../email-events.ts";
import {
  bundlesOf,
  type EmailKey,
  listRecipientsOf,
  lockEmails,
  type RecipientChange,
  updateEmails,
  updateRecipients,
  updateSealedBodies,
} from "../rows.sql.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import { aggregateStatus, type EmailStatus, emailStates, messageMoves } from "../states.ts";

/** Statuses that emit no event: `sending`, and the return to `queued`. */
const quiet: ReadonlySet<EmailStatus> = new Set(["sending", "delivery_delayed"]);

/** Events of a change in addition to recipients' new states. */
export interface Extra {
  /** Emitted even if the message's status doesn't change. */
  event?: EmailChange;
  /** Added to the event of the message's status change. */
  with?: Pick<EmailChange, "recipient" | "bounce">;
}

type Change = (held: EmailBundle, changed: (row: RecipientRow, to: Partial<RecipientChange>) => void) => Extra | null;

/**
 * The only way in which accepted messages change: locks each with its recipients, lets `change` move recipients, derives the message's own
 * status, and emits events. `change` returns null to leave a message unchanged. Returns the messages as they are afterwards; throws if a
 * recipient can't move as `change` decided.
 */
export async function changeEmails(tx: Tx, ctx: Ctx, given: { keys: EmailKey[]; change: Change }): Promise<EmailBundle[]> {
  if (given.keys.length === 0) return [];
  const [, emails, recipients] = await pipeline(tx, (pipe) => [
    updatePlanning(pipe),
    lockEmails(pipe, given.keys),
    listRecipientsOf(pipe, given.keys),
  ]);
  const held = bundlesOf(emails, recipients);
  const moved: RecipientChange[] = [];
  let copies = 0;
  const emitted: (NewEvent & { tenant: Tenant })[] = [];
  const written: EmailBundle[] = [];
  for (const bundle of held) {
    const touched: RecipientChange[] = [];
    const extra = given.change(bundle, (row, to) => {
      queueStates.check([row.state], to.state ?? row.state);
      Object.assign(row, to, { updated_at: ctx.now() });
      touched.push({ sequel: null, sequel_at: null, ...row });
    });
    if (extra === null) continue;
    moved.push(...touched);
    copies += new Set(touched.map(({ position }) => position)).size;
    emitted.push(...concludeEmail(bundle, extra, ctx.now()));
    written.push(bundle);
  }
  const [moves] = await pipeline(tx, (pipe) => [
    updateRecipients(pipe, moved, emailStates.moves),
    updateEmails(
      pipe,
      written.map(({ email }) => email),
      messageMoves,
    ),
    emitAll(pipe, ctx, emitted),
  ]);
  // Otherwise the message, its events and its response would say what isn't stored.
  if (moves !== copies) throw new Error(`of ${copies} recipients, only ${moves} could change as decided`);
  await dropSecrets(tx, written);
  return held;
}

/**
 * Secret texts, such as the link of a password reset or a code, aren't needed after sending. While no email can be sent, operators read
 * links and pass them on.
 */
async function dropSecrets(tx: Tx, bundles: EmailBundle[]): Promise<void> {
  const done = bundles.filter(({ recipients }) => recipients.every(({ state }) => state === "done")).map(({ email }) => email);
  const over = done.filter(({ project_id, secret, provider }) => (project_id === ownProject.project_id ? provider !== "outbox" : secret));
  if (over.length > 0) await updateSealedBodies(tx, over);
}

/** Derives the message's status from its recipients' and returns the events to emit. */
function concludeEmail(bundle: EmailBundle, extra: Extra, now: Date): (NewEvent & { tenant: Tenant })[] {
  const { email, recipients } = bundle;
  const previous_status = email.status;
  const status = aggregateStatus(recipients.map((row) => row.status));
  const history = historyOf(email, now);
  const events: { emitted: EmailChange; place: Place }[] = [];
  const emit = (emitted: EmailChange) => void events.push({ emitted, place: history.next(emitted.event) });
  email.status = status;
  email.updated_at = now;
  if (status !== previous_status) email.version += 1;
  const earliest = (name: "sent_at" | "delivered_at") => recipients.map((row) => row[name]).find((at) => at !== null) ?? null;
  email.sent_at ??= earliest("sent_at");
  email.delivered_at ??= earliest("delivered_at");
  if (status === "bounced" || status === "failed") email.error ??= errorOf(recipients.find((row) => row.status === status));
  if (status !== previous_status && !quiet.has(status) && status !== "queued") emit({ event: status, ...ownPart(bundle, extra) });
  else if (status === "queued" && previous_status === "scheduled") emit({ event: status });
  if (extra.event !== undefined) emit(extra.event);
  return events.map(({ emitted, place }) => emailEvent(bundle, emitted, place));
}

/**
 * A message ends with its last recipient, whose own result may differ from the message's. Then the event isn't about one recipient; it
 * contains all of them.
 */
function ownPart({ email, recipients }: EmailBundle, extra: Extra): Extra["with"] {
  const about = recipients.find((row) => row.id === extra.with?.recipient?.id);
  return about?.status === email.status ? extra.with : {};
}

/** Why a message failed, according to its first failed recipient. */
function errorOf(row: RecipientRow | undefined): MessageError | null {
  if (row === undefined) return null;
  const subtype = row.bounce?.subtype ?? "general";
  const code = row.status === "failed" && subtype === "policy" ? "send_failed" : subtype;
  const sentence = subtype === "expired" ? "The email couldn't be delivered in time." : "The email couldn't be delivered.";
  return { code, message: row.diagnostic ?? sentence, provider_code: row.enhanced_code ?? row.smtp_code?.toString() ?? null };
}
