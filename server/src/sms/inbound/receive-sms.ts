import { emit } from "#events/index.ts";
import { addSuppression, readTelephone, removeSuppression } from "#messaging/index.ts";
import { readSender } from "#numbers/index.ts";
import { type Ctx, findNow, type Tenant, type Tx } from "#platform/index.ts";
import { initialState } from "../accept/new-sms.ts";
import { insertSmsRows } from "../accept/sql.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import type { SmsRow } from "../shapes.ts";
import { smsEvent } from "../sms-events.ts";
import { answerKeyword } from "./answer-keyword.ts";
import { heedFormerOwners } from "./heed-former-owners.ts";
import { readKeyword } from "./keywords.ts";

/** The maximum number of parts of a message. */
const segmentsMax = 255;

/** A whole inbound message. */
export interface Received {
  tenant: Tenant;
  provider: string;
  from: string;
  to: string;
  body: string;
  encoding: SmsRow["encoding"];
  segments: number;
}

/**
 * Stores an inbound message, and does what it requests: STOP ends messages from that number to this one, START resumes them, HELP is
 * answered. Each of them gets one reply.
 */
export async function receiveSms(tx: Tx, ctx: Ctx, received: Received): Promise<SmsRow> {
  const { tenant } = received;
  const now = await findNow(tx);
  const keyword = readKeyword(received.body, received);
  const { sms, body } = rowOf(ctx, received, { keyword: keyword?.keyword ?? null, now });
  await insertSmsRows(tx, [{ tier: "system", sms, body, sealed_body: null, admitted: null }]);
  const inbound = { body, keyword: sms.keyword };
  const events = [smsEvent(sms, { event: "received", inbound }, { previous_status: null, sequence: 1, occurred_at: now })];
  const pair = { sender: received.to, recipient: received.from };
  const given = { tenant, channel: smsChannel, address: optOutOf(pair) };
  let isNews = keyword?.keyword === "help";
  if (keyword?.keyword === "stop") {
    isNews = (await addSuppression(tx, ctx, { ...given, reason: "unsubscribe", source_id: sms.id })).changed;
    if (isNews) events.push(smsEvent(sms, { event: "opted_out", inbound }, { previous_status: sms.status, sequence: 2, occurred_at: now }));
    if (tenant.livemode) await heedFormerOwners(tx, ctx, { pair, owner: tenant });
  }
  if (keyword?.keyword === "start") isNews = await removeSuppression(tx, ctx, given);
  await emit(tx, ctx, { tenant, events });
  if (keyword !== null && isNews) await answerKeyword(tx, ctx, { tenant, pair, now, ...keyword });
  return sms;
}

function rowOf(ctx: Ctx, received: Received, { keyword, now }: { keyword: SmsRow["keyword"]; now: Date }): { sms: SmsRow; body: string } {
  const { tenant, provider, from, to, encoding, segments } = received;
  const country = readTelephone(from, { strict: false });
  const sms: SmsRow = {
    ...{ project_id: tenant.project_id, livemode: tenant.livemode, id: ctx.id("sms"), direction: "inbound" },
    ...initialState("received"),
    ...{ sender: from, sender_kind: readSender(from)?.kind ?? "alphanumeric", recipient: to },
    country: typeof country === "string" ? "ZZ" : country.country,
    // A carrier can deliver a text that is longer than any message.
    ...{
      encoding,
      segments: Math.min(segments, segmentsMax),
      keyword,
      category: null,
      provider,
      tags: [],
      metadata: {},
      status_callback: null,
      batch_id: null,
    },
    ...{ state: "done", due_at: now, scheduled_at: null, expires_at: now, created_at: now, updated_at: now },
  };
  // Removes what the database's texts can't contain.
  return { sms, body: received.body.toWellFormed().replaceAll("\u0000", "") };
}
