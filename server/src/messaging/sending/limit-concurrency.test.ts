import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

test("no more run concurrently than there are slots, and each starts in a separate turn of the event loop", async () => {
  const limited = limitConcurrency(2);
  let turn = 0;
  const beginnings: number[] = [];
  let [running, most, ended] = [0, 0, 0];
  const works = Array.from({ length: 6 }, () =>
    limited(async () => {
      beginnings.push(turn);
      running += 1;
      most = Math.max(most, running);
      await yieldToEventLoop();
      await yieldToEventLoop();
      await yieldToEventLoop();
      running -= 1;
    }).then(() => void (ended += 1)),
  );
  for (; ended < works.length; turn += 1) await yieldToEventLoop();
  expect(most).toBe(2);
  expect(new Set(beginnings).size).toBe(works.length);
});

test("a failing piece of work frees its slot for the next", async () => {
  const limited = limitConcurrency(1);
  await expect(limited(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await limited(async () => "done")).toBe("done");
});
