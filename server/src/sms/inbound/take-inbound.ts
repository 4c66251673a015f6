import { createHash } from "node:crypto";
import { completeNumber, readingsOf } from "#messaging/index.ts";
import { beginPass, type Ctx, findNow, type Tenant, type Tx } from "#platform/index.ts";
import { accountOf } from "../account-of.ts";
import type { SmsRow } from "../shapes.ts";
import { splitText } from "../text/split-text.ts";
import type { InboundSms } from "../transport.ts";
import { heedFormerOwners } from "./heed-former-owners.ts";
import { readKeyword } from "./keywords.ts";
import { receiveSms } from "./receive-sms.ts";
import {
  deleteInboundParts,
  type InboundKey,
  type InboundPartRow,
  insertInboundPart,
  listStaleInbound,
  lockInboundParts,
  updateJoined,
} from "./sql.ts";

/**
 * A carrier that didn't get our acceptance of a part in time soon delivers it again. Later, a handset may use the reference for another
 * message.
 */
const repeatedMs = 600_000;
const retentionMs = 86_400_000;
const partsMax = 255;
const portion = 100;
const gap = "[…]";
const traceLength = 8;

/**
 * Stores a message, or a part of one, that one of the numbers received; resolves once it is stored. A message of several parts is reported
 * when all have arrived, and one that is delivered twice is reported once. Messages to unassigned numbers are dropped, but their STOP
 * counts.
 */
export async function takeInbound(ctx: Ctx, given: InboundSms): Promise<void> {
  // Carriers often leave out the country code within the country, or only its plus sign.
  const numbers = [given.to, ...readingsOf(given.to, { near: given.from, reach: given.reach })];
  const found = await findRecipient(ctx, numbers);
  if (found === null) {
    await heedStop(ctx, given, numbers);
    ctx.log.warn({ provider: given.provider, to: given.to }, "an SMS arrived for a number that no project has; it was dropped");
    return;
  }
  const { to, tenant } = found;
  const from = senderTo(to, given);
  const message = { ...given, from, to, encoding: given.encoding ?? splitText(given.body).encoding };
  const part = partOf(message, tenant);
  if (part === null) {
    await ctx.transact((tx) => receiveSms(tx, ctx, { tenant, ...message, segments: splitText(message.body).segments.length }));
    return;
  }
  const now = await findNow(ctx.db);
  const key = { ...part, providers: accountOf(ctx, part.provider) };
  await ctx.transact((tx) => storePart(tx, { part, key, now }));
  // Parts that came at the same moment didn't see each other, so each looks for the others after it is stored.
  await ctx.transact((tx) => joinParts(tx, ctx, { tenant, key, isOver: false }));
}

/** The first of some numbers that a project has, and the project. */
async function findRecipient(ctx: Ctx, numbers: readonly string[]): Promise<{ to: string; tenant: Tenant } | null> {
  for (const to of numbers) {
    const tenant = await ctx.sms.senders.findOwner(ctx.db, to);
    if (tenant !== null) return { to, tenant };
  }
  return null;
}

/** The sender of a message to a number. A STOP has to stop messages to the sender in the form that they are sent to. */
function senderTo(to: string, { from, reach }: InboundSms): string {
  return completeNumber(from, { near: to, reach: to.startsWith("+") ? [] : reach });
}

/** A STOP to a number that no project has any more stops what was accepted from it before. */
async function heedStop(ctx: Ctx, given: InboundSms, numbers: readonly string[]): Promise<void> {
  const pairs = numbers.map((sender) => ({ sender, recipient: senderTo(sender, given) }));
  for (const pair of pairs)
    if (readKeyword(given.body, { from: pair.recipient })?.keyword === "stop")
      await ctx.transact((tx) => heedFormerOwners(tx, ctx, { pair, owner: null }));
}

type Encoded = InboundSms & { encoding: SmsRow["encoding"] };

/**
 * A message's position among related parts; null if it can't be identified. Messages to a number under its former owner are never joined
 * with others.
 */
