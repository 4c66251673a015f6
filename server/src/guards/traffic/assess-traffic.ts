import type { PricedChannel } from "../prices/prices.sql.ts";
import type { Sums } from "./traffic.sql.ts";

export const pauseCauses = ["sequential_numbers", "dominant_prefix", "no_conversions"] as const;
export type PauseCause = (typeof pauseCauses)[number];

/** A project's traffic to one range of numbers. */
export interface RangeTraffic extends Sums {
  channel: PricedChannel;
  prefix: string;
  /** Numbers that were reached recently, without duplicates. */
  numbers: readonly string[];
  /** The range is in the merchant's own country. */
  is_home: boolean;
  /** The project's own limits haven't changed for a week: a market that its owner has just opened looks like an attack. */
  is_settled: boolean;
  /** Part of it was released recently: its totals say nothing new, so it isn't paused as a whole. */
  is_partly_released: boolean;
}

export interface PauseFigures {
  messages: number;
  codes: number;
  approved: number;
  /** The share of all recent messages that went to this range. */
  share_percent: number;
  /** The share of the numbers in the fullest thousand that are next to another one. */
  sequential_percent: number;
}

/** What to pause, and why. */
export interface Finding {
  cause: PauseCause;
  prefix: string;
  figures: PauseFigures;
}

/** Calls cost tens of times as much as messages, so fewer are enough. */
const thresholds = {
  sms: { numbers: 30, dominant: 1_000, past: 1_000 },
  call: { numbers: 15, dominant: 200, past: 200 },
} satisfies Record<PricedChannel, object>;

const sequentialShare = 0.8;
const dominance = { share: 0.9, pastShare: 0.01 };
/** Codes that were entered: few in a range while other ranges' are, or almost none if there is nothing to compare with. */
const conversion = { codes: 30, low: 0.1, others: 0.3, codesAlone: 100, none: 0.02 };

/** The fewest messages for which any rule could apply. */
export const messagesLeast = 15;

/**
 * Decides if traffic to a range looks like someone earns from it: consecutive numbers, codes that are never entered, or a foreign range
 * that suddenly is nearly all traffic. Ordinary campaigns, launches and sign-ups must not match.
 */
export function assessTraffic(range: RangeTraffic): Finding | null {
  const sequence = fullestSequence(range);
  const figures: PauseFigures = {
    messages: range.messages,
    codes: range.codes,
    approved: range.approved,
    share_percent: percent(range.messages, range.all_messages),
    sequential_percent: sequence === null ? 0 : percent(sequence.near, sequence.total),
  };
  if (sequence !== null && sequence.near / sequence.total >= sequentialShare)
    return { cause: "sequential_numbers", prefix: prefixOf(range, sequence), figures };
  if (range.is_partly_released) return null;
  if (comesBackToNothing(range)) return { cause: "no_conversions", prefix: range.prefix, figures };
  if (isSuddenlyAll(range)) return { cause: "dominant_prefix", prefix: range.prefix, figures };
  return null;
}

/** The whole range if half of its traffic is sequential, otherwise the ten thousand numbers around the sequence. */
function prefixOf({ is_partly_released, numbers, prefix }: RangeTraffic, sequence: Sequence): string {
  return !is_partly_released && sequence.total * 2 >= numbers.length ? prefix : sequence.prefix;
}

interface Sequence {
  /** Ten thousand numbers that share all but their last four digits. */
  prefix: string;
  total: number;
  near: number;
}

/** Of the thousands with enough reached numbers, the one with the highest share next to another. */
function fullestSequence({ numbers, channel }: RangeTraffic): Sequence | null {
  const thousands = Map.groupBy(numbers, (number) => number.slice(0, -3));
  let fullest: Sequence | null = null;
  for (const [thousand, members] of thousands) {
    if (members.length < thresholds[channel].numbers) continue;
    const near = nextToAnother(members.map((number) => Number(number.slice(-3))));
    if (fullest === null || near / members.length > fullest.near / fullest.total)
      fullest = { prefix: thousand.slice(1, -1), total: members.length, near };
  }
  return fullest;
}

/**
 * A step of two still counts: a third of all numbers in the thousand would have to be customers for four of five to be next to another by
 * chance.
 */
const step = 2;

function nextToAnother(values: readonly number[]): number {
  const order = [...values].sort((left, right) => left - right);
  return order.filter((value, at) => value - (order[at - 1] ?? -Infinity) <= step || (order[at + 1] ?? Infinity) - value <= step).length;
}

function comesBackToNothing(range: RangeTraffic): boolean {
  const { matured, approved } = range;
  if (matured < conversion.codes) return false;
  const rate = approved / matured;
  const others = range.all_matured - matured;
  if (others >= conversion.codes) return rate < conversion.low && (range.all_approved - approved) / others >= conversion.others;
  return matured >= conversion.codesAlone && rate <= conversion.none;
}

function isSuddenlyAll(range: RangeTraffic): boolean {
  const { dominant, past } = thresholds[range.channel];
  if (range.is_home || !range.is_settled || range.messages < dominant || range.past_all < past) return false;
  return range.messages / range.all_messages >= dominance.share && range.past_messages / range.past_all <= dominance.pastShare;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}
