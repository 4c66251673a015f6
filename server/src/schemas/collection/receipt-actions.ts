import Type from "typebox";
import type { BulkResult } from "#orders/index.ts";
import type { Tenant } from "#platform/index.ts";
import { flag, idOf, integer, oneOf, shape, strict, text } from "../fields/fields.ts";

const id = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });
const ids = (description: string) => Type.Array(id("An id."), { minItems: 1, maxItems: 500, uniqueItems: true, description });
const target = {
  order_id: Type.Optional(id("The order that the money is for.")),
  payment_session_id: Type.Optional(id("The payment that the money is for. Give this or `order_id`.")),
};
const reason = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "Why, for whoever asks later." });

export const receiptLinkIn = strict(target);
export const ignoreIn = strict({ reason });

export const bulkIn = strict({
  action: oneOf(
    ["link", "link_set", "unlink", "ignore"],
    "`link`: each receipt of `links` to its order. `link_set`: all of `receipt_ids` to all of `order_ids` as one set of approved payments. `unlink` and `ignore`: all of `receipt_ids`.",
  ),
  receipt_ids: Type.Optional(ids("The receipts.")),
  order_ids: Type.Optional(ids("`link_set`: the approved orders, as many as receipts.")),
  links: Type.Optional(
    Type.Array(strict({ receipt_id: id("The receipt."), ...target }), { minItems: 1, maxItems: 500, description: "`link`: which receipt is for which order." }),
  ),
  reason: Type.Optional(reason),
});

const bulkResult = Type.Object(
  {
    receipt_id: text("The receipt."),
    status: Type.Unsafe<string | null>({ type: ["string", "null"], description: "Its state now; null where it was refused." }),
    error: Type.Unsafe<BulkResult["error"]>({
      type: ["object", "null"],
      description: "Why it was refused.",
      required: ["code", "message"],
      additionalProperties: false,
      properties: {
        code: { type: "string", description: "The error's code." },
        message: { type: "string", description: "A sentence for people." },
        reason: { type: "string", description: "Why, finer than the code and as permanent." },
        values: { type: "object", additionalProperties: true, description: "What the reason is about." },
      },
    }),
  },
  { description: "What became of one receipt." },
);

export const bulkSchema = shape("ReceiptBulk", "What a decision about many receipts came to. A refusal of one stops none of the others.", {
  object: oneOf(["receipt_bulk"], "Always `receipt_bulk`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  done: integer("Receipts that were changed."),
  refused: integer("Receipts that were not."),
  results: Type.Array(bulkResult, { description: "One for each receipt, in the order of the request." }),
});

export type BulkShape = ReturnType<typeof showBulk>;

export function showBulk(results: BulkResult[], { project_id, livemode }: Tenant) {
  const shown = results.map((one) => ({ receipt_id: one.receipt_id, status: one.receipt?.status ?? null, error: one.error }));
  const done = results.filter((one) => one.error === null).length;
  return { object: "receipt_bulk" as const, project_id, livemode, done, refused: results.length - done, results: shown };
}
