import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stallAlarmMs } from "./watch-event-loop.ts";

interface StallReport {
  line: string;
  after: { stalled_ms: number; ran: string[] };
  metrics: { name: string; values: { value: number }[] }[];
}

test("reports what blocks a process while it is blocked, and counts it afterwards", async () => {
  const child = fork(new URL("../../../../test/support/time/stalling.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  child.send("begin");
  const [report] = (await once(child, "message")) as [StallReport];
  // The line was written while the process could do nothing but wait for it.
  const line = JSON.parse(report.line.split("\n")[0] ?? "{}") as { level: string; msg: string; stalled_ms: number; ran: string[] };
  expect(line).toMatchObject({ level: "error", msg: "one piece of work holds this process up, which answers no one until it ends" });
  expect(line.ran.join("\n")).toContain("holdUp");
  expect(report.after.ran).toEqual(line.ran);
  expect(report.after.stalled_ms).toBeGreaterThanOrEqual(line.stalled_ms);
  const figure = (name: string) => report.metrics.find((one) => one.name === name)?.values[0]?.value ?? 0;
  expect(figure("tillpost_event_loop_stalls_total")).toBe(1);
  expect(figure("tillpost_event_loop_delay_max_seconds")).toBeGreaterThan(0.05);
});

test("the alarm is raised from one second on, as the guide for operators says", () => {
  const guide = readFileSync(new URL("../../../../../docs/operations.md", import.meta.url), "utf8");
  expect(stallAlarmMs).toBe(1_000);
  expect(guide).toContain("`tillpost_event_loop_stalls_total` (the process didn't respond to anyone for a second or longer");
});
