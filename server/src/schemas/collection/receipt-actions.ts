import Type from "typebox";
import type { Tenant } from "#platform/index.ts";
import type { BulkResult } from "#reconciliation/index.ts";
import { flag, idOf, integer, oneOf, shape, strict, text } from "../fields/fields.ts";

const id = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });
const ids = (description: string) => Type.Array(id("An ID."), { minItems: 1, maxItems: 500, uniqueItems: true, description });
const target = {
  order_id: Type.Optional(id("The order the money is for.")),
  payment_session_id: Type.Optional(id("The payment the money is for. Send this or `order_id`.")),
};
const reason = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "The reason, for the record." });

export const receiptLinkIn = strict(target);
export const ignoreIn = strict({ reason });

export const bulkIn = strict({
  action: oneOf(
    ["link", "link_set", "unlink", "ignore"],
    "`link`: links each receipt in `links` to its order. `link_set`: links all of `receipt_ids` to all of `order_ids` as one set of approved payments. `unlink` and `ignore` apply to all of `receipt_ids`.",
  ),
  receipt_ids: Type.Optional(ids("The receipts.")),
  order_ids: Type.Optional(ids("`link_set`: the approved orders, as many as there are receipts.")),
  links: Type.Optional(
    Type.Array(strict({ receipt_id: id("The receipt."), ...target }), {
      minItems: 1,
      maxItems: 500,
      description: "`link`: which receipt is for which order.",
    }),
  ),
  reason: Type.Optional(reason),
});

const bulkResult = Type.Object(
  {
    receipt_id: text("The receipt."),
    status: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The receipt's current status; null if the change was refused.",
    }),
    error: Type.Unsafe<BulkResult["error"]>({
      type: ["object", "null"],
      description: "Why it was refused.",
      required: ["code", "message"],
      additionalProperties: false,
      properties: {
        code: { type: "string", description: "The error's code." },
        message: { type: "string", description: "A message for people." },
        reason: { type: "string", description: "The reason, more specific than the code and just as stable." },
        values: { type: "object", additionalProperties: true, description: "The reason's details." },
      },
    }),
  },
  { description: "The result for one receipt." },
);

export const bulkSchema = shape("ReceiptBulk", "The result of changing many receipts. If one is refused, the others still succeed.", {
  object: oneOf(["receipt_bulk"], "Always `receipt_bulk`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  done: integer("How many receipts were changed."),
  refused: integer("How many receipts were not."),
  results: Type.Array(bulkResult, { description: "One result per receipt, in the request's order." }),
});

export type BulkShape = ReturnType<typeof showBulk>;

export function showBulk(results: BulkResult[], { project_id, livemode }: Tenant) {
  const shown = results.map((one) => ({ receipt_id: one.receipt_id, status: one.receipt?.status ?? null, error: one.error }));
  const done = results.filter((one) => one.error === null).length;
  return { object: "receipt_bulk" as const, project_id, livemode, done, refused: results.length - done, results: shown };
}
