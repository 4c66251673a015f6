import { emitAll } from "#events/index.ts";
import { barsSending, findSuppressed, requireSending, takeQuota } from "#messaging/index.ts";
import { after, type Ctx, hint, ownProject, type Pipe, pipeline, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { emailEvent } from "../email-events.ts";
import { ownFiles } from "../files/keep-files.ts";
import { insertParts, insertSameParts } from "../parts.sql.ts";
import { deleteSealedBodies } from "../rows.sql.ts";
import { isSimulatedSuppression } from "../simulator/simulator.ts";
import { aggregateStatus } from "../states.ts";
import { partsIn } from "../stored-body.ts";
import type { NewMessage } from "./new-message.ts";
import { insertEmailRows, insertRecipients } from "./sql.ts";
import { charactersPerTurn } from "./yield-between-messages.ts";

/** Marks suppressed recipients. A message without any others is suppressed itself. */
export function applySuppressions(pipe: Pipe, messages: NewMessage[]): Sent<Pipe, void>[] {
  const groups = Map.groupBy(messages, ({ email }) => `${email.project_id} ${email.livemode}`);
  return [...groups.values()].map((members) => {
    const tenant: Tenant = (members[0] as NewMessage).email;
    const addresses = members.flatMap(({ recipients }) => recipients.map((recipient) => recipient.address));
    return after(pipe, findSuppressed(pipe, tenant, { channel: emailChannel, addresses }), (found) => {
      for (const message of members) {
        suppressOf(message, (address) => barsSending(found.get(address)) || (!tenant.livemode && isSimulatedSuppression(address)));
      }
    });
  });
}

function suppressOf(message: NewMessage, suppressed: (address: string) => boolean): void {
  for (const recipient of message.recipients) {
    if (!suppressed(recipient.address)) continue;
    recipient.status = "suppressed";
    recipient.state = "done";
  }
  const status = aggregateStatus(message.recipients.map((recipient) => recipient.status));
  if (status !== "suppressed") return;
  Object.assign(message.email, { status, sequence: 2, last_event: status });
}

/** Writes messages, their recipients and events, and counts them. Throws sending_suspended, quota_exceeded. */
export async function writeMessages(
  tx: Tx,
  ctx: Ctx,
  { messages, timeoutMs }: { messages: NewMessage[]; timeoutMs: number },
): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const uses = messages.map(({ email, tier, recipients }) => ({ tenant: email, tier, units: recipients.length }));
  const lastShare = await insertInShares(tx, messages);
  await pipeline(tx, (pipe) => [
    requireSending(pipe, uses),
    insertEmailRows(pipe, lastShare),
    insertRecipients(
      pipe,
      messages.flatMap((message) => message.recipients),
    ),
    emitAll(pipe, ctx, messages.flatMap(firstEvents)),
    ownFiles(pipe, messages),
  ]);
  await insertLongTexts(tx, messages);
  await dropUnsent(tx, messages);
  await takeQuota(tx, ctx, { channel: emailChannel, uses, now: first.email.created_at, timeoutMs });
  hint(tx, "emails");
}

/** Secret texts aren't stored for recipients who won't get them. */
async function dropUnsent(tx: Tx, messages: NewMessage[]): Promise<void> {
  const unsent = messages.filter(({ email }) => email.project_id === ownProject.project_id && email.status === "suppressed");
  if (unsent.length === 0) return;
  await deleteSealedBodies(
    tx,
    ownProject,
    unsent.map(({ email }) => email.id),
  );
}

/**
 * A statement is built and sent in one turn of the event loop, so many large messages are split into several statements. Returns the
 * messages of the last one, which isn't sent yet.
 */
async function insertInShares(tx: Tx, messages: NewMessage[]): Promise<NewMessage[]> {
  let [share, characters]: [NewMessage[], number] = [[], 0];
  for (const message of messages) {
    const { length } = message.stored.body;
    if (share.length > 0 && characters + length > charactersPerTurn) {
      await insertEmailRows(tx, share);
      [share, characters] = [[], 0];
    }
    share.push(message);
    characters += length;
  }
  return share;
}

/** Sends a text that several messages of a batch share to the database once, and copies it there. */
async function insertLongTexts(tx: Tx, messages: NewMessage[]): Promise<void> {
  const sent = new Map<Uint8Array, { email_id: string; first: number; parts: number }>();
  for (const { email, stored } of messages) {
    const own = { project_id: email.project_id, livemode: email.livemode, email_id: email.id };
    let first = 0;
    for (const packed of stored.long) {
      const same = sent.get(packed);
      const parts = partsIn(packed.length);
      if (same === undefined) await insertParts(tx, own, { first, packed });
      else await insertSameParts(tx, { ...own, first }, same);
      if (same === undefined) sent.set(packed, { email_id: email.id, first, parts });
      first += parts;
    }
  }
}

function firstEvents(message: NewMessage) {
  const { email } = message;
  const first = email.scheduled_at === null ? "queued" : "scheduled";
  const at = email.created_at;
  const accepted = { ...message, email: { ...email, status: first } as typeof email };
  const events = [emailEvent(accepted, { event: first }, { previous_status: null, sequence: 1, occurred_at: at })];
  if (email.status === "suppressed")
    events.push(emailEvent(message, { event: "suppressed" }, { previous_status: first, sequence: 2, occurred_at: at }));
  return events;
}
