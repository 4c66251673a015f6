import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackReport, CallbackVerdict, RawCallback } from "#gateways/index.ts";

export function sign(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

export function verifySigned(secret: string, { headers, body }: RawCallback): CallbackVerdict {
  const signature = headers["x-testpay-signature"];
  const text = body.toString();
  if (signature === undefined) return { ok: false, reason: "malformed" };
  if (!equal(signature, sign(secret, text))) return { ok: false, reason: "signature" };
  const { id, event, report } = JSON.parse(text) as { id: string; event: string; report: CallbackReport };
  if (report.kind === "payment" && report.payment.paidAt !== null) report.payment.paidAt = new Date(report.payment.paidAt);
  if (report.kind === "dispute") {
    const { occurredAt, refundedSince } = report.dispute;
    report.dispute.occurredAt = new Date(occurredAt);
    if (refundedSince !== undefined) report.dispute.refundedSince = new Date(refundedSince);
  }
  return { ok: true, dedupeKey: id, event, report };
}

export function hintOf({ body }: RawCallback) {
  try {
    const { account, reference } = JSON.parse(body.toString()) as { account?: unknown; reference?: unknown };
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return { account: text(account), keyId: null, reference: text(reference), providerId: null };
  } catch {
    return null;
  }
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
