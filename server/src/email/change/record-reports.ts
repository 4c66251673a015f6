import { addSuppression } from "#messaging/index.ts";
import { type Ctx, canonicalAddress } from "#platform/index.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { findEmailKey } from "../rows.sql.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import { aggregateStatus } from "../states.ts";
import type { BounceKind } from "../transport.ts";
import { changeEmails, type Extra } from "./change-emails.ts";
import { bounceOf } from "./end-recipient.ts";

export interface BounceReport {
  /** The copy that the report is about. */
  recipient_id: string;
  kind: "failed" | "delayed" | "delivered";
  bounce?: BounceKind | null;
  /** The mailbox does not exist: nothing more may go there. */
  suppress?: boolean;
  /** The mailbox that failed, as the report names it; without it, the copy's own. */
  mailbox?: string | null;
  smtp_code?: number | null;
  enhanced_code?: string | null;
  diagnostic?: string | null;
}

/**
 * What became of a report. `sending`: its copy is on its way at this moment, so nothing was stored and the report must come again. `missing`: no such copy.
 */
export type Recorded = "applied" | "unchanged" | "sending" | "missing";

/** Takes in what a mail server reports after it had taken a message. Repeats, and reports that contradict what is known for certain, change nothing. */
export async function recordBounce(ctx: Ctx, report: BounceReport): Promise<Recorded> {
  return withCopy(ctx, report.recipient_id, (row) => {
    const answer = { smtp_code: report.smtp_code ?? null, enhanced_code: report.enhanced_code ?? null, diagnostic: report.diagnostic?.slice(0, 1000) ?? null };
    const told = { ...row, ...answer };
    if (report.kind === "delivered") {
      return isOpen(row)
        ? { to: { status: "delivered", state: "done", delivered_at: ctx.now(), sent_at: row.sent_at ?? ctx.now(), ...answer }, extra: {} }
        : null;
    }
    if (report.kind === "delayed") return delayed(ctx, row, answer);
    const suppress = report.suppress === true && isMailboxOf(row, report.mailbox ?? null) ? ("bounce" as const) : null;
    if (!isOpen(row) && row.status !== "delivered") return row.status === "bounced" ? null : { to: null, suppress };
    const bounce = report.bounce ?? { type: "permanent", subtype: "general" };
    const about = { recipient: told, bounce: bounceOf(answer, bounce) };
    return { to: { ...answer, bounce, status: "bounced", state: "done" }, extra: { with: about }, late: { event: "bounced", ...about }, suppress };
  });
}

/**
 * Whether the mailbox that failed is the recipient's own: behind an address may be a list, of whose members one is gone while the others read on. Servers
 * that keep a mailbox under another domain leave its name as it is.
 */
function isMailboxOf({ address }: RecipientRow, mailbox: string | null): boolean {
  if (mailbox === null) return true;
  const [own, failed] = [canonicalAddress(address), canonicalAddress(mailbox)];
  return own.slice(0, own.lastIndexOf("@")) === failed.slice(0, failed.lastIndexOf("@"));
}

/** A recipient called the message unwanted: suppressed at once, whatever became of the message. Repeats change nothing. */
export async function recordComplaint(ctx: Ctx, { recipient_id }: { recipient_id: string }): Promise<Recorded> {
  return withCopy(ctx, recipient_id, (row) => {
    if (!isOpen(row) && row.status !== "delivered") return row.status === "complained" ? null : { to: null, suppress: "complaint" };
    const about = { recipient: { ...row } };
    return { to: { status: "complained", state: "done" }, extra: { with: about }, late: { event: "complained", ...about }, suppress: "complaint" };
  });
}

interface Reported {
  /** null: the copy stays as it is, and only its address is suppressed. */
  to: Partial<RecipientRow> | null;
  extra?: Extra;
  /** Told when the message's own status stays as it was. */
  late?: NonNullable<Extra["event"]>;
  /** A delay, told once a message. */
  delayed?: RecipientRow;
  suppress?: "bounce" | "complaint" | null;
}

/**
 * The message may have been delivered, and its end isn't known: a relay accepted it, or the response was lost, or the worker that sent it
 * was.
 */
function isOpen({ status }: RecipientRow): boolean {
  return status === "sent" || status === "delivery_delayed" || status === "sending";
}

/** A server that reports a delay has the message. Where its answer was lost this is the proof that it was taken, so that it is not sent again. */
function delayed(ctx: Ctx, row: RecipientRow, answer: Partial<RecipientRow>): Reported | null {
  const isUnknown = row.status === "sending" || (row.status === "delivery_delayed" && row.bounce === null);
  if (row.status !== "sent" && !isUnknown) return null;
  const taken: Partial<RecipientRow> = isUnknown ? { status: "sent", state: "done", sent_at: ctx.now() } : {};
  return { to: { ...answer, ...taken }, delayed: { ...row, ...answer } };
}

/** Runs one report against its copy. A copy that a worker holds may be any of several things by the time that the worker is done: its report has to wait. */
async function withCopy(ctx: Ctx, recipientId: string, decide: (row: RecipientRow) => Reported | null): Promise<Recorded> {
  const key = await findEmailKey(ctx.db, { recipient_id: recipientId });
  if (key === null) return "missing";
  return ctx.transact(async (tx) => {
    let recorded: Recorded = "unchanged";
    const suppress: { address: string; reason: "bounce" | "complaint" }[] = [];
    await changeEmails(tx, ctx, {
      keys: [key],
      change: (bundle, changed) => {
        const row = bundle.recipients.find((one) => one.id === recipientId);
        if (row === undefined) return null;
        if (row.state === "leased") recorded = "sending";
        // Nothing left under this return address: the report cannot be true.
        if (row.state === "leased" || row.attempts === 0) return null;
        const reported = decide(row);
        if (reported?.suppress != null) suppress.push({ address: row.address, reason: reported.suppress });
        const extra = reported === null ? null : applyTo(bundle, { row, reported, changed });
        if (extra !== null) recorded = "applied";
        return extra;
      },
    });
    const tenant = { project_id: key.project_id, livemode: key.livemode };
    for (const { address, reason } of suppress) {
      const added = await addSuppression(tx, ctx, { tenant, channel: emailChannel, address, reason, source_id: key.id });
      if (added.changed) recorded = "applied";
    }
    return recorded;
  });
}

interface Applying {
  row: RecipientRow;
  reported: Reported;
  changed: (row: RecipientRow, to: Partial<RecipientRow>) => void;
}

function applyTo({ email, recipients }: EmailBundle, { row, reported, changed }: Applying): Extra | null {
  if (reported.to === null) return null;
  const isNews = reported.delayed !== undefined && !email.delay_told;
  if (reported.delayed !== undefined && !isNews && reported.to.status === undefined) return null;
  if (isNews) email.delay_told = true;
  changed(row, reported.to);
  if (reported.delayed !== undefined) return isNews ? { event: { event: "delivery_delayed", recipient: reported.delayed } } : {};
  const extra = reported.extra ?? {};
  return recipients.length === 1 || reported.late === undefined ? extra : lateExtra(email.status, { recipients, late: reported.late, extra });
}

/** For a message with several recipients, one recipient's report emits its own event unless it changes the message's status. */
function lateExtra(
  status: EmailBundle["email"]["status"],
  { recipients, late, extra }: { recipients: RecipientRow[]; late: NonNullable<Reported["late"]>; extra: Extra },
): Extra {
  return aggregateStatus(recipients.map((row) => row.status)) === status ? { event: late } : extra;
}
