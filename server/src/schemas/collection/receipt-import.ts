import Type from "typebox";
import { channels } from "#collection/index.ts";
import type { ImportResult, StatementPreview } from "#orders/index.ts";
import type { Tenant } from "#platform/index.ts";
import { amountOut, flag, idOf, instant, integer, integerOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

const account = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: ["main"] }));

/** The form's fields next to its `file`. */
export const importForm = strict({
  channel: Type.Optional(oneOf(channels, "Refuse the file when it is of another wallet.")),
  account_ref: account("The account that the statement is of, when it is not that of the project's code."),
});

export const importFormDocument = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "The CSV or XLSX that WeChat Pay or Alipay exports, of a wallet or a merchant account, unopened; 5 MB at most.",
    }),
    channel: Type.Optional(oneOf(channels, "Refuse the file when it is of another wallet.")),
    account_ref: account("The account that the statement is of, when it is not that of the project's code."),
  },
  { additionalProperties: false },
);

const outcomes = ["settled", "linked", "suggested", "held", "unmatched", "skipped", "ignored"] as const;

const place = {
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
};

const counts = {
  channel: oneOf(channels, "Whose statement it is."),
  rows: integer("Rows of the file. The eight counts that follow sum to it."),
  settled: integer("Rows that pay an order."),
  linked: integer("Rows that show money that is in the books already."),
  suggested: integer("Rows that wait for a person, with payments they may belong to."),
  held: integer("Rows that become an exception: money with a mark of ours that cannot pay its order."),
  unmatched: integer("Rows that wait for a person and fit nothing; they are in no books."),
  skipped: integer("Rows that are no income, and rows that were taken in before (`known`)."),
  ignored: integer("Rows that a rule of the merchant's sets aside."),
  faulty: integer("Rows that could not be read; `faults` lists them."),
  created: integer("Receipts that are new."),
  known: integer("Rows among `skipped` that were taken in before."),
  declared_rows: integerOrNull("How many rows the file itself says that it has; null where it does not say."),
  faults: Type.Array(
    Type.Object(
      {
        line: integer("Line of the file."),
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
        message: text("A sentence for people."),
      },
      { description: "A row that could not be read." },
    ),
    { description: "Rows that could not be read." },
  ),
  refunds: Type.Array(
    Type.Object(
      {
        line: integer("Line of the file."),
        order_id: text("The order whose payment was given back."),
        receipt_id: text("The receipt of that payment."),
        amount_minor: amountOut("How much was given back."),
      },
      { description: "A refund that the statement shows." },
    ),
    { description: "Money that was given back in the wallet for orders that are paid here. Nothing is booked for it." },
  ),
};

export const importSchema = shape("ReceiptImport", "What a statement brought.", {
  object: oneOf(["receipt_import"], "Always `receipt_import`."),
  ...place,
  ...counts,
});

export const importPreviewSchema = shape("ReceiptImportPreview", "What a statement would bring. Nothing of it is done yet.", {
  object: oneOf(["receipt_import_preview"], "Always `receipt_import_preview`."),
  ...place,
  preview_id: text("Apply it under this id.", ["imp_01jd4q8w8yf3v9s0k2m5n7p9r1"]),
  file_sha256: text("The file's hash."),
  account_ref: text("The account that the receipts will be of.", ["main"]),
  expires_at: instant("Until when it can be applied."),
  needs_reviewer: flag("It would settle or hold LIVE money: only a signed-in reviewer can apply it."),
  ...counts,
  planned: Type.Array(
    Type.Object(
      {
        line: integer("Line of the file."),
        outcome: oneOf(outcomes, "What it would come to."),
        amount_minor: amountOut("What came in."),
        occurred_at: instant("When."),
        external_id: text("The wallet's number of the transfer."),
        payer_hint: textOrNull("What the wallet says of the payer."),
        remark: textOrNull("The transfer's note."),
        kind: textOrNull("The wallet's word for what kind of transfer it is."),
        state: oneOf(["final", "unfinished", "refunded", "partly_refunded"], "Whether the money is there to stay. What is not `final` never settles."),
        order_id: textOrNull("The order that it would pay or be held for, or most likely belongs to."),
        order_reference: textOrNull("That order's reference."),
        elsewhere: flag("It concerns an order of another project of the merchant."),
        known: flag("It was taken in before."),
      },
      { description: "A row of income." },
    ),
    { description: "The rows of income, in the file's order. The answer of the same row may differ when it is applied: it is decided anew." },
  ),
});

export type ImportShape = ReturnType<typeof showImport>;
export type ImportPreviewShape = ReturnType<typeof showPreview>;

export function showImport(imported: ImportResult, { project_id, livemode }: Tenant) {
  return { object: "receipt_import" as const, project_id, livemode, ...countsOf(imported) };
}

export function showPreview(preview: StatementPreview, { project_id, livemode }: Tenant) {
  const { preview_id, file_sha256, account_ref, expires_at } = preview;
  const planned = preview.planned.map(({ line, outcome, amount_minor, occurred_at, external_id, payer_hint, remark, kind, state, ...place }) => ({
    ...{ line, outcome, amount_minor, occurred_at, external_id, payer_hint, remark, kind, state },
    ...{ order_id: place.order_id, order_reference: place.order_reference, elsewhere: place.elsewhere, known: place.known },
  }));
  const needs_reviewer = livemode && preview.settled + preview.held > 0;
  const about = { object: "receipt_import_preview" as const, project_id, livemode, preview_id, file_sha256, account_ref, expires_at, needs_reviewer };
  return { ...about, ...countsOf(preview), planned };
}

function countsOf(given: ImportResult) {
  const { channel, rows, settled, linked, suggested, held, unmatched, skipped, ignored, faulty, created, known, declared_rows, faults, refunds } = given;
  return { channel, rows, settled, linked, suggested, held, unmatched, skipped, ignored, faulty, created, known, declared_rows, faults, refunds };
}
