import type { CallbackReport } from "../callback-port.ts";

/** The content of a stored callback, with its times parsed. */
export function readReport(told: CallbackReport): CallbackReport {
  if (told.kind === "payment") return { ...told, payment: { ...told.payment, paidAt: momentOf(told.payment.paidAt) } };
  if (told.kind === "dispute") return { ...told, dispute: { ...told.dispute, occurredAt: new Date(told.dispute.occurredAt) } };
  return told;
}

function momentOf(stored: Date | string | null): Date | null {
  return stored === null ? null : new Date(stored);
}
