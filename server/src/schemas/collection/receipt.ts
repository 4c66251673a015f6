import Type from "typebox";
import { channels, type ReceiptRow } from "#collection/index.ts";
import type { OrderNames, Suggestion } from "#reconciliation/index.ts";
import {
  amountIn,
  amountOut,
  currencyIn,
  currencyOut,
  flag,
  idOf,
  instant,
  instantOrNull,
  oneOf,
  shape,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";

export const receiptStatuses = ["unmatched", "matched", "linked", "ignored"] as const;
export type ReceiptShape = ReturnType<typeof showReceipt>;
type ExceptionStatus = "open" | "resolved";

const suggestion = Type.Object(
  {
    order_id: textOrNull("The order; null if it's another project's."),
    order_reference: textOrNull("The order's reference."),
    payment_session_id: textOrNull("The payment; null if it's another project's."),
    fits: oneOf(
      ["code", "approved", "payable", "nominal"],
      "Why it fits: its code is in the note, it was approved with this amount and has no receipt, this amount was asked for, or this is the order's amount.",
    ),
    amount_minor: amountOut("The amount asked for."),
    asked_at: instantOrNull("When this amount was asked for."),
    elsewhere: flag("True if it belongs to another of the merchant's projects that shares the account."),
  },
  { description: "A payment the receipt may belong to." },
);

export const receiptSchema = shape("Receipt", "A record of money that arrived in a wallet.", {
  id: idOf("rcp", "The receipt's ID."),
  object: oneOf(["receipt"], "Always `receipt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  channel: oneOf(channels, "The wallet."),
  currency: currencyOut("The currency."),
  amount_minor: amountOut("The amount received, in minor units."),
  occurred_at: instant("When the money arrived."),
  external_id: textOrNull("The wallet's transfer number."),
  remark: textOrNull("The transfer's note."),
  payer_hint: textOrNull("What the wallet shows about the payer."),
  source: oneOf(["listener", "statement", "manual"], "Who reported it."),
  status: oneOf(
    receiptStatuses,
    "`matched`: it was booked, as a payment or as the exception in `exception_id`. `linked`: it shows money that was already reported. `unmatched`: it waits for a decision and isn't booked. `ignored`: it isn't money for your orders.",
  ),
  payment_session_id: textOrNull("The payment it belongs to; also null if that payment is another project's."),
  order_id: textOrNull("The order its money paid, in full or in part."),
  order_reference: textOrNull("That order's reference."),
  exception_id: textOrNull("The exception its money became, whether open or resolved."),
  exception_status: Type.Unsafe<ExceptionStatus | null>({
    type: ["string", "null"],
    enum: ["open", "resolved", null],
    description: "Whether that exception waits for a decision; null without one.",
    examples: [null],
  }),
  set_id: textOrNull(
    "Receipts with this ID were linked together to the same number of approved payments, without assigning each receipt to one order.",
  ),
  account_ref: text("The account it arrived in.", ["main"]),
  kind: textOrNull("The wallet's own transfer type."),
  state: oneOf(
    ["final", "unfinished", "refunded", "partly_refunded"],
    "Whether the money is final, according to the wallet. Receipts that aren't `final` never settle a payment.",
  ),
  elsewhere: flag("True if it belongs to a payment of another of the merchant's projects that shares the account."),
  can_unlink: flag(
    "Whether `unlink` undoes its outcome. False while it waits, and for money that paid an order or was decided on in its exception.",
  ),
  decision_reason: textOrNull("Why it was ignored or unlinked."),
  suggestions: Type.Array(suggestion, { description: "While it waits: the payments it may belong to, most likely first." }),
  suggested_session_ids: Type.Optional(Type.Array(text("A payment's ID."), { description: "The payments among `suggestions`." })),
  created_at: instant("When it was recorded."),
  updated_at: instant("When it was last updated."),
});

export const receiptIn = strict({
  channel: oneOf(channels, "The wallet."),
  amount_minor: amountIn("The amount received, in minor units."),
  currency: Type.Optional(currencyIn("The currency. Defaults to the channel's.")),
  occurred_at: Type.Unsafe<string>({
    type: "string",
    format: "date-time",
    description: "When the money arrived.",
    examples: ["2026-11-20T14:30:00.000Z"],
  }),
  external_id: Type.Optional(
    textOrNull("The wallet's transfer number. If it was already sent, the existing receipt is returned.", {
      minLength: 1,
      maxLength: 64,
      pattern: "\\S",
    }),
  ),
  account_ref: Type.Optional(
    textOrNull("The account it arrived in, if it isn't that of the project's code.", { minLength: 1, maxLength: 64 }),
  ),
  kind: Type.Optional(textOrNull("The wallet's own transfer type.", { maxLength: 64 })),
  remark: Type.Optional(textOrNull("The transfer's note.", { maxLength: 200 })),
  payer_hint: Type.Optional(textOrNull("What the wallet shows about the payer.", { maxLength: 200 })),
  source: Type.Optional(oneOf(["listener", "manual"], "`listener` for a key, `manual` for a signed-in person; anything else is refused.")),
});

/** A receipt as its own project sees it: of another project's payments and orders, it only says that they are elsewhere. */
export function showReceipt(row: ReceiptRow, suggested: readonly Suggestion[], names: OrderNames) {
  const { id, project_id, livemode, channel, currency, amount_minor, occurred_at, external_id, remark, payer_hint, source, status } = row;
  const own = names.exceptions.get(row.exception_id ?? "") ?? null;
  const isForeignCase = row.exception_id !== null && own === null;
  const elsewhere = isForeignCase || (row.booked_project_id !== null && row.booked_project_id !== project_id);
  const suggestions = suggested.map((one) => ({ ...one, order_reference: names.referenceOf.get(one.order_id ?? "") ?? null }));
  const order_id = elsewhere ? null : (names.orderOf.get(row.id) ?? null);
  const sessions = suggestions.flatMap((one) => one.payment_session_id ?? []);
  return {
    id,
    object: "receipt" as const,
    project_id,
    livemode,
    channel,
    currency,
    amount_minor,
    occurred_at,
    external_id,
    remark,
    payer_hint,
    source,
    status,
    payment_session_id: elsewhere ? null : row.payment_session_id,
    order_id,
    order_reference: names.referenceOf.get(order_id ?? "") ?? null,
    exception_id: elsewhere ? null : row.exception_id,
    exception_status: elsewhere ? null : (own?.status ?? null),
    set_id: row.set_id,
    account_ref: row.account_ref,
    kind: row.kind,
    state: row.state,
    elsewhere,
    can_unlink: status === "linked" || status === "ignored" || (status === "matched" && own?.isReleasable === true),
    decision_reason: row.decision_reason,
    suggestions,
    ...(sessions.length === 0 ? {} : { suggested_session_ids: sessions }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
