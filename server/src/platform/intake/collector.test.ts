import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepUntil, turns } from "#test/support/time/eventually.ts";
import { createWaitLimit } from "../database/driver/wait-limit.ts";
import { type CollectorOptions, createCollector } from "./collector.ts";

interface Item {
  tenant: string;
  value: number;
  names?: string[];
  weight?: number;
}

interface Group {
  items: Item[];
  end: PromiseWithResolvers<void>;
}

/** A collector whose groups end when the test says so, or at once. */
function collect(given: Partial<CollectorOptions<Item, number>> & { holds?: boolean }) {
  const groups: Group[] = [];
  const { holds = false, ...options } = given;
  const collector = createCollector<Item, number>({
    max: 8,
    concurrency: 2,
    supply: { usual: 10_000, reserved: 10_000 },
    waitMs: 60_000,
    tenantOf: ({ tenant }) => tenant,
    namesOf: ({ names }) => names ?? [],
    weightOf: ({ weight }) => weight ?? 1,
    async run(items) {
      const group = { items, end: Promise.withResolvers<void>() };
      groups.push(group);
      if (holds) await group.end.promise;
      if (items.some(({ value }) => value < 0)) throw new Error("refused");
      return items.map(({ value }) => value * 2);
    },
    ...options,
  });
  return { collector, groups, sizes: () => groups.map(({ items }) => items.length) };
}

const of = (tenant: string, count: number): Item[] => Array.from({ length: count }, (_, value) => ({ tenant, value }));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

it("runs together what waits at the same moment, and gives each its own result", async () => {
  const { collector, sizes } = collect({});
  expect(await Promise.all(of("a", 20).map(collector.add))).toEqual(of("a", 20).map(({ value }) => value * 2));
  expect(sizes()).toEqual([8, 8, 4]);
});

it("gathers what arrives while all groups are in progress", async () => {
  const { collector, groups, sizes } = collect({ holds: true });
  const first = [collector.add({ tenant: "a", value: 1 })];
  await turns();
  first.push(collector.add({ tenant: "a", value: 2 }));
  await turns();
  const rest = of("a", 7).map(collector.add);
  await turns();
  expect(sizes()).toEqual([1, 1]);
  groups[0]?.end.resolve();
  expect(await first[0]).toBe(2);
  await turns();
  expect(sizes()).toEqual([1, 1, 7]);
  for (const { end } of groups) end.resolve();
  await Promise.all([...first, ...rest]);
});

it("sorts the members of a group, and still gives each its own result", async () => {
  const { collector, groups } = collect({ isSorted: true, namesOf: ({ value }) => [String(9 - value)] });
  expect(await Promise.all(of("a", 4).map(collector.add))).toEqual([0, 2, 4, 6]);
  expect(groups[0]?.items.map(({ value }) => value)).toEqual([3, 2, 1, 0]);
});

describe("tenants", () => {
  it("take turns: one's flood doesn't delay another's item beyond the groups in progress", async () => {
    const { collector, groups } = collect({ holds: true });
    const flood = of("loud", 500).map(collector.add);
    await turns();
    const quiet = collector.add({ tenant: "quiet", value: 7 });
    groups[0]?.end.resolve();
    await turns();
    groups[2]?.end.resolve();
    expect(await quiet).toBe(14);
    expect(groups.length).toBeLessThanOrEqual(4);
    while (groups.length < 63) {
      for (const { end } of groups) end.resolve();
      await turns(1);
    }
    for (const { end } of groups) end.resolve();
    await Promise.all(flood);
  });

  it("have equal parts of a group, whoever was served last", async () => {
    const { collector, groups } = collect({ concurrency: 1, max: 4 });
    await Promise.all([...of("a", 20), ...of("b", 6), ...of("c", 3)].map(collector.add));
    const fairShares = groups.map(({ items }) => items.map(({ tenant }) => tenant).join(""));
    expect(fairShares).toEqual(["abca", "bcab", "caba", "baba", "aaaa", "aaaa", "aaaa", "a"]);
  });

  it("have no more in progress concurrently than allowed", async () => {
    const { collector, groups } = collect({ holds: true, max: 1, concurrency: 4, inProgressMax: 2 });
    const all = [...of("a", 4), ...of("b", 1)].map(collector.add);
    await turns();
    expect(groups.map(({ items }) => items[0]?.tenant)).toEqual(["a", "b", "a"]);
    while (groups.length < 5) {
      for (const { end } of groups) end.resolve();
      await turns(1);
    }
    for (const { end } of groups) end.resolve();
    await Promise.all(all);
  });
});

