import { expect, test } from "vitest";
import { eventually } from "#test/eventually.ts";
import { createGather } from "./gather.ts";

const never = 60_000;

function gathering({ waitMs = never } = {}) {
  const state = { rings: 0, isBusy: true };
  const gather = createGather({ most: 3, waitMs, isBusy: () => state.isBusy, ring: () => void (state.rings += 1) });
  return { state, gather };
}

test("what comes alone is seen to at once", () => {
  const { state, gather } = gathering();
  state.isBusy = false;
  gather.note(1);
  expect(state.rings).toBe(1);
});

test("while more is to come, it rings when enough have come, and once for all of them", () => {
  const { state, gather } = gathering();
  for (const [come, rings] of [
    [1, 0],
    [2, 0],
    [3, 1],
  ] as const) {
    gather.note(come);
    expect(state.rings).toBe(rings);
  }
});

test("what came rings after a while, though no more comes", async () => {
  const { state, gather } = gathering({ waitMs: 1 });
  gather.note(1);
  await eventually("a ring", () => state.rings === 1);
});

test("a ring for what has been seen to is taken back, and the next thing gets one of its own", async () => {
  const { state, gather } = gathering({ waitMs: 20 });
  const later = gathering({ waitMs: 20 });
  gather.note(1);
  gather.silence();
  later.gather.note(1);
  // Timers of one length run out in the order in which they were set.
  await eventually("the later one's ring", () => later.state.rings === 1);
  expect(state.rings).toBe(0);
  gather.note(1);
  await eventually("a ring of its own", () => state.rings === 1);
});
