import { describe, expect, test } from "vitest";
import { assessTraffic, type RangeTraffic } from "./assess-traffic.ts";

/** The same on every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const quiet: RangeTraffic = {
  ...{ channel: "sms", prefix: "86138", numbers: [], is_home: true, is_settled: true, is_partly_released: false },
  ...{ messages: 0, codes: 0, matured: 0, approved: 0, all_messages: 0, all_matured: 0, all_approved: 0, past_messages: 0, past_all: 0 },
};

/**
 * So many different numbers anywhere in a range with `free` digits behind its beginning, of which only a part of its thousands is given
 * out.
 */
function scattered(roll: () => number, given: { prefix: string; free: number; count: number; active?: number }): string[] {
  const { prefix, free, count, active = 1 } = given;
  const thousands = 10 ** (free - 3);
  const found = new Set<string>();
  while (found.size < count) {
    const thousand = Math.floor(roll() * thousands * active);
    found.add(`+${prefix}${String(thousand).padStart(free - 3, "0")}${String(Math.floor(roll() * 1_000)).padStart(3, "0")}`);
  }
  return [...found];
}

const inOrder = (from: number, count: number, step = 1) => Array.from({ length: count }, (_none, index) => `+${from + index * step}`);
const pumped = inOrder(998551230100, 40);

describe("ordinary traffic isn't paused", () => {
  test("campaigns, launches, alerts and sign-ups, thirty histories each", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      for (const [name, history] of Object.entries(ordinary(dice(seed))))
        expect(assessTraffic(history), `${name}, seed ${seed}`).toBeNull();
    }
  });
});

function ordinary(roll: () => number): Record<string, RangeTraffic> {
  const size = 200 + Math.floor(roll() * 3_000);
  const rate = 0.45 + roll() * 0.5;
  const campaign = { messages: size, all_messages: size * 3, past_messages: size, past_all: size * 4 };
  const codes = { codes: size, matured: size, approved: Math.floor(size * rate) };
  const allCodes = { all_matured: size * 2, all_approved: Math.floor(size * 2 * rate) };
  return {
    "a campaign at home": { ...quiet, ...campaign, numbers: scattered(roll, { prefix: "86138", free: 8, count: size }) },
    "a campaign in a small country, to a tenth of its people": {
      ...{ ...quiet, ...campaign, prefix: "356799" },
      numbers: scattered(roll, { prefix: "356799", free: 5, count: 2_000, active: 0.2 }),
    },
    "sign-ups": {
      ...{ ...quiet, messages: size, all_messages: size, past_all: size, ...codes, ...allCodes },
      numbers: scattered(roll, { prefix: "1415", free: 7, count: size }),
    },
    "the first codes of a new shop": { ...quiet, messages: 40, all_messages: 40, codes: 40, matured: 35, approved: Math.floor(35 * rate) },
    "a market that was opened this week": {
      ...{ ...quiet, is_home: false, is_settled: false, messages: size * 5, all_messages: size * 5, past_all: 10_000 },
      numbers: scattered(roll, { prefix: "447911", free: 6, count: size }),
    },
    "alerts to the same forty people": {
      ...{ ...quiet, messages: 800, all_messages: 800 },
      numbers: scattered(roll, { prefix: "4915112", free: 6, count: 40 }),
    },
    "a foreign range among others": {
      ...quiet,
      is_home: false,
      messages: 3_000,
      all_messages: 9_000,
      past_all: 20_000,
      past_messages: 100,
    },
    "a night with few codes, half of them entered": {
      ...quiet,
      ...{ codes: 29, matured: 29, approved: 14, all_matured: 29, all_approved: 14 },
    },
    "calls to customers": {
      ...{ ...quiet, channel: "call", messages: 150, all_messages: 150, past_all: 400 },
      numbers: scattered(roll, { prefix: "86138", free: 8, count: 150 }),
    },
  };
}

describe("attacks are detected", () => {
  const cover = scattered(dice(7), { prefix: "99855", free: 7, count: 400 });
  test.each<[string, Partial<RangeTraffic>, object]>([
    ["numbers one after the other", { numbers: pumped, messages: 40, all_messages: 40 }, { cause: "sequential_numbers", prefix: "998551" }],
    ["every second number", { numbers: inOrder(998551230100, 40, 2) }, { cause: "sequential_numbers", prefix: "998551" }],
    [
      "numbers in no order",
      { numbers: [...pumped].sort((left, right) => (left.slice(-1) < right.slice(-1) ? -1 : 1)) },
      { cause: "sequential_numbers" },
    ],
    [
      "among many ordinary ones, whose range is left open",
      { numbers: [...cover, ...pumped] },
      { cause: "sequential_numbers", prefix: "99855123" },
    ],
    ["calls, of which fewer are enough", { channel: "call", numbers: pumped.slice(0, 15) }, { cause: "sequential_numbers" }],
    [
      "codes that are never entered, where others' are",
      { matured: 60, approved: 2, codes: 60, all_matured: 160, all_approved: 82, messages: 60, all_messages: 160 },
      {
        cause: "no_conversions",
        prefix: "998551",
        figures: { messages: 60, codes: 60, approved: 2, share_percent: 38, sequential_percent: 0 },
      },
    ],
    [
      "codes that are never entered, and no others",
      { matured: 120, approved: 1, codes: 120, all_matured: 120, all_approved: 1 },
      { cause: "no_conversions" },
    ],
    [
      "a foreign range that is suddenly nearly all",
      { is_home: false, messages: 1_500, all_messages: 1_600, past_messages: 3, past_all: 5_000 },
      { cause: "dominant_prefix", prefix: "998551" },
    ],
  ])("%s", (_name, traffic, finding) => {
    expect(assessTraffic({ ...quiet, prefix: "998551", ...traffic })).toMatchObject(finding);
  });

  test.each<[string, Partial<RangeTraffic>]>([
    ["one number fewer", { numbers: pumped.slice(0, 29) }],
    ["every fourth number", { numbers: inOrder(998551230100, 40, 4) }],
    ["one code fewer", { matured: 29, approved: 0, all_matured: 129, all_approved: 80 }],
    ["a code in ten is entered", { matured: 60, approved: 6, all_matured: 160, all_approved: 86 }],
    ["others' codes fare no better", { matured: 60, approved: 2, all_matured: 160, all_approved: 12 }],
    ["three codes of a hundred and twenty", { matured: 120, approved: 3, all_matured: 120, all_approved: 3 }],
    ["at home", { is_home: true, messages: 1_500, all_messages: 1_600, past_all: 5_000 }],
    ["just opened", { is_home: false, is_settled: false, messages: 1_500, all_messages: 1_600, past_all: 5_000 }],
    ["a new project", { is_home: false, messages: 1_500, all_messages: 1_600, past_all: 900 }],
    ["known before", { is_home: false, messages: 1_500, all_messages: 1_600, past_messages: 100, past_all: 5_000 }],
  ])("short of it: %s", (_name, traffic) => {
    expect(assessTraffic({ ...quiet, prefix: "998551", ...traffic })).toBeNull();
  });
});