describe("names", () => {
  it("are never in progress twice, in one group or in two, and what waits for one holds up nothing else", async () => {
    const { collector, groups } = collect({ holds: true });
    const named = [1, 2, 3].map((value) => collector.add({ tenant: "a", value, names: ["key"] }));
    const other = collector.add({ tenant: "a", value: 4 });
    await turns();
    expect(groups.map(({ items }) => items.map(({ value }) => value))).toEqual([[1, 4]]);
    for (const [index, item] of named.entries()) {
      groups[index]?.end.resolve();
      await item;
      await turns();
    }
    expect(await other).toBe(8);
    expect(groups.map(({ items }) => items.length)).toEqual([2, 1, 1]);
  });
});

describe("a failed group", () => {
  it("is split: only the faulty member fails", async () => {
    const { collector, groups } = collect({ max: 64 });
    const items = [...of("a", 40), { tenant: "b", value: -1 }, ...of("c", 23)];
    const outcomes = await Promise.all(items.map((item) => codeOf(collector.add(item))));
    expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(1);
    expect(outcomes[40]).toBe("refused");
    expect(groups).toHaveLength(15);
  });

  it("is the last that its faulty member's tenant shares with others for a while", async () => {
    const { collector, groups } = collect({ concurrency: 1 });
    await Promise.all([...of("b", 3), { tenant: "a", value: -1 }].map((item) => codeOf(collector.add(item))));
    groups.splice(0);
    await Promise.all([...of("a", 5), ...of("b", 5), ...of("c", 5)].map(collector.add));
    expect(groups.map(({ items }) => items.map(({ tenant }) => tenant).join(""))).toEqual(["aaaaa", "bcbcbcbc", "bc"]);
  });

  it("isn't split below its first parts, if a wait for another transaction failed them", async () => {
    const held = (item: Item) => item.tenant === "held";
    const runs: number[] = [];
    const { collector } = collect({
      max: 64,
      isHeldUp: (error) => (error as Error).message === "held up",
      async run(items) {
        runs.push(items.length);
        if (items.some(held)) throw new Error("held up");
        return items.map(({ value }) => value);
      },
    });
    const outcomes = await Promise.all([...of("a", 56), ...of("held", 8)].map((item) => codeOf(collector.add({ ...item }))));
    expect(outcomes.slice(0, 56).filter((outcome) => outcome === "done").length).toBeGreaterThan(0);
    expect(outcomes.slice(56)).toEqual(Array(8).fill("held up"));
    expect(runs).toEqual([64, ...Array(8).fill(8)]);
  });

  it("isn't split if the error concerns all members", async () => {
    const { collector, groups } = collect({ isShared: () => true });
    const outcomes = await Promise.all([...of("a", 5), { tenant: "b", value: -1 }].map((item) => codeOf(collector.add(item))));
    expect(outcomes).toEqual(Array(6).fill("refused"));
    expect(groups).toHaveLength(1);
  });

  it("may return an error for one member, and results for the others", async () => {
    const { collector } = collect({ run: async (items) => items.map(({ value }) => (value === 1 ? new Error("not this one") : value)) });
    expect(await Promise.all(of("a", 3).map((item) => codeOf(collector.add(item))))).toEqual(["done", "not this one", "done"]);
  });
});

