import { auditIfPerson } from "#audit/index.ts";
import { emitAll } from "#events/index.ts";
import { type Admission, admitMessages } from "#guards/index.ts";
import { type BatchRow, insertBatch, requireSending, takeQuota } from "#messaging/index.ts";
import { type Ctx, createIntake, databaseCode, hint, type IntakeGroup, type IntakeItem, pipeline, type Tx } from "#platform/index.ts";
import { smsChannel } from "../channel/sms-channel.ts";
import { smsEvent } from "../sms-events.ts";
import { type NewSms, timeSms } from "./new-sms.ts";
import { insertReferences, insertSmsRows } from "./sql.ts";

/** What one request contains: a message, or a batch of messages. */
interface NewMessages<Answer> extends IntakeItem<Answer> {
  messages: NewSms[];
  batch: BatchRow | null;
}

/** How many messages may wait to be written. */
const heldMax = 4_096;

/** Writes messages of many requests in one transaction. Throws quota_exceeded, sending_suspended. */
export const acceptSms = createIntake<NewMessages<unknown>>({
  supply: { usual: heldMax, reserved: heldMax },
  weightOf: ({ messages }) => messages.length,
  isLarge: ({ batch }) => batch !== null,
  time({ messages, batch }, now) {
    timeSms(messages, now);
    if (batch !== null) batch.created_at = now;
  },
  write: writeGroup,
  isStored,
});

/** If a quota refuses one message, the group is split, and each is written separately and gets its own result. */
async function writeGroup(tx: Tx, ctx: Ctx, { items, timeoutMs }: IntakeGroup<NewMessages<unknown>>): Promise<null[]> {
  for (const { batch } of items) if (batch !== null) await insertBatch(tx, batch);
  await writeSms(tx, ctx, { messages: items.flatMap(({ messages }) => messages), timeoutMs });
  for (const item of items) await auditSms(tx, item);
  return items.map(() => null);
}

/** Writes messages and their events, and counts their parts. Throws sending_suspended, quota_exceeded. */
export async function writeSms(tx: Tx, ctx: Ctx, { messages, timeoutMs }: { messages: NewSms[]; timeoutMs: number }): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  await giveReferences(tx, messages);
  const uses = messages.map(({ sms, tier }) => ({ tenant: sms, tier, units: sms.segments }));
  await pipeline(tx, (pipe) => [
    requireSending(pipe, uses),
    insertSmsRows(pipe, messages),
    emitAll(
      pipe,
      ctx,
      messages.map(({ sms }) =>
        smsEvent(sms, { event: sms.status }, { previous_status: null, sequence: sms.sequence, occurred_at: sms.created_at }),
      ),
    ),
  ]);
  const now = first.sms.created_at;
  await takeQuota(tx, ctx, { channel: smsChannel, uses, now, timeoutMs });
  await admitMessages(tx, ctx, { messages: messages.flatMap(admissionOf), now });
  hint(tx, "sms");
}

function admissionOf({ sms, admitted, sealed_body }: NewSms): Admission[] {
  const { project_id, livemode, id, recipient, segments } = sms;
  if (admitted === null) return [];
  return [
    {
      tenant: { project_id, livemode },
      message_id: id,
      channel: "sms",
      recipient,
      units: segments,
      is_code: sealed_body !== null,
      admitted,
    },
  ];
}

/** Multipart messages to one recipient get different references, so that handsets don't mix up their parts. */
async function giveReferences(tx: Tx, messages: NewSms[]): Promise<void> {
  const long = messages.filter(({ sms }) => sms.segments > 1).map(({ sms }) => sms);
  if (long.length === 0) return;
  const pairs = Map.groupBy(long, (sms) => `${sms.project_id} ${sms.livemode} ${sms.sender} ${sms.recipient}`);
  // In the same order everywhere: each pair's row blocks others.
  const sorted = [...pairs].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, members]) => members);
  const last = await insertReferences(
    tx,
    sorted.map((members) => ({ ...(members[0] as NewSms["sms"]), wanted: members.length })),
  );
  for (const [place, members] of sorted.entries())
    for (const [index, sms] of members.entries()) sms.reference = ((last[place] as number) - members.length + index + 1) % 256;
}

async function auditSms(tx: Tx, { ctx, tenant, messages: [message], batch }: NewMessages<unknown>): Promise<void> {
  if (batch !== null) {
    const { id, total, accepted } = batch;
    await auditIfPerson(tx, { ctx, tenant, action: "batch.created", object_type: "batch", object_id: id, detail: { total, accepted } });
  } else if (message !== undefined) {
    const { id, status } = message.sms;
    await auditIfPerson(tx, { ctx, tenant, action: "sms.created", object_type: "sms", object_id: id, detail: { status } });
  }
}

/** A message's id is unique, so only the message itself can conflict with it. */
async function isStored(tx: Tx, { messages: [message] }: NewMessages<unknown>): Promise<boolean> {
  if (message === undefined) return false;
  try {
    await insertSmsRows(tx, [message]);
    return false;
  } catch (error) {
    if (databaseCode(error) !== "23505") throw error;
    return true;
  }
}
