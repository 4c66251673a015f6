import { checkDestination, findGuard } from "#guards/index.ts";
import { readTelephone, type Telephone } from "#messaging/index.ts";
import { readSender } from "#numbers/index.ts";
import type { Ctx, Language, Tenant, Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { writeSms } from "../accept/accept-sms.ts";
import { newSms } from "../accept/new-sms.ts";
import type { Keyword } from "../shapes.ts";
import { splitText } from "../text/split-text.ts";
import { countAnswers } from "./sql.ts";
import { words } from "./words.ts";

interface KeywordAnswer {
  tenant: Tenant;
  /** Who replies, and who sent the keyword. */
  pair: { sender: string; recipient: string };
  keyword: Keyword;
  language: Language;
  now: Date;
}

const validMs = 36_000_000;
const timeoutMs = 2_000;
/**
 * Two programs that reply to each other would never stop, and someone who sends STOP and START in turn would cost the operator as many
 * replies.
 */
const pauseMs = 60_000;
const answersInPause: Readonly<Record<Keyword, number>> = { help: 1, start: 3, stop: 3 };
const dayMs = 86_400_000;
const answersInDay = 20;

/**
 * Replies to a person's keyword, outside of the quota and regardless of opt-outs. Sends no reply to a sender that isn't a number, to more
 * than a few keywords within a minute or twenty within a day, and in LIVE to numbers that have no route or countries that the project may
 * not send to.
 */
export async function answerKeyword(tx: Tx, ctx: Ctx, { tenant, pair, keyword, language, now }: KeywordAnswer): Promise<void> {
  const [sender, recipient] = [readSender(pair.sender), readTelephone(pair.recipient, { strict: false })];
  if (sender === null || typeof recipient === "string") return;
  if (tenant.livemode && !(await mayAnswer(tx, ctx, { tenant, to: recipient }))) return;
  const [since, recently] = [dayMs, pauseMs].map((ms) => new Date(now.getTime() - ms)) as [Date, Date];
  const { total, recent } = await countAnswers(tx, tenant, { ...pair, since, recently });
  if (recent >= answersInPause[keyword] || total >= answersInDay) return;
  const body = await answerOf(tx, tenant, { keyword, language });
  const checked = {
    sender,
    recipient,
    guard: null,
    admitted: null,
    body,
    split: splitText(body),
    scheduled_at: null,
    expires_at: new Date(now.getTime() + validMs),
  };
  const message = newSms(ctx, tenant, { tier: "system", input: {}, checked, batch_id: null, keyword });
  Object.assign(message.sms, { created_at: now, updated_at: now, due_at: now });
  await writeSms(tx, ctx, { messages: [message], timeoutMs });
}

/** Otherwise messages from the countries with the most expensive replies could run up our costs. */
async function mayAnswer(tx: Tx, ctx: Ctx, { tenant, to }: { tenant: Tenant; to: Telephone }): Promise<boolean> {
  if (!ctx.sms.routes.some((route) => route.takes({ to: to.number, country: to.country }))) return false;
  const guard = await findGuard({ db: tx }, tenant);
  let isAllowed = true;
  const add = () => {
    isAllowed = false;
  };
  if (guard !== null) await checkDestination({ db: tx, guards: ctx.guards }, guard, { channel: "sms", to, add });
  return isAllowed;
}

async function answerOf(tx: Tx, { project_id }: Tenant, { keyword, language }: { keyword: Keyword; language: Language }): Promise<string> {
  const texts = words[language];
  if (keyword === "stop") return texts.stopped;
  if (keyword === "start") return texts.started;
  const project = await findProject(tx, project_id);
  const { display_name, support_email } = project?.settings.branding ?? {};
  return texts.helped(display_name ?? project?.name ?? "", support_email === undefined ? "" : texts.contact(support_email));
}
