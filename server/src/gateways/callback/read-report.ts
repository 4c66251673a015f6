import type { CallbackReport } from "../callback-port.ts";

/** The content of a stored callback, with its times parsed. */
export function readReport(report: CallbackReport): CallbackReport {
  if (report.kind === "payment") return { ...report, payment: { ...report.payment, paidAt: momentOf(report.payment.paidAt) } };
  if (report.kind === "dispute") {
    const { occurredAt, refundedSince } = report.dispute;
    const since = refundedSince === undefined ? {} : { refundedSince: new Date(refundedSince) };
    return { ...report, dispute: { ...report.dispute, occurredAt: new Date(occurredAt), ...since } };
  }
  return report;
}

function momentOf(stored: Date | string | null): Date | null {
  return stored === null ? null : new Date(stored);
}
