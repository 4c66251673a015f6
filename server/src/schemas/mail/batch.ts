import Type from "typebox";
import type { BatchFault, CreatedBatch, FoundBatch } from "#messaging/index.ts";
import type { ReasonValues, Tenant } from "#platform/index.ts";
import { flag, idOf, instant, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { emailDefaultsIn, emailIn } from "./email-in.ts";

/** A batch in responses; its messages are included when it is created, and found later by `batch_id`. */
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

/**
 * A batch in the OpenAPI document. Its messages are checked against their schema one by one, so that some can be invalid and others not.
 */
export const emailBatchDocument = {
  anyOf: [
    messages,
    strict({ defaults: Type.Optional(emailDefaultsIn), emails: messages }, { description: "Messages with shared default fields." }),
    strict(
      { defaults: Type.Optional(emailDefaultsIn), messages },
      { description: "Another name for `emails`, shared by the batches of all channels." },
    ),
  ],
};

/** What the API surface itself requires of a batch before it checks its messages. */
export const batchIn = Type.Unsafe<unknown>({ type: ["array", "object"], description: "Up to 100 messages." });
export const emailBatchIn = strict({
  defaults: Type.Optional(emailDefaultsIn),
  emails: Type.Optional(Type.Array(Type.Unknown())),
  messages: Type.Optional(Type.Array(Type.Unknown())),
});

export const batchSchema = shape("Batch", "Messages sent in one request.", {
  id: idOf("bat", "The batch's ID."),
  object: oneOf(["batch"], "Always `batch`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  channel: oneOf(["email", "sms"], "The messages' channel."),
  total: integer("How many messages the request had."),
  accepted: integer("How many were accepted."),
  data: Type.Optional(
    Type.Array(
      Type.Object(
        {
          index: integer("Position in the request, starting at 0."),
          id: text("The message's ID."),
          status: text("The status.", ["queued"]),
        },
        { additionalProperties: false, description: "An accepted message." },
      ),
      { description: "The accepted messages; only in the response to the batch request. Later, list messages by `batch_id`." },
    ),
  ),
  errors: Type.Array(
    Type.Object(
      {
        index: integer("Position in the request, starting at 0."),
        param: textOrNull("The invalid parameter."),
        code: text("The error code.", ["recipient_invalid"]),
        message: text("A message for people."),
        reason: Type.Optional(text("The reason, more specific than the code and just as stable.", ["not_an_email"])),
        values: Type.Optional(
          Type.Unsafe<ReasonValues>({ type: "object", additionalProperties: true, description: "The reason's details, such as `max`." }),
        ),
      },
      { additionalProperties: false, description: "An error in a message that wasn't accepted." },
    ),
    { description: "Why the other messages weren't accepted; only with `X-Batch-Validation: permissive`, for 30 days." },
  ),
  statuses: Type.Unsafe<Record<string, number>>({
    type: "object",
    additionalProperties: { type: "integer" },
    description: "How many of its messages have each status.",
  }),
  created_at: instant("When it was accepted."),
});

/** A batch that was just accepted. */
export function showCreatedBatch(tenant: Tenant, channel: string, made: CreatedBatch): BatchShape {
  const statuses: Record<string, number> = {};
  for (const { status } of made.data) statuses[status] = (statuses[status] ?? 0) + 1;
  const { id, total, accepted, data, errors, created_at } = made;
  const { project_id, livemode } = tenant;
  return { id, object: "batch", project_id, livemode, channel, total, accepted, data, errors, statuses, created_at };
}

/** A batch with the current statuses of its messages. */
export function showBatch({ batch, counts }: Pick<FoundBatch, "batch" | "counts">): BatchShape {
  const { id, project_id, livemode, channel, total, accepted, errors, created_at } = batch;
  return {
    id,
    object: "batch",
    project_id,
    livemode,
    channel,
    total,
    accepted,
    errors: errors as BatchFault[],
    statuses: counts,
    created_at,
  };
}
