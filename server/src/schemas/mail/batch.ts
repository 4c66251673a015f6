import Type from "typebox";
import type { BatchFault, CreatedBatch, FoundBatch } from "#messaging/index.ts";
import type { ReasonValues, Tenant } from "#platform/index.ts";
import { flag, idOf, instant, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { emailDefaultsIn, emailIn } from "./email-in.ts";

/** A batch as it is answered; its messages are told when it is sent in, and found later by `batch_id`. */
export interface BatchShape extends Tenant {
  id: string;
  object: "batch";
  channel: string;
  total: number;
  accepted: number;
  data?: CreatedBatch["data"];
  errors: BatchFault[];
  statuses: Record<string, number>;
  created_at: Date;
}

const messages = Type.Array(emailIn, { minItems: 1, maxItems: 100, description: "The messages." });

/** A batch in the document. Its messages are held against their schema one by one, so that some can be faulty and others not. */
export const emailBatchDocument = {
  anyOf: [
    messages,
    strict({ defaults: Type.Optional(emailDefaultsIn), emails: messages }, { description: "Messages with fields in common." }),
    strict({ defaults: Type.Optional(emailDefaultsIn), messages }, { description: "The same under the name that every channel's batches know." }),
  ],
};

/** What the surface itself asks of a batch before it looks at its messages. */
export const batchIn = Type.Unsafe<unknown>({ type: ["array", "object"], description: "Up to 100 messages." });
export const emailBatchIn = strict({
  defaults: Type.Optional(emailDefaultsIn),
  emails: Type.Optional(Type.Array(Type.Unknown())),
  messages: Type.Optional(Type.Array(Type.Unknown())),
});

export const batchSchema = shape("Batch", "Messages that were sent in together.", {
  id: idOf("bat", "The batch's id."),
  object: oneOf(["batch"], "Always `batch`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  channel: oneOf(["email", "sms"], "What its messages go out through."),
  total: integer("How many were sent in."),
  accepted: integer("How many of them were accepted."),
  data: Type.Optional(
    Type.Array(
      Type.Object(
        { index: integer("Place in the request, from 0."), id: text("The message's id."), status: text("How far it came.", ["queued"]) },
        { additionalProperties: false, description: "An accepted message." },
      ),
      { description: "The accepted messages, in the answer to the batch itself. Later, list messages by `batch_id`." },
    ),
  ),
  errors: Type.Array(
    Type.Object(
      {
        index: integer("Place in the request, from 0."),
        param: textOrNull("The parameter at fault."),
        code: text("What is wrong with it.", ["recipient_invalid"]),
        message: text("A sentence for people."),
        reason: Type.Optional(text("Why, finer than the code and as permanent.", ["not_an_email"])),
        values: Type.Optional(
          Type.Unsafe<ReasonValues>({ type: "object", additionalProperties: true, description: "What the reason is about, such as `max`." }),
        ),
      },
      { additionalProperties: false, description: "A fault of a message that was not accepted." },
    ),
    { description: "Why the others were not; only with `X-Batch-Validation: permissive`, and for 30 days." },
  ),
  statuses: Type.Unsafe<Record<string, number>>({
    type: "object",
    additionalProperties: { type: "integer" },
    description: "How many of its messages are in each state.",
  }),
  created_at: instant("When it was accepted."),
});

/** A batch that was just taken in. */
export function showCreatedBatch(tenant: Tenant, channel: string, made: CreatedBatch): BatchShape {
  const statuses: Record<string, number> = {};
  for (const { status } of made.data) statuses[status] = (statuses[status] ?? 0) + 1;
  const { id, total, accepted, data, errors, created_at } = made;
  const { project_id, livemode } = tenant;
  return { id, object: "batch", project_id, livemode, channel, total, accepted, data, errors, statuses, created_at };
}

/** A batch with the states that its messages are in now. */
export function showBatch({ batch, counts }: Pick<FoundBatch, "batch" | "counts">): BatchShape {
  const { id, project_id, livemode, channel, total, accepted, errors, created_at } = batch;
  return { id, object: "batch", project_id, livemode, channel, total, accepted, errors: errors as BatchFault[], statuses: counts, created_at };
}
