import Type from "typebox";
import { channels, type ReceiptRow } from "#collection/index.ts";
import type { ImportedStatement } from "#orders/index.ts";
import { amountIn, amountOut, currencyIn, currencyOut, flag, idOf, instant, integer, oneOf, shape, strict, text, textOrNull } from "../schemas/fields.ts";

export const receiptStatuses = ["unmatched", "matched", "linked", "ignored"] as const;
export type ReceiptShape = ReturnType<typeof showReceipt>;

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
    "`matched`: it was booked, as a payment or as the exception that `exception_id` names. `linked`: it shows money that was booked already. `unmatched`: it waits for a person.",
  ),
  payment_session_id: textOrNull("The payment that it belongs to."),
  exception_id: textOrNull("The exception that its money became: it was booked, and waits for a person's decision or had it."),
  suggested_session_ids: Type.Optional(Type.Array(text("A payment's id."), { description: "On a new receipt that waits: the payments it may belong to." })),
  created_at: instant("When it was recorded."),
  updated_at: instant("When it was last changed."),
});

export const receiptIn = strict({
  channel: oneOf(channels, "The wallet."),
  amount_minor: amountIn("What came in, in minor units."),
  currency: Type.Optional(currencyIn("The currency. Both wallets pay out CNY alone.")),
  occurred_at: Type.Unsafe<string>({ type: "string", format: "date-time", description: "When it came in.", examples: ["2026-11-20T14:30:00.000Z"] }),
  external_id: Type.Optional(
    textOrNull("The wallet's number of the transfer. Sent again, the first receipt is answered.", { minLength: 1, maxLength: 64, pattern: "^[0-9A-Za-z_-]+$" }),
  ),
  remark: Type.Optional(textOrNull("The transfer's note.", { maxLength: 200 })),
  payer_hint: Type.Optional(textOrNull("What the wallet says of the payer.", { maxLength: 200 })),
  source: Type.Optional(oneOf(["listener", "manual"], "Who tells of it. Default: `manual`.")),
});

/** The import's form beside its `file`. */
export const importForm = strict({ channel: Type.Optional(oneOf(channels, "Refuse the file when it is of another wallet.")) });

export const importFormDocument = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "The CSV that WeChat Pay or Alipay exports for bookkeeping, unopened; 5 MB at most.",
    }),
    channel: Type.Optional(oneOf(channels, "Refuse the file when it is of another wallet.")),
  },
  { additionalProperties: false },
);

export const importSchema = shape("ReceiptImport", "What a statement brought.", {
  object: oneOf(["receipt_import"], "Always `receipt_import`."),
  channel: oneOf(channels, "Whose statement it was."),
  total: integer("Rows that are money received."),
  created: integer("Receipts that were new."),
  matched: integer("New receipts that were booked."),
  linked: integer("New receipts that show money booked already."),
  unmatched: integer("New receipts that wait for a person."),
  faults: Type.Array(
    Type.Object(
      { line: integer("Line of the file."), code: text("What is wrong.", ["number_rounded"]), message: text("A sentence for people.") },
      { description: "A row that could not be taken." },
    ),
    { description: "Rows that look like money received and could not be taken." },
  ),
});

export type ImportShape = ReturnType<typeof showImport>;

export function showReceipt(row: ReceiptRow, suggestions: string[] = []) {
  const {
    id,
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
    payment_session_id,
    exception_id,
  } = row;
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
    payment_session_id,
    exception_id,
    ...(suggestions.length === 0 ? {} : { suggested_session_ids: suggestions }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function showImport(imported: ImportedStatement) {
  const { channel, total, created, matched, linked, unmatched, faults } = imported;
  return { object: "receipt_import" as const, channel, total, created, matched, linked, unmatched, faults };
}
