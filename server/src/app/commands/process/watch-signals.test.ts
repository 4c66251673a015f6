import { expect, test, vi } from "vitest";
import { turns } from "#test/support/time/eventually.ts";
import { watchSignals } from "./watch-signals.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

test("the first signal asks for an orderly end; one right after it is the same request, and a later one asks for a quick end", async () => {
  const now = vi.spyOn(performance, "now");
  const { first, second, stop } = watchSignals();
  const asked: string[] = [];
  void first.then(() => asked.push("in order"));
  void second.then(() => asked.push("quickly"));
  try {
    for (const signal of signals) expect(process.listeners(signal)).toContain(stop);
    for (const [atMs, expected] of [
      [1_000, ["in order"]],
      [1_500, ["in order"]],
      [2_000, ["in order", "quickly"]],
    ] as const) {
      now.mockReturnValue(atMs);
      stop();
      await turns();
      expect(asked).toEqual(expected);
    }
  } finally {
    now.mockRestore();
    for (const signal of signals) process.off(signal, stop);
  }
});
