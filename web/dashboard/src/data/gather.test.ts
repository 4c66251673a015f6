import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather } from "./gather.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("frequent changes are reported soon, then no oftener than requested, and the last one after it happened", () => {
  const deliveries: { at: number; kinds: string[] }[] = [];
  let at = 0;
  const { add } = gather((kinds) => void deliveries.push({ at, kinds: [...kinds] }), { calmMs: 400, apartMs: 5_000 });
  const pass = (ms: number) => {
    for (const end = at + ms; at < end; ) {
      at += 100;
      vi.advanceTimersByTime(100);
    }
  };
  while (at < 12_000) {
    add(`event ${at}`);
    pass(100);
  }
  pass(20_000);
  expect(deliveries.map(({ at }) => at)).toEqual([400, 5_400, 10_400, 15_400]);
  expect(new Set(deliveries.flatMap(({ kinds }) => kinds)).size).toBe(120);
  expect(deliveries.at(-1)?.kinds).toContain("event 11900");
  add("later");
  vi.advanceTimersByTime(400);
  expect(deliveries.at(-1)?.kinds).toEqual(["later"]);
});

test("nothing is reported after the end", () => {
  const notify = vi.fn();
  const { add, stop } = gather(notify, { calmMs: 400, apartMs: 400 });
  add("one");
  stop();
  vi.advanceTimersByTime(1_000);
  expect(notify).not.toHaveBeenCalled();
});
