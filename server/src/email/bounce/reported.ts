/** What a report says of one recipient. */
export interface ReportedRecipient {
  /** Lower case; null: the report does not say. */
  address: string | null;
  /** The final mailbox, if it has another address: a member of a list, or a forwarding target. */
  final?: string;
  action: "failed" | "delayed" | "delivered";
  enhanced_code: string | null;
  smtp_code: number | null;
  diagnostic: string | null;
  /** The server that said so. */
  remote: string | null;
}

const longestDiagnostic = 1_000;

/** What is kept of a server's words: one line, not too long. */
export function kept(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("\u0000", "").trim().slice(0, longestDiagnostic).toWellFormed();
}
