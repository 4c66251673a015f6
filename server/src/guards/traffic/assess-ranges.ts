import { emit } from "#events/index.ts";
import { readTelephone } from "#messaging/index.ts";
import { beginPass, type Ctx, findNow, notice, ownMerchantId, type Tx } from "#platform/index.ts";
import { findLimitsRow } from "../limits/limits.sql.ts";
import { assessTraffic, type Finding, messagesLeast } from "./assess-traffic.ts";
import { insertPause, type PauseRow } from "./pauses.sql.ts";
import { type BusyRange, listBusyRanges, listRecipients, listSums, type RangeKey } from "./traffic.sql.ts";

/** The recent time, in minutes; before it is the past. */
const windowMinutes = 70;
const pastDays = 8;
/** A released range is ignored for this long: a person has checked it. */
const restDays = 30;
const portion = 200;
const numbersMax = 5_000;
const weekMs = 7 * 86_400_000;

/** Assesses the ranges of numbers with much LIVE traffic, and pauses those that look like abuse. Returns how many it paused. */
export async function assessRanges(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "judge_traffic", kind: "project" });
  let paused = 0;
  for (let after: RangeKey | null = null; ; ) {
    const busy: BusyRange[] = await listBusyRanges(ctx.db, {
      minutes: windowMinutes,
      least: messagesLeast,
      restDays,
      after,
      limit: portion,
    });
    const channels = Map.groupBy(busy, ({ project_id, livemode, channel }) => `${project_id} ${livemode} ${channel}`);
    for (const [name, ranges] of channels) paused += (await pass.attemptInTurn(name, () => assessChannel(ctx, ranges))) ?? 0;
    const last = busy.at(-1);
    if (last === undefined || busy.length < portion) break;
    after = last;
  }
  pass.end();
  return paused;
}

/** Assesses ranges of one project and channel. */
async function assessChannel(ctx: Ctx, ranges: readonly BusyRange[]): Promise<number> {
  const [key] = ranges as [BusyRange];
  const limits = await findLimitsRow(ctx.db, key.project_id);
  if (limits === null) return 0;
  const prefixes = ranges.map(({ prefix }) => prefix);
  const sums = new Map((await listSums(ctx.db, key, { prefixes, minutes: windowMinutes, days: pastDays })).map((one) => [one.prefix, one]));
  const is_settled = limits.updated_at === null || (await findNow(ctx.db)).getTime() - limits.updated_at.getTime() > weekMs;
  let paused = 0;
  for (const range of ranges) {
    const counted = sums.get(range.prefix);
    if (counted === undefined) continue;
    const numbers = await listRecipients(ctx.db, range, { minutes: windowMinutes, restDays, limit: numbersMax });
    const finding = assessTraffic({ ...counted, ...range, numbers, is_home: isHome(numbers, limits.home_country), is_settled });
    if (finding !== null) paused += await ctx.transact((tx) => pause(tx, ctx, { key: range, finding }));
  }
  return paused;
}

/** Ranges can span countries: the first number determines this one's. */
function isHome([first = ""]: readonly string[], homeCountry: string | null): boolean {
  const read = readTelephone(first, { strict: false });
  return typeof read !== "string" && read.country === homeCountry;
}

async function pause(tx: Tx, ctx: Ctx, { key, finding }: { key: RangeKey; finding: Finding }): Promise<number> {
  const row = await insertPause(tx, key, { id: ctx.id("pau"), finding });
  if (row === null) return 0;
  await notifyPause(tx, ctx, { row, event: "paused" });
  const { project_id, livemode, channel, prefix, cause, figures } = row;
  const params = { project_id, livemode, channel, prefix, cause, messages: figures.messages };
  await notice(tx, ctx, { kind: "prefix_paused", recipient: project_id, params });
  await notice(tx, ctx, { kind: "prefix_paused", recipient: ownMerchantId, params });
  return 1;
}

/** Emits the event of a pause. */
export async function notifyPause(tx: Tx, ctx: Ctx, { row, event }: { row: PauseRow; event: "paused" | "released" }): Promise<void> {
  const { project_id, livemode, id, channel, prefix, cause, figures, status, paused_at, released_at } = row;
  const shown = { id, object: "messaging_pause", channel, prefix, cause, figures, status, paused_at, released_at };
  await emit(tx, ctx, {
    tenant: { project_id, livemode },
    events: [{ event: `messaging.${event}`, object_id: id, data: { pause: shown } }],
  });
}
