import { addSuppression } from "#messaging/index.ts";
import { type Ctx, canonicalAddress, storable } from "#platform/index.ts";
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
  /** The mailbox doesn't exist: nothing more may be sent to it. */
  suppress?: boolean;
  /** The mailbox that failed, as the report identifies it; if absent, the copy's own. */
  mailbox?: string | null;
  smtp_code?: number | null;
  enhanced_code?: string | null;
  diagnostic?: string | null;
}

/**
 * The result of a report. `sending`: its copy is being sent right now, so nothing was stored and the report must be delivered again.
 * `missing`: there is no such copy.
 */
export type Recorded = "applied" | "unchanged" | "sending" | "missing";

/**
 * Records what a mail server reports after it accepted a message. Repeated reports, and reports that contradict what is certain, change
 * nothing.
 */
export async function recordBounce(ctx: Ctx, report: BounceReport): Promise<Recorded> {
  return withCopy(ctx, report.recipient_id, (row) => {
    const answer = {
      smtp_code: report.smtp_code ?? null,
      enhanced_code: report.enhanced_code ?? null,
      diagnostic: storable(report.diagnostic?.slice(0, 1000) ?? null),
    };
    const updated = { ...row, ...answer };
    if (report.kind === "delivered") {
      return isOpen(row)
        ? { to: { status: "delivered", state: "done", delivered_at: ctx.now(), sent_at: row.sent_at ?? ctx.now(), ...answer }, extra: {} }
        : null;
    }
    if (report.kind === "delayed") return delayed(ctx, row, answer);
    const suppress = report.suppress === true && isMailboxOf(row, report.mailbox ?? null) ? ("bounce" as const) : null;
    if (!isOpen(row) && row.status !== "delivered") return row.status === "bounced" ? null : { to: null, suppress };
    const bounce = report.bounce ?? { type: "permanent", subtype: "general" };
    const about = { recipient: updated, bounce: bounceOf(answer, bounce) };
    return {
      to: { ...answer, bounce, status: "bounced", state: "done" },
      extra: { with: about },
      late: { event: "bounced", ...about },
      suppress,
    };
  });
}

/**
 * True if the mailbox that failed is the recipient's own. An address may be a list with one dead member, while the others still read it.
 * Servers that store a mailbox under another domain leave its local part as it is.
 */
function isMailboxOf({ address }: RecipientRow, mailbox: string | null): boolean {
  if (mailbox === null) return true;
  const [own, failed] = [canonicalAddress(address), canonicalAddress(mailbox)];
  return own.slice(0, own.lastIndexOf("@")) === failed.slice(0, failed.lastIndexOf("@"));
}

/**
 * Records that a recipient marked the message as spam: the address is suppressed immediately, whatever the message's status. Repeats change
 * nothing.
 */
export async function recordComplaint(ctx: Ctx, { recipient_id }: { recipient_id: string }): Promise<Recorded> {
  return withCopy(ctx, recipient_id, (row) => {
    if (!isOpen(row) && row.status !== "delivered") return row.status === "complained" ? null : { to: null, suppress: "complaint" };
    const about = { recipient: { ...row } };
    return {
      to: { status: "complained", state: "done" },
      extra: { with: about },
      late: { event: "complained", ...about },
      suppress: "complaint",
    };
  });
}

interface Reported {
  /** null: the copy doesn't change; only its address is suppressed. */
  to: Partial<RecipientRow> | null;
  extra?: Extra;
  /** Emitted if the message's own status didn't change. */
  late?: NonNullable<Extra["event"]>;
  /** A delay, reported once per message. */
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

/** A server that reports a delay has the message. If its response was lost, this proves that it accepted it, so it isn't sent again. */
function delayed(ctx: Ctx, row: RecipientRow, answer: Partial<RecipientRow>): Reported | null {
  const isUnknown = row.status === "sending" || (row.status === "delivery_delayed" && row.bounce === null);
  if (row.status !== "sent" && !isUnknown) return null;
  const taken: Partial<RecipientRow> = isUnknown ? { status: "sent", state: "done", sent_at: ctx.now() } : {};
  return { to: { ...answer, ...taken }, delayed: { ...row, ...answer } };
}

/** Applies one report to its copy. While a worker is sending a copy, its result isn't known yet, so the report has to wait. */
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
        // Nothing was sent with this return address, so the report can't be true.
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
  return recipients.length === 1 || reported.late === undefined
    ? extra
    : lateExtra(email.status, { recipients, late: reported.late, extra });
}

/** For a message with several recipients, one recipient's report emits its own event unless it changes the message's status. */
function lateExtra(
  status: EmailBundle["email"]["status"],
  { recipients, late, extra }: { recipients: RecipientRow[]; late: NonNullable<Reported["late"]>; extra: Extra },
): Extra {
  return aggregateStatus(recipients.map((row) => row.status)) === status ? { event: late } : extra;
}
