/** What a report says about one recipient. */
export interface ReportedRecipient {
  /** In lower case; null if the report doesn't say. */
  address: string | null;
  /** The final mailbox, if it has another address: a member of a list, or a forwarding target. */
  final?: string;
  action: "failed" | "delayed" | "delivered";
  enhanced_code: string | null;
  smtp_code: number | null;
  diagnostic: string | null;
  /** The server that reported it. */
  remote: string | null;
}

const longestDiagnostic = 1_000;

/** A server's response as it is stored: on one line, truncated. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("\u0000", "").trim().slice(0, longestDiagnostic).toWellFormed();
}
