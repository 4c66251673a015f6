import type { Ctx } from "#platform/index.ts";
import { type BounceReport, recordBounce, recordComplaint } from "../change/record-reports.ts";
import type { BounceKind } from "../transport.ts";
import { classifyAnswer } from "./classify-answer.ts";
import { type ReportedRecipient, readReport } from "./read-report.ts";
import { readReturnPath } from "./return-path.ts";

/** What became of a mail that came back. `ignored`: it says nothing about delivery. */
export type TakenReport = "bounce" | "delay" | "delivery" | "complaint" | "ignored";

/**
 * Takes in a mail that came back: to a recipient's return address, or, without `recipient_id`, to the address for complaints, where the message that
 * is complained of must name itself. When it returns, what the mail says is stored.
 */
export async function takeReport(ctx: Ctx, { recipient_id, raw }: { recipient_id: string | null; raw: Buffer }): Promise<TakenReport> {
  const report = await readReport(raw);
  if (report.kind === "arf") {
    // Somebody took the message out of the unwanted mail again.
    if (report.feedback_type === "not-spam") return "ignored";
    const named = recipient_id ?? (report.return_path === null ? null : readReturnPath(ctx.masterKeys, report.return_path));
    const found = await recordComplaint(ctx, { recipient_id: named, message_id: report.message_id, address: report.address });
    return found === null ? "ignored" : "complaint";
  }
  // One copy, one recipient: of several groups the gravest is about it, the others are aliases of it.
  const told = report.kind === "dsn" ? report.recipients.toSorted((left, right) => gravity[right.action] - gravity[left.action])[0] : undefined;
  if (told === undefined || recipient_id === null) return "ignored";
  await recordBounce(ctx, { recipient_id, message_id: report.message_id, address: told.address, ...bounceReportOf(told) });
  return told.action === "failed" ? "bounce" : told.action === "delayed" ? "delay" : "delivery";
}

const gravity = { failed: 2, delayed: 1, delivered: 0 } as const;

function bounceReportOf(told: ReportedRecipient): Omit<BounceReport, "recipient_id"> {
  const { action, smtp_code, enhanced_code, diagnostic } = told;
  const answer = { smtp_code, enhanced_code, diagnostic };
  if (action !== "failed") return { kind: action, ...answer };
  const verdict = classifyAnswer({ stage: "dsn", code: smtp_code, enhanced: enhanced_code, text: diagnostic ?? "" });
  return { kind: "failed", ...answer, bounce: bounceOf(verdict.bounce, enhanced_code), suppress: verdict.suppress };
}

/** A server that gave up has given up, whatever the last answer was worth: temporary ones mean that its time ran out. */
function bounceOf(kind: BounceKind, enhanced_code: string | null): BounceKind {
  if (kind.type === "permanent" || kind.subtype !== "general") return kind;
  return enhanced_code?.startsWith("5") === true ? { type: "permanent", subtype: "general" } : { type: "transient", subtype: "expired" };
}
