import { createHash } from "node:crypto";
import { createEmail, type EmailInput, emailChannel, readMailbox } from "#email/index.ts";
import { findSuppressed } from "#messaging/index.ts";
import {
  AppError,
  type ClaimedNotice,
  type Ctx,
  claimNotices,
  createLeaseNames,
  findNow,
  finishNotices,
  firstLanguage,
  isUnavailable,
  languageOf,
  noticeLeaseMs,
  noticeQueue,
  ownProject,
  type Portion,
  retryNotices,
  returnNotices,
  withClaim,
  workPortion,
} from "#platform/index.ts";
import { findReaders, type Reader } from "./find-readers.ts";
import type { Kind } from "./kinds/facts.ts";
import { type ParamsOf, readParams } from "./kinds/params.ts";
import { kindTable } from "./kinds/prepare.ts";
import { type KindRules, type Prepared, UndeliverableNotice } from "./kinds/prepared.ts";
import { writeMail } from "./write-mail.ts";

const gatherings = [{ kind: "proof_waiting", quietMs: 300_000 }];
const portion = 50;
/** A notice that was not sent within a day is outdated, and its links have expired. */
const expiresAfterMs = 24 * 3_600_000;
const soonestMs = 5_000;
const latestMs = 15 * 60_000;

const names = createLeaseNames();
type Mails = [ClaimedNotice, ...ClaimedNotice[]];

const noticePortion: Portion<Mails> = {
  queue: noticeQueue,
  leaseMs: noticeLeaseMs,
  limit: portion,
  async claim(ctx, wanted) {
    const mails = Map.groupBy(await claimNotices(ctx, { ...wanted, gatherings }), mailOf);
    return [...mails.values()] as Mails[];
  },
  work: send,
  release: (ctx, mails) => returnNotices(ctx, mails.flat()),
};

/** Writes the emails of due notices and passes them to messaging; returns how many emails. Never writes the same email twice. */
export function sendNotices(ctx: Ctx, closing?: AbortSignal): Promise<number> {
  return workPortion(ctx, noticePortion, { names, closing });
}

/** Which notices share one email: those that are collected, of one environment; every other one gets its own. */
function mailOf(notice: ClaimedNotice): string {
  if (!gatherings.some(({ kind }) => kind === notice.kind)) return notice.id;
  const { livemode } = (notice.params ?? {}) as { livemode?: unknown };
  return `${notice.batch} ${notice.kind} ${notice.recipient} ${livemode === true}`;
}

async function send(ctx: Ctx, notices: Mails): Promise<void> {
  const [first] = notices;
  const about = { notice: first.id, kind: first.kind };
  try {
    const end = await write(ctx, notices);
    if (end.state === "failed") ctx.log.error({ ...about, reason: end.reason }, "a notice couldn't be sent");
    await finishNotices(ctx, notices, end);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const reason = error instanceof AppError ? error.code : error instanceof UndeliverableNotice ? error.reason : "fault";
    if (error instanceof UndeliverableNotice || (await findNow(ctx.db)).getTime() - first.created_at.getTime() > expiresAfterMs) {
      ctx.log.error({ ...about, err: error }, "a notice is no longer tried");
      await finishNotices(ctx, notices, { state: "failed", reason });
      return;
    }
    ctx.log.warn({ ...about, err: error }, "a notice couldn't be sent; trying again");
    const wait_ms = Math.min(soonestMs * 2 ** Math.min(first.attempts - 1, 10), latestMs);
    await retryNotices(ctx, notices, { wait_ms, reason });
  }
}

type End = { state: "sent" | "skipped" | "failed"; reason: string | null };

async function write(ctx: Ctx, notices: Mails): Promise<End> {
  const [first] = notices;
  if (!Object.hasOwn(kindTable, first.kind)) return { state: "failed", reason: "unknown_kind" };
  const kind = first.kind as Kind;
  const params = (await Promise.all(notices.map((notice) => readParams(kind, notice.params)))).filter((one) => one !== null);
  if (params.length === 0) return { state: "failed", reason: "unknown_params" };
  const rules = kindTable[kind] as KindRules<Kind>;
  const prepared = await rules.prepare(ctx, { params: params as [ParamsOf[Kind]], recipient: first.recipient });
  if (prepared === null) return { state: "skipped", reason: "nothing_left" };
  const readers = await willing(ctx, kind, await findReaders(ctx, first.recipient, rules.roles));
  if (readers.length === 0) return { state: "skipped", reason: "nobody" };
  const refused: string[] = [];
  for (const reader of readers) {
    const code = await mail(ctx, { id: first.id, kind, prepared, reader });
    if (code !== null) refused.push(code);
  }
  return refused.length < readers.length ? { state: "sent", reason: null } : { state: "failed", reason: refused[0] ?? null };
}

/** A buyer who marked a receipt as spam gets no more. What concerns an account still reaches its owner. */
async function willing(ctx: Ctx, kind: Kind, readers: Reader[]): Promise<Reader[]> {
  if (!isForBuyers(kind)) return readers;
  const suppressed = await findSuppressed(ctx.db, ownProject, { channel: emailChannel, addresses: readers.map(({ address }) => address) });
  return readers.filter(({ address }) => !suppressed.has(address));
}

interface Mail {
  id: string;
  kind: Kind;
  prepared: Prepared;
  reader: Reader;
}

/**
 * Accepts one email for sending, once for each notice and reader: its key is written with it. Returns the code of a refusal that no retry
 * would change.
 */
async function mail(ctx: Ctx, given: Mail): Promise<string | null> {
  const { id, reader } = given;
  const key = `${id}:${createHash("sha256").update(reader.address.toLowerCase()).digest("hex").slice(0, 16)}`;
  const claimed = withClaim(ctx, { ...ownProject, method: "POST", path: "/notices", key, fingerprint: key });
  try {
    await createEmail(claimed, ownProject, { tier: "system", email: emailOf(ctx, given), secret: isSecret(given.kind) });
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 409 || error.status === 429) throw error;
    ctx.log.error({ notice: id, kind: given.kind, code: error.code, reason: error.message }, "a notice's email was refused");
    return error.code;
  }
}

/** True if its link opens an account or gives a role in one, or shows someone's order. */
function isSecret(kind: Kind): boolean {
  return kindTable[kind].opensAccount === true || isForBuyers(kind);
}

function isForBuyers(kind: Kind): boolean {
  return kind === "order_paid" || kind === "order_refunded" || kind === "refund_claim" || kind === "refund_returned";
}

function emailOf(ctx: Ctx, { kind, prepared, reader }: Mail): EmailInput {
  const lang = reader.language ?? languageOf(prepared.language) ?? firstLanguage;
  const { subject, html, text, speaker } = writeMail(ctx, { kind, facts: prepared.facts, lang, test: prepared.test === true });
  return {
    from: senderFor(ctx, speaker),
    to: reader.address,
    ...(prepared.reply_to === undefined || readMailbox(prepared.reply_to) === null ? {} : { reply_to: prepared.reply_to }),
    subject,
    html,
    text,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Id": `Tillpost ${speaker === null ? "notices" : "receipts"} <${speaker === null ? "notices" : "receipts"}.${ctx.mail.domain}>`,
    },
    category: "transactional",
    tags: [{ name: "notice", value: kind.replace(".", "_") }],
  };
}

/** A buyer knows the merchant, not us, so its name is shown with our address. */
function senderFor(ctx: Ctx, speaker: string | null): string {
  const own = readMailbox(ctx.mail.from);
  return speaker === null || own === null ? ctx.mail.from : `"${speaker.replace(/["\\]/g, "")}" <${own.address}>`;
}
