import { findSuppressed } from "#messaging/index.ts";
import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import type { FoundSms, SmsRow } from "../shapes.ts";
import { completeSms } from "./find-sms.ts";
import { findSmsId, listNewestSent, listThreadRows, type ThreadFilters } from "./sql.ts";

/** A conversation between one of a project's numbers and someone who has written to it. */
export interface Thread {
  /** The contact's newest message. */
  received: SmsRow;
  /** The newest message in either direction. */
  last: FoundSms;
  /** When the contact opted out of this number, if they did. */
  optedOutAt: Date | null;
}

/**
 * A page of conversations, the one with the newest inbound message first. Throws invalid_cursor for an id that isn't a message of this
 * tenant.
 */
export async function listThreads(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: ThreadFilters }): Promise<Page<Thread>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listThreadRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findSmsId(ctx.db, tenant, id),
  });
  const pairOf = ({ sender, recipient }: SmsRow) => ({ contact: sender, number: recipient });
  const sent = new Map((await listNewestSent(ctx.db, tenant, rows.map(pairOf))).map((sms) => [`${sms.recipient} ${sms.sender}`, sms]));
  const newest = rows.map((received) => {
    const answer = sent.get(`${received.sender} ${received.recipient}`);
    return answer !== undefined && answer.id > received.id ? answer : received;
  });
  const shown = await completeSms(ctx, tenant, newest);
  const pairs = rows.map(({ sender, recipient }) => optOutOf({ sender: recipient, recipient: sender }));
  const stopped = await findSuppressed(ctx.db, tenant, { channel: smsChannel, addresses: [...pairs, ...rows.map(({ sender }) => sender)] });
  const threads = rows.map((received, at) => {
    const since = [pairs[at] ?? "", received.sender].flatMap((address) => stopped.get(address)?.created_at ?? []);
    return {
      received,
      last: shown[at] as FoundSms,
      optedOutAt: since.toSorted((left, right) => left.getTime() - right.getTime())[0] ?? null,
    };
  });
  return { rows: threads, ...page };
}
