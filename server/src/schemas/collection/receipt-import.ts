import Type from "typebox";
import { channels } from "#collection/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { ImportResult, StatementPreview } from "#reconciliation/index.ts";
import { amountOut, flag, idOf, instant, integer, integerOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

const account = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: ["main"] }));

/** The form's fields next to its `file`. */
export const importForm = strict({
  channel: Type.Optional(oneOf(channels, "Refuse the file if it's from another wallet.")),
  account_ref: account("The statement's account, if it isn't that of the project's code."),
});

export const importFormDocument = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "The CSV or XLSX file that WeChat Pay or Alipay exports for a wallet or a merchant account, unmodified. Up to 5 MB.",
    }),
    channel: Type.Optional(oneOf(channels, "Refuse the file if it's from another wallet.")),
    account_ref: account("The statement's account, if it isn't that of the project's code."),
  },
  { additionalProperties: false },
);

const outcomes = ["settled", "linked", "suggested", "held", "unmatched", "skipped", "ignored"] as const;

const place = {
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
};

const counts = {
  channel: oneOf(channels, "The statement's wallet."),
  rows: integer("How many rows the file has. The next eight counts add up to this."),
  settled: integer("Rows that pay an order."),
  linked: integer("Rows with money that is already in the books."),
  suggested: integer("Rows that need a decision and have suggested payments."),
  held: integer("Rows that become an exception: money with a code or amount of one of your payments that can't pay its order."),
  unmatched: integer("Rows that need a decision and match nothing. They aren't booked."),
  skipped: integer("Rows that aren't income, and rows that were already imported (`known`)."),
  ignored: integer("Rows that one of your ignore rules sets aside."),
  faulty: integer("Rows that couldn't be read; `faults` lists them."),
  created: integer("How many receipts were created."),
  known: integer("Rows among `skipped` that were already imported."),
  declared_rows: integerOrNull("How many rows the file says it has; null if it doesn't say."),
  faults: Type.Array(
    Type.Object(
      {
        line: integer("The line in the file."),
        code: oneOf(
          [
            "columns_unclear",
            "number_missing",
            "number_rounded",
            "amount_invalid",
            "time_invalid",
            "time_out_of_range",
            "amount_differs",
            "currency_unsupported",
            "repeated",
          ],
          "What is wrong.",
        ),
        message: text("A message for people."),
      },
      { description: "A row that couldn't be read." },
    ),
    { description: "Rows that couldn't be read." },
  ),
  refunds: Type.Array(
    Type.Object(
      {
        line: integer("The line in the file."),
        order_id: text("The order whose payment was refunded."),
        receipt_id: text("The receipt of that payment."),
        amount_minor: amountOut("The amount refunded."),
      },
      { description: "A refund in the statement." },
    ),
    { description: "Refunds made in the wallet for orders that are paid here. Nothing is booked for them." },
  ),
};

export const importSchema = shape("ReceiptImport", "The result of importing a statement.", {
  object: oneOf(["receipt_import"], "Always `receipt_import`."),
  ...place,
  ...counts,
});

export const importPreviewSchema = shape("ReceiptImportPreview", "What importing a statement would do. Nothing has changed yet.", {
  object: oneOf(["receipt_import_preview"], "Always `receipt_import_preview`."),
  ...place,
  preview_id: text("The ID to apply it with.", ["imp_01jd4q8w8yf3v9s0k2m5n7p9r1"]),
  file_sha256: text("The file's hash."),
  account_ref: text("The account the receipts will belong to.", ["main"]),
  expires_at: instant("Until when it can be applied."),
  needs_reviewer: flag(
    "True if it would settle or hold LIVE money, or if so much was requested at the time that a preview can't decide: only a signed-in reviewer can apply it.",
  ),
  ...counts,
  planned: Type.Array(
    Type.Object(
      {
        line: integer("The line in the file."),
        outcome: oneOf(outcomes, "What would happen to the row."),
        amount_minor: amountOut("The amount received."),
        occurred_at: instant("When the money arrived."),
        external_id: text("The wallet's transfer number."),
        payer_hint: textOrNull("What the wallet shows about the payer."),
        remark: textOrNull("The transfer's note."),
        kind: textOrNull("The wallet's own transfer type."),
        state: oneOf(
          ["final", "unfinished", "refunded", "partly_refunded"],
          "Whether the money is final. Rows that aren't `final` never settle a payment.",
        ),
        order_id: textOrNull("The order it would pay or be held for, or most likely belongs to."),
        order_reference: textOrNull("That order's reference."),
        elsewhere: flag("True if it concerns an order of another of the merchant's projects."),
        known: flag("True if it was already imported."),
      },
      { description: "A row with income." },
    ),
    {
      description:
        "The rows with income, in the file's order. A row's outcome can differ when the preview is applied, because it's matched again.",
    },
  ),
});

export type ImportShape = ReturnType<typeof showImport>;
export type ImportPreviewShape = ReturnType<typeof showPreview>;

export function showImport(imported: ImportResult, { project_id, livemode }: Tenant) {
  return { object: "receipt_import" as const, project_id, livemode, ...countsOf(imported) };
}

export function showPreview(preview: StatementPreview, { project_id, livemode }: Tenant) {
  const { preview_id, file_sha256, account_ref, expires_at } = preview;
  const planned = preview.planned.map(
    ({ line, outcome, amount_minor, occurred_at, external_id, payer_hint, remark, kind, state, ...place }) => ({
      ...{ line, outcome, amount_minor, occurred_at, external_id, payer_hint, remark, kind, state },
      ...{ order_id: place.order_id, order_reference: place.order_reference, elsewhere: place.elsewhere, known: place.known },
    }),
  );
  const needs_reviewer = livemode && preview.may_settle;
  const about = {
    object: "receipt_import_preview" as const,
    project_id,
    livemode,
    preview_id,
    file_sha256,
    account_ref,
    expires_at,
    needs_reviewer,
  };
  return { ...about, ...countsOf(preview), planned };
}

function countsOf(given: ImportResult) {
  const {
    channel,
    rows,
    settled,
    linked,
    suggested,
    held,
    unmatched,
    skipped,
    ignored,
    faulty,
    created,
    known,
    declared_rows,
    faults,
    refunds,
  } = given;
  return {
    channel,
    rows,
    settled,
    linked,
    suggested,
    held,
    unmatched,
    skipped,
    ignored,
    faulty,
    created,
    known,
    declared_rows,
    faults,
    refunds,
  };
}
