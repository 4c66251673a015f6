import { messagingErrors } from "#messaging/index.ts";
import { type Ctx, pipeline, type Tenant, type Tx } from "#platform/index.ts";
import type { Admitted } from "../destination/check-destination.ts";
import type { Pace } from "../limits/pace.ts";
import type { PricedChannel } from "../prices/prices.sql.ts";
import { rangeOf } from "../traffic/ranges.ts";
import { countTraffic } from "../traffic/traffic.sql.ts";
import { type Cap, notifyParts } from "./notify-caps.ts";
import { requireFew, requirePace } from "./require-pace.ts";
import { currencyOf, insertSpending } from "./spending.sql.ts";
import { type Charge, insertCharges, insertRecipientWindows, type Measure, type Window } from "./sql.ts";

/** A LIVE message or call that is being accepted. */
export interface Admission {
  tenant: Tenant;
  message_id: string;
  channel: PricedChannel;
  recipient: string;
  /** Segments, or the minutes that it may last. */
  units: number;
  /** A code has separate windows, in its verification. */
  is_code: boolean;
  admitted: Admitted;
}

interface Admitting {
  messages: readonly Admission[];
  now: Date;
}

/**
 * Counts LIVE messages against their projects' spending caps, their recipients' limits, and the traffic that is assessed for abuse. Called
 * after `takeQuota`, at the end of a transaction: the counters' rows block a project's other transactions. Throws quota_exceeded.
 */
export async function admitMessages(tx: Tx, ctx: Ctx, { messages, now }: Admitting): Promise<void> {
  if (messages.length === 0) return;
  const windows = windowsOf(ctx.guards.pace, messages);
  requireFew(ctx.guards.pace, windows);
  const charges = messages.map((one) => chargeOf(one, now));
  const sums = sumsOf(messages, charges);
  const [, , uses, spent] = await pipeline(tx, (pipe) => [
    insertCharges(pipe, charges),
    countTraffic(pipe, messages.map(trafficOf)),
    insertRecipientWindows(pipe, windows),
    sums.map(({ tenant, cap, wanted }) => insertSpending(pipe, tenant, { ...cap, wanted, limit: cap.cap })),
  ]);
  requirePace(ctx.guards.pace, uses);
  const refused = spent.indexOf(null);
  if (refused >= 0) throw capReached((sums[refused] as Sum).cap, now);
  await notifyParts(
    tx,
    ctx,
    sums.map(({ tenant, cap }, index) => ({ tenant, cap, ...(spent[index] as { used: number; told: number }) })),
  );
}

function chargeOf({ tenant, message_id, channel, recipient, units, admitted }: Admission, now: Date): Charge {
  const { price_micros, currency } = admitted;
  const measure: Measure = price_micros !== null ? "spend_micros" : channel === "sms" ? "segments" : "minutes";
  const unit_amount = price_micros ?? 1;
  const same = { ...tenant, message_id, channel, recipient, prefix: rangeOf(recipient), measure };
  return {
    ...same,
    currency: currencyOf({ measure, currency }),
    day: now.toISOString().slice(0, 10),
    unit_amount,
    reserved: unit_amount * units,
    created_at: now,
  };
}

interface Sum {
  tenant: Tenant;
  cap: Cap;
  wanted: number;
}

/** The amount taken from each project's day and month, in the same order everywhere. */
function sumsOf(messages: readonly Admission[], charges: readonly Charge[]): Sum[] {
  const indices = Map.groupBy(
    messages.keys(),
    (index) => `${charges[index]?.project_id} ${charges[index]?.measure} ${charges[index]?.currency}`,
  );
  return [...indices.keys()].sort().flatMap((name) => {
    const members = indices.get(name) as number[];
    const [first] = members as [number];
    const { measure, day } = charges[first] as Charge;
    const { tenant, admitted } = messages[first] as Admission;
    const wanted = members.reduce((sum, index) => sum + (charges[index] as Charge).reserved, 0);
    const { caps, currency } = admitted;
    return [
      { tenant, wanted, cap: { measure, period: day, cap: caps[`daily_${measure}`], currency } },
      { tenant, wanted, cap: { measure, period: day.slice(0, 7), cap: caps[`monthly_${measure}`], currency } },
    ];
  });
}

function trafficOf({ tenant, channel, recipient, is_code }: Admission) {
  return { ...tenant, channel, prefix: rangeOf(recipient), codes: is_code ? 1 : 0, approved: 0, messages: 1 };
}

function windowsOf(pace: Pace, messages: readonly Admission[]): Window[] {
  const paced = Map.groupBy(
    messages.filter(({ is_code }) => !is_code),
    ({ tenant, channel, recipient }) => `${tenant.project_id} ${channel} ${recipient}`,
  );
  return [...paced.values()].map((members) => {
    const { tenant, channel, recipient } = members[0] as Admission;
    const [short, long] = pace[channel];
    return { ...tenant, channel, recipient, wanted: members.length, short_s: short.seconds, long_s: long.seconds };
  });
}

function capReached({ measure, period, cap, currency }: Cap, now: Date): Error {
  const isDay = period.length === 10;
  const ends = isDay
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return messagingErrors.quota_exceeded({
    ...{ reason: isDay ? "spend_cap_day" : "spend_cap_month", values: { measure, period, max: cap, currency } },
    message: `This would exceed the project's ${isDay ? "daily" : "monthly"} cap on LIVE messages and calls.`,
    headers: { "retry-after": String(Math.max(1, Math.ceil((ends - now.getTime()) / 1_000))) },
  });
}
