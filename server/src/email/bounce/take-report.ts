import type { Ctx } from "#platform/index.ts";
import { type BounceReport, type Recorded, recordBounce, recordComplaint } from "../change/record-reports.ts";
import { listRecipients } from "../rows.sql.ts";
import type { BounceKind } from "../transport.ts";
import { readUnsubscribeToken } from "../unsubscribe/unsubscribe-token.ts";
import { classifyAnswer } from "./classify-answer.ts";
import type { InboundMessage, Report } from "./read-report.ts";
import { readReportApart } from "./read-report-apart.ts";
import type { ReportedRecipient } from "./reported.ts";
import { readReturnPath } from "./return-path.ts";

/** A returned email: what it says, and its result. `ignored`: it isn't about one of our copies, or says nothing about delivery. */
export interface TakenReport {
  says: "bounce" | "delay" | "delivery" | "complaint" | "other";
  result: Recorded | "ignored";
  /** The message that it claims to be about. Not trusted: anyone may have written that. */
  message_id: string | null;
  /** What a person wrote, if it is neither a report nor a complaint. */
  message: InboundMessage | null;
}

/**
 * Processes a returned email: sent to a recipient's return address or, without `recipient_id`, to an address for complaints. In that case
 * the message that the complaint is about must have a return address or an unsubscribe token of ours. Unless the result is `sending`, what
 * the email says is stored when this returns.
 */
export async function takeReport(ctx: Ctx, { recipient_id, raw }: { recipient_id: string | null; raw: Buffer }): Promise<TakenReport> {
  const report = await readReportApart(raw);
  return {
    ...(await takeRead(ctx, recipient_id, report)),
    message_id: report.message_id,
    message: report.kind === "other" ? report.message : null,
  };
}

type Taken = Pick<TakenReport, "says" | "result">;

async function takeRead(ctx: Ctx, recipient_id: string | null, report: Report): Promise<Taken> {
  if (report.kind === "arf") return takeComplaint(ctx, recipient_id, report);
  // One copy has one recipient: of several groups the most severe one counts; the others are aliases or members of it.
  const worst =
    report.kind === "dsn" ? report.recipients.toSorted((left, right) => gravity[right.action] - gravity[left.action])[0] : undefined;
  if (worst === undefined) return { says: "other", result: "ignored" };
  const result = recipient_id === null ? "ignored" : await recordBounce(ctx, { recipient_id, ...bounceReportOf(worst) });
  return { says: worst.action === "failed" ? "bounce" : worst.action === "delayed" ? "delay" : "delivery", result };
}

const gravity = { failed: 2, delayed: 1, delivered: 0 } as const;

/** What a person does who doesn't want the message. Other reports say how it was received, such as a failed authentication or a virus. */
const complaints: ReadonlySet<string> = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

/**
 * Only our signature identifies the recipient that a complaint is about: anyone may know a Message-ID, or write an address into a report.
 */
async function takeComplaint(ctx: Ctx, recipientId: string | null, report: Report & { kind: "arf" }): Promise<Taken> {
  if (!complaints.has(report.feedback_type)) return { says: "other", result: "ignored" };
  const named =
    recipientId ??
    report.return_paths.map((path) => readReturnPath(ctx.masterKeys, path)).find((id) => id !== null) ??
    (await byToken(ctx, report));
  return { says: "complaint", result: named === null ? "ignored" : await recordComplaint(ctx, { recipient_id: named }) };
}

async function byToken(ctx: Ctx, { unsubscribe_token }: Report & { kind: "arf" }): Promise<string | null> {
  const read = unsubscribe_token === null ? null : readUnsubscribeToken(ctx, unsubscribe_token);
  if (read === null) return null;
  const recipients = await listRecipients(ctx.db, read.tenant, [read.email_id]);
  return recipients.find(({ address }) => address.toLowerCase() === read.address.toLowerCase())?.id ?? null;
}

function bounceReportOf(recipient: ReportedRecipient): Omit<BounceReport, "recipient_id"> {
  const { action, smtp_code, enhanced_code, diagnostic } = recipient;
  const answer = { smtp_code, enhanced_code, diagnostic };
  if (action !== "failed") return { kind: action, ...answer };
  const verdict = classifyAnswer({ stage: "dsn", code: smtp_code, enhanced: enhanced_code, text: diagnostic ?? "" });
  return {
    kind: "failed",
    ...answer,
    bounce: bounceOf(verdict.bounce, enhanced_code),
    suppress: verdict.suppress,
    mailbox: recipient.final ?? recipient.address,
  };
}

/** If a server stopped trying, the failure is final even if its last response was temporary: then its time ran out. */
function bounceOf(kind: BounceKind, enhanced_code: string | null): BounceKind {
  if (kind.type === "permanent" || kind.subtype !== "general") return kind;
  return enhanced_code?.startsWith("5") === true ? { type: "permanent", subtype: "general" } : { type: "transient", subtype: "expired" };
}