function partOf(
  { provider, provider_message_id, from, to, body, encoding, received_at, part }: Encoded,
  owner: Tenant,
): InboundPartRow | null {
  const own = {
    provider,
    sender: from,
    recipient: to,
    body: body.toWellFormed().replaceAll("\u0000", ""),
    encoding,
    received_at,
    joined_at: null,
  };
  const isPart = part !== null && part.total > 1 && part.total <= partsMax && part.index >= 1 && part.index <= part.total;
  if (isPart) return { ...own, message_key: keyIn(owner, `part ${part.reference}/${part.total}`), place: part.index, total: part.total };
  return provider_message_id === null ? null : { ...own, message_key: keyIn(owner, `whole ${provider_message_id}`), place: 1, total: 1 };
}

function keyIn({ project_id }: Tenant, key: string): string {
  return `${project_id} ${key}`;
}

interface Storing {
  part: InboundPartRow;
  key: InboundKey;
  now: Date;
}

/** Stores a part, once. If a message with its reference was already reported, the new part may replace it. */
async function storePart(tx: Tx, { part, key, now }: Storing): Promise<void> {
  const held = await lockInboundParts(tx, key);
  const [first] = held;
  const joined = first?.joined_at ?? null;
  // A carrier's own id is never reused for another message.
  if (first !== undefined && first.total > 1 && joined !== null && (now.getTime() - joined.getTime() > repeatedMs || saysOther(held, part)))
    await deleteInboundParts(tx, key);
  else if (held.some(({ place }) => place === part.place)) return;
  await insertInboundPart(tx, part);
}

/** True if a part differs from the one that was reported with its message: some handsets use the same reference for every message. */
function saysOther(stored: readonly InboundPartRow[], { place, total, body }: InboundPartRow): boolean {
  return total > 1 && stored.some((part) => part.place === place && part.body !== traceOf(body));
}

/** The hash that is stored of a reported text: enough to recognize it, but not to read it. The database computes it in the same way. */
function traceOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, traceLength);
}

interface Joining {
  tenant: Tenant;
  key: InboundKey;
  /** No more parts will come: missing ones are marked. */
  isOver: boolean;
}

async function joinParts(tx: Tx, ctx: Ctx, { tenant, key, isOver }: Joining): Promise<void> {
  const parts = await lockInboundParts(tx, key);
  const [first] = parts;
  const bodies = new Map(parts.map(({ place, body }) => [place, body]));
  if (first === undefined || first.joined_at !== null || (bodies.size < first.total && !isOver)) return;
  await updateJoined(tx, key, traceLength);
  const body = Array.from({ length: first.total }, (_none, index) => bodies.get(index + 1) ?? gap).join("");
  const encoding = parts.find(({ encoding: one }) => one !== "GSM-7")?.encoding ?? "GSM-7";
  const segments = first.total === 1 ? splitText(body).segments.length : first.total;
  await receiveSms(tx, ctx, { tenant, provider: first.provider, from: key.sender, to: key.recipient, body, encoding, segments });
}

/** Reports messages whose other parts didn't come within a day, with the parts that did, and deletes reported ones. Returns how many. */
export async function endInboundParts(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "end_inbound_sms_parts", kind: "inbound_sms" });
  const before = new Date((await findNow(ctx.db)).getTime() - retentionMs);
  // Those that wait are listed too, and hide none of the others.
  const stale = await listStaleInbound(ctx.db, before, portion + pass.waiting.length * partsMax);
  const done = await pass.each(
    stale,
    ({ sender, recipient, message_key }) => `${recipient} ${message_key} ${traceOf(sender)}`,
    (parts) => endParts(ctx, parts),
  );
  pass.end();
  return done;
}

async function endParts(ctx: Ctx, { provider, ...parts }: Awaited<ReturnType<typeof listStaleInbound>>[number]): Promise<void> {
  const key = { ...parts, providers: accountOf(ctx, provider) };
  const tenant = await ctx.sms.senders.findOwner(ctx.db, key.recipient);
  await ctx.transact(async (tx) => {
    if (tenant !== null && key.message_key.startsWith(keyIn(tenant, ""))) await joinParts(tx, ctx, { tenant, key, isOver: true });
    await deleteInboundParts(tx, key);
  });
}