describe("when too much waits", () => {
  it("refuses more with Retry-After, first of the tenant that has most", async () => {
    const { collector, groups } = collect({ holds: true, concurrency: 1, supply: { usual: 10, reserved: 8 } });
    const loud = of("loud", 30).map(collector.add);
    const refusals = loud.map(codeOf);
    const quiet = [...of("quiet", 3)].map(collector.add);
    await expect(loud[29]).rejects.toMatchObject({ code: "service_unavailable", status: 503, extras: { headers: { "retry-after": "1" } } });
    while (groups.length < 2) {
      await turns(1);
      for (const { end } of groups) end.resolve();
    }
    expect(await Promise.all(quiet)).toEqual([0, 2, 4]);
    expect((await Promise.all(refusals)).filter((code) => code === "service_unavailable")).toHaveLength(20);
    const again = collector.add({ tenant: "loud", value: 30 });
    await turns();
    groups.at(-1)?.end.resolve();
    expect(await again).toBe(60);
  });

  it("refuses what waited too long without running it", async () => {
    const { collector, groups } = collect({ holds: true, concurrency: 1, max: 1, waitMs: 40 });
    const [running, ...late] = of("a", 3).map(collector.add) as [Promise<number>, ...Promise<number>[]];
    expect(await Promise.all(late.map(codeOf))).toEqual(["service_unavailable", "service_unavailable"]);
    groups[0]?.end.resolve();
    expect(await running).toBe(0);
    await collector.drain();
    expect(groups).toHaveLength(1);
  });
});

it("is drained once everything that arrived before has its result", async () => {
  const { collector, groups } = collect({ holds: true });
  await collector.drain();
  const items = of("a", 20).map(collector.add);
  let isDrained = false;
  const drained = collector.drain().then(() => {
    isDrained = true;
  });
  await turns();
  expect(isDrained).toBe(false);
  const step = () => {
    for (const { end } of groups) end.resolve();
    return turns(1);
  };
  await stepUntil("it is drained", { holds: () => isDrained, step });
  await drained;
  expect(await Promise.all(items)).toHaveLength(20);
});

it("gives everything one result, whatever arrives in whatever order, and no name is in progress twice", async () => {
  const item = fc.record({
    tenant: fc.constantFrom("a", "b", "c"),
    value: fc.integer({ min: -1, max: 9 }),
    names: fc.array(fc.constantFrom("x", "y", "z")),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
      const inProgress = new Set<string>();
      const { collector } = collect({
        max: 5,
        async run(group) {
          const names = group.flatMap((one) => [...new Set(one.names)]);
          expect(new Set(names).size).toBe(names.length);
          for (const name of names) {
            expect(inProgress.has(name)).toBe(false);
            inProgress.add(name);
          }
          await turns(1);
          for (const name of names) inProgress.delete(name);
          if (group.some(({ value }) => value < 0)) throw new Error("refused");
          return group.map(({ value }) => value);
        },
      });
      const outcomes = await Promise.all(items.map((one) => collector.add(one).catch((error: Error) => error.message)));
      expect(outcomes).toEqual(items.map(({ value }) => (value < 0 ? "refused" : value)));
    }),
  );
});

it("no longer runs what still waits for a group when its request has waited as long as it may, and ends the wait for what is in progress", async () => {
  const { collector, groups } = collect({ holds: true, concurrency: 1 });
  const hurried = (value: number) => createWaitLimit({ ms: 20 }).run(() => codeOf(collector.add({ tenant: "a", value })));
  const running = [hurried(1), collector.add({ tenant: "a", value: 2 })] as const;
  await turns();
  const queued = [hurried(3), collector.add({ tenant: "a", value: 4 })] as const;
  for (const ended of [running[0], queued[0]]) expect(await ended).toBe("CONNECTION_WAIT_LIMIT");
  groups[0]?.end.resolve();
  expect(await running[1]).toBe(4);
  await turns();
  groups[1]?.end.resolve();
  expect(await queued[1]).toBe(8);
  await collector.drain();
  expect(groups.map(({ items }) => items.map(({ value }) => value))).toEqual([[1, 2], [4]]);
});
