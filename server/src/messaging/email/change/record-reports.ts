import type { Ctx } from "#platform/index.ts";
import { aggregateStatus } from "../../states.ts";
import { addSuppression } from "../../suppression/add-suppression.ts";
import { type EmailKey, findEmailKey } from "../rows.sql.ts";
import { bounceOf } from "../sending/judge-outcome.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import type { BounceKind } from "../transport.ts";
import { changeEmails, type Extra } from "./change-emails.ts";

/** Which copy a report is about: by the id in its return address, else by Message-ID and address (of a message to one recipient, by Message-ID alone). */
export interface CopyName {
  recipient_id?: string | null;
  message_id?: string | null;
  address?: string | null;
}

export interface BounceReport extends CopyName {
  kind: "failed" | "delayed" | "delivered";
  bounce?: BounceKind | null;
  /** The mailbox does not exist: nothing more may go there. */
  suppress?: boolean;
  smtp_code?: number | null;
  enhanced_code?: string | null;
  diagnostic?: string | null;
}

/**
 * Takes in what a mail server reports after it had taken a message. Repeats and reports that come too late change nothing. Answers the message, or
 * null when it is none of ours.
 */
export async function recordBounce(ctx: Ctx, report: BounceReport): Promise<EmailBundle | null> {
  return withCopy(ctx, report, (row) => {
    const answer = { smtp_code: report.smtp_code ?? null, enhanced_code: report.enhanced_code ?? null, diagnostic: report.diagnostic?.slice(0, 1000) ?? null };
    const told = { ...row, ...answer };
    if (report.kind === "delivered") {
      if (row.status !== "sent" && row.status !== "delivery_delayed") return null;
      return { to: { status: "delivered", state: "done", delivered_at: ctx.now(), ...answer }, extra: {} };
    }
    if (report.kind === "delayed") return row.status === "sent" ? { to: { ...answer }, extra: {}, delayed: told } : null;
    if (row.status !== "sent" && row.status !== "delivered") return null;
    const bounce = report.bounce ?? { type: "permanent", subtype: "general" };
    const about = { recipient: told, bounce: bounceOf(answer, bounce) };
    return {
      to: { ...answer, bounce, status: "bounced", state: "done" },
      extra: { with: about },
      late: { event: "bounced", ...about },
      suppress: report.suppress ? "bounce" : null,
    };
  });
}

/** A recipient called the message unwanted: suppressed at once. Repeats change nothing. Answers the message, or null when it is none of ours. */
export async function recordComplaint(ctx: Ctx, report: CopyName): Promise<EmailBundle | null> {
  return withCopy(ctx, report, (row) => {
    if (row.status !== "sent" && row.status !== "delivered" && row.status !== "delivery_delayed") return null;
    const about = { recipient: { ...row } };
    return { to: { status: "complained", state: "done" }, extra: { with: about }, late: { event: "complained", ...about }, suppress: "complaint" };
  });
}

interface Reported {
  to: Partial<RecipientRow>;
  extra: Extra;
  /** Told when the message's own status stays as it was. */
  late?: NonNullable<Extra["event"]>;
  /** A delay, told once a message. */
  delayed?: RecipientRow;
  suppress?: "bounce" | "complaint" | null;
}

async function withCopy(ctx: Ctx, name: CopyName, judge: (row: RecipientRow) => Reported | null): Promise<EmailBundle | null> {
  const key = await keyOf(ctx, name);
  if (key === null) return null;
  return ctx.transact(async (tx) => {
    const suppress: { address: string; reason: "bounce" | "complaint" }[] = [];
    const [bundle] = await changeEmails(tx, ctx, {
      keys: [key],
      change: ({ email, recipients }, changed) => {
        const row = rowOf(recipients, name);
        const reported = row === null ? null : judge(row);
        if (row === null || reported === null) return null;
        if (reported.suppress != null) suppress.push({ address: row.address, reason: reported.suppress });
        if (reported.delayed !== undefined && email.delay_told) return null;
        if (reported.delayed !== undefined) email.delay_told = true;
        changed(row, reported.to);
        if (reported.delayed !== undefined) return { event: { event: "delivery_delayed", recipient: reported.delayed } };
        return recipients.length === 1 || reported.late === undefined ? reported.extra : lateExtra(email.status, { recipients, reported });
      },
    });
    const tenant = { project_id: key.project_id, livemode: key.livemode };
    for (const { address, reason } of suppress) await addSuppression(tx, ctx, { tenant, channel: "email", address, reason, source_id: key.id });
    return bundle ?? null;
  });
}

/** Of a message to several, one recipient's report is told by itself unless it changes what the whole message has come to. */
function lateExtra(status: EmailBundle["email"]["status"], { recipients, reported }: { recipients: RecipientRow[]; reported: Reported }): Extra {
  const stays = aggregateStatus(recipients.map((row) => row.status)) === status;
  return stays && reported.late !== undefined ? { event: reported.late } : reported.extra;
}

async function keyOf(ctx: Ctx, { recipient_id, message_id }: CopyName): Promise<EmailKey | null> {
  const byRecipient = recipient_id == null ? null : await findEmailKey(ctx.db, { recipient_id });
  if (byRecipient !== null || message_id == null) return byRecipient;
  return findEmailKey(ctx.db, { message_id });
}

function rowOf(recipients: RecipientRow[], { recipient_id, address }: CopyName): RecipientRow | null {
  const byId = recipients.find((row) => row.id === recipient_id);
  if (byId !== undefined) return byId;
  if (recipients.length === 1) return recipients[0] ?? null;
  return recipients.find((row) => row.address.toLowerCase() === address?.toLowerCase()) ?? null;
}
