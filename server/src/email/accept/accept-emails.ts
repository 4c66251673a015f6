import { auditIfPerson } from "#audit/index.ts";
import { type BatchRow, insertBatch } from "#messaging/index.ts";
import { type Ctx, createIntake, databaseCode, type IntakeGroup, type IntakeItem, type Tx } from "#platform/index.ts";
import type { EmailBundle } from "../shapes.ts";
import type { NewMessage } from "./new-message.ts";
import { insertEmailRows } from "./sql.ts";
import { timeMessages } from "./time-messages.ts";
import { applySuppressions, writeMessages } from "./write-messages.ts";

/** What one request contains: a message, or a batch of messages. */
interface NewEmails<Answer> extends IntakeItem<Answer> {
  messages: NewMessage[];
  batch: BatchRow | null;
}

/** Larger messages get their own transaction: one transaction with sixty-four of them would keep all their bytes in memory at once. */
const groupedBytesMax = 64 * 1024;
/** The maximum size of a request body. The messages of a batch may share texts, and then add up to more. */
const requestBytesMax = 35 * 1024 * 1024;
const heldBytes = 128 * 1024 * 1024;

/** Writes messages of many requests in one transaction. Throws quota_exceeded, sending_suspended. */
export const acceptEmails = createIntake<NewEmails<unknown>>({
  supply: { usual: heldBytes, reserved: heldBytes },
  weightOf: (item) => 1024 + Math.min(bytesOf(item), requestBytesMax),
  isLarge: (item) => item.batch !== null || bytesOf(item) > groupedBytesMax,
  prepare: (pipe, items) =>
    applySuppressions(
      pipe,
      items.flatMap(({ messages }) => messages),
    ),
  time({ messages, batch }, now) {
    timeMessages(messages, now);
    if (batch !== null) batch.created_at = now;
  },
  write: writeEmails,
  isStored,
});

/** The message as the response to its request has it. */
export function bundleOf({ email, recipients }: NewMessage): EmailBundle {
  return { email, recipients };
}

function bytesOf({ messages }: NewEmails<unknown>): number {
  return messages.reduce((sum, { email }) => sum + email.size_bytes, 0);
}

/** If a quota refuses one message, the group is split, and each is written separately and gets its own result. */
async function writeEmails(tx: Tx, ctx: Ctx, { items, timeoutMs }: IntakeGroup<NewEmails<unknown>>): Promise<null[]> {
  for (const { batch } of items) if (batch !== null) await insertBatch(tx, batch);
  await writeMessages(tx, ctx, { messages: items.flatMap(({ messages }) => messages), timeoutMs });
  for (const item of items) await auditEmails(tx, item);
  return items.map(() => null);
}

async function auditEmails(tx: Tx, { ctx, tenant, messages: [message], batch }: NewEmails<unknown>): Promise<void> {
  if (batch !== null) {
    const { id, total, accepted } = batch;
    await auditIfPerson(tx, { ctx, tenant, action: "batch.created", object_type: "batch", object_id: id, detail: { total, accepted } });
  } else if (message !== undefined) {
    const { id, status } = message.email;
    await auditIfPerson(tx, { ctx, tenant, action: "email.created", object_type: "email", object_id: id, detail: { status } });
  }
}

/** A message's id is unique, so only the message itself can conflict with it. */
async function isStored(tx: Tx, { messages: [message] }: NewEmails<unknown>): Promise<boolean> {
  if (message === undefined) return false;
  try {
    await insertEmailRows(tx, [{ ...message, stored: { body: "{}", long: [] } }]);
    return false;
  } catch (error) {
    if (databaseCode(error) !== "23505") throw error;
    return true;
  }
}
