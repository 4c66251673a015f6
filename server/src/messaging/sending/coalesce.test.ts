import { expect, test } from "vitest";
import { eventually } from "#test/support/time/eventually.ts";
import { createCoalescer } from "./coalesce.ts";

const never = 60_000;

function coalescing({ waitMs = never } = {}) {
  const state = { runs: 0, isBusy: true };
  const results = createCoalescer({ most: 3, waitMs, isBusy: () => state.isBusy, run: () => void (state.runs += 1) });
  return { state, results };
}

test("a result that arrives individually is handled immediately", () => {
  const { state, results } = coalescing();
  state.isBusy = false;
  results.note(1);
  expect(state.runs).toBe(1);
});

test("while more are expected, it runs once enough have arrived, and once for all of them", () => {
  const { state, results } = coalescing();
  for (const [unhandled, runs] of [
    [1, 0],
    [2, 0],
    [3, 1],
  ] as const) {
    results.note(unhandled);
    expect(state.runs).toBe(runs);
  }
});

test("results are handled after a while, even if no more arrive", async () => {
  const { state, results } = coalescing({ waitMs: 1 });
  results.note(1);
  await eventually("a run", () => state.runs === 1);
});

test("a pending run is canceled, and the next result gets a new one", async () => {
  const { state, results } = coalescing({ waitMs: 20 });
  const later = coalescing({ waitMs: 20 });
  results.note(1);
  results.cancel();
  later.results.note(1);
  // Timers of one length run out in the order in which they were set.
  await eventually("the later one's run", () => later.state.runs === 1);
  expect(state.runs).toBe(0);
  results.note(1);
  await eventually("a run of its own", () => state.runs === 1);
});
