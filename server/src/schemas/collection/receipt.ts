import Type from "typebox";
import { channels, type ReceiptRow } from "#collection/index.ts";
import type { OrderNames, Suggestion } from "#orders/index.ts";
import { amountIn, amountOut, currencyIn, currencyOut, flag, idOf, instant, instantOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

export const receiptStatuses = ["unmatched", "matched", "linked", "ignored"] as const;
export type ReceiptShape = ReturnType<typeof showReceipt>;

const suggestion = Type.Object(
  {
    order_id: textOrNull("The order; null where it is another project's."),
    order_reference: textOrNull("The order's reference."),
    payment_session_id: textOrNull("Its payment; null where it is another project's."),
    fits: oneOf(
      ["code", "approved", "payable", "nominal"],
      "Why: its code is in the note, it was approved with this amount and has no receipt, this amount was asked for, or this is the order's own amount.",
    ),
    amount_minor: amountOut("What was asked for."),
    asked_at: instantOrNull("Since when it was asked for."),
    elsewhere: flag("It belongs to another project of the merchant that shares the account."),
  },
  { description: "A payment that the receipt may belong to." },
);

export const receiptSchema = shape("Receipt", "Word from a wallet that money came in.", {
  id: idOf("rcp", "The receipt's id."),
  object: oneOf(["receipt"], "Always `receipt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  channel: oneOf(channels, "The wallet."),
  currency: currencyOut("The currency."),
  amount_minor: amountOut("What came in, in minor units."),
  occurred_at: instant("When it came in."),
  external_id: textOrNull("The wallet's number of the transfer."),
  remark: textOrNull("The transfer's note."),
  payer_hint: textOrNull("What the wallet says of the payer."),
  source: oneOf(["listener", "statement", "manual"], "Who told of it."),
  status: oneOf(
    receiptStatuses,
    "`matched`: it was booked, as a payment or as the exception that `exception_id` names. `linked`: it shows money that was told of already. `unmatched`: it waits for a person and is in no books. `ignored`: it is none of the shop's money.",
  ),
  payment_session_id: textOrNull("The payment that it belongs to; null too where that is another project's."),
  order_id: textOrNull("The order that its money paid, or is a part payment of."),
  order_reference: textOrNull("That order's reference."),
  exception_id: textOrNull("The exception that its money became and that waits for a person's decision or had it."),
  set_id: textOrNull("Receipts with this id were closed together with as many approved payments: each is one of these transfers, none is any order's own."),
  account_ref: text("The account that it came in on.", ["main"]),
  kind: textOrNull("The wallet's word for what kind of transfer it was."),
  state: oneOf(
    ["final", "unfinished", "refunded", "partly_refunded"],
    "Whether the money is there to stay, by the wallet's own word. What is not `final` never settles.",
  ),
  elsewhere: flag("It belongs to a payment of another project of the merchant that shares the account."),
  decision_reason: textOrNull("Why it was ignored or unlinked."),
  suggestions: Type.Array(suggestion, { description: "While it waits: the payments it may belong to, the likeliest first." }),
  suggested_session_ids: Type.Optional(Type.Array(text("A payment's id."), { description: "The payments among `suggestions`." })),
  created_at: instant("When it was recorded."),
  updated_at: instant("When it was last changed."),
});

export const receiptIn = strict({
  channel: oneOf(channels, "The wallet."),
  amount_minor: amountIn("What came in, in minor units."),
  currency: Type.Optional(currencyIn("The currency; without it, the one that the channel takes.")),
  occurred_at: Type.Unsafe<string>({ type: "string", format: "date-time", description: "When it came in.", examples: ["2026-11-20T14:30:00.000Z"] }),
  external_id: Type.Optional(
    textOrNull("The wallet's number of the transfer. Sent again, the first receipt is answered.", { minLength: 1, maxLength: 64, pattern: "\\S" }),
  ),
  account_ref: Type.Optional(textOrNull("The account that it came in on, when it is not that of the project's code.", { minLength: 1, maxLength: 64 })),
  kind: Type.Optional(textOrNull("The wallet's word for what kind of transfer it was.", { maxLength: 64 })),
  remark: Type.Optional(textOrNull("The transfer's note.", { maxLength: 200 })),
  payer_hint: Type.Optional(textOrNull("What the wallet says of the payer.", { maxLength: 200 })),
  source: Type.Optional(oneOf(["listener", "manual"], "A key's is `listener`, a signed-in person's `manual`; anything else is refused.")),
});

/** A receipt as its own project sees it: of another project's payments and orders, it only says that they are elsewhere. */
export function showReceipt(row: ReceiptRow, suggested: readonly Suggestion[], names: OrderNames) {
  const { id, project_id, livemode, channel, currency, amount_minor, occurred_at, external_id, remark, payer_hint, source, status } = row;
  const isForeignCase = row.exception_id !== null && !names.exceptions.has(row.exception_id);
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
    set_id: row.set_id,
    account_ref: row.account_ref,
    kind: row.kind,
    state: row.state,
    elsewhere,
    decision_reason: row.decision_reason,
    suggestions,
    ...(sessions.length === 0 ? {} : { suggested_session_ids: sessions }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
