import type { Objects } from "../../data/client.ts";
import type { Language } from "../../words/language.tsx";
import { reportedBy } from "./case-name.ts";
import type { exceptionWords } from "./exceptions.words.ts";

type Exception = Pick<Objects["PaymentException"], "kind" | "order_id" | "transaction_id"> & {
  detail?: Objects["PaymentException"]["detail"];
  /** The payment provider of the money; absent if it came in another way. */
  provider?: string | undefined;
};
type Words = (typeof exceptionWords)[Language];

/** `return`: the provider refunds it. `refund`: a person did. */
export type Choice = "accept" | "give" | "return" | "refund" | "ignore";

/** Why an exception about a refund was opened; null for one about inbound money. */
export function refundReasonOf({ detail }: Pick<Exception, "detail">): "refund_unknown" | "refunded_elsewhere" | null {
  const reason = (detail as { reason?: unknown } | undefined)?.reason;
  return reason === "refund_unknown" || reason === "refunded_elsewhere" ? reason : null;
}

/**
 * The possible decisions about an exception, and the effect of each; `status` is that of its own order, null while it is unknown or if
 * there isn't one.
 */
export function choicesOf(exception: Exception, status: string | null, words: Words): { value: Choice; label: string; text: string }[] {
  const { kind, order_id, provider } = exception;
  if (refundReasonOf(exception) !== null) return [{ value: "ignore", label: words.ignore, text: words.ignoreRefund }];
  // It has no money to assign.
  if (reportedBy(exception, words) !== null) return [{ value: "ignore", label: words.ignore, text: words.ignoreReported }];
  const counted = kind === "underpaid" || kind === "overpaid";
  const payable = order_id !== null && status !== "canceled";
  const give = { value: "give" as const, label: order_id === null ? words.give : words.giveOther, text: words.giveText };
  return [
    ...(payable ? [{ value: "accept" as const, label: words.accept, text: acceptText(exception, status, words) }] : []),
    // Money that counts toward its own order can't be assigned to another one.
    ...(counted ? [] : [give]),
    // Money that isn't in the books can't be removed from them.
    ...(exception.transaction_id === null || provider === undefined
      ? []
      : [
          {
            value: "return" as const,
            label: words.refundThrough(provider),
            text: kind === "underpaid" ? words.refundThroughPart : words.refundThroughText,
          },
        ]),
    ...(exception.transaction_id === null ? [] : [{ value: "refund" as const, label: words.refund, text: refundText(exception, words) }]),
    { value: "ignore", label: words.ignore, text: ignoreText(exception, words) },
  ];
}

function acceptText({ kind, transaction_id }: Exception, status: string | null, words: Words): string {
  if (kind === "overpaid") return words.acceptOver;
  if (status === "paid") return words.acceptPaid;
  if (kind === "underpaid") return words.acceptShortOrder;
  return transaction_id === null ? words.acceptUnbooked : words.acceptText;
}

function refundText({ kind }: Exception, words: Words): string {
  return kind === "underpaid" ? words.refundPart : words.refundText;
}

function ignoreText({ kind, transaction_id }: Exception, words: Words): string {
  if (transaction_id === null) return words.ignoreUnbooked;
  return kind === "underpaid" ? words.ignorePart : words.ignoreText;
}
