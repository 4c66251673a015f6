import { expect, test } from "vitest";
import { dayOf, nextSpan } from "./next-span.ts";

const id = "gc_01m7wje4wze7as3wcxk3xbrgav";
const at = (text: string) => new Date(`${text}Z`);
const spanOf = (created: string, until: string | null, now: string) =>
  nextSpan({ id, created_at: at(created), compared_until: until === null ? null : at(until) }, at(now));

test.each([
  ["the day in which the account was added comes first", "2026-11-20T10:00", null, "2026-11-20T10:01", "2026-11-19T16:00"],
  ["the day after the one that was compared follows", "2026-01-01T00:00", "2026-11-19T16:00", "2026-11-20T10:01", "2026-11-19T16:00"],
  ["after a long pause the newest days are caught up on", "2026-01-01T00:00", "2026-03-01T16:00", "2026-11-20T10:00", "2026-10-19T16:00"],
])("%s", (_name, created, until, now, from) => {
  const { span } = spanOf(created, until, now);
  expect(span).toEqual({ from: at(from), to: new Date(at(from).getTime() + 86_400_000) });
});

test("a day is due twelve hours after its end, within another six, at the same minute for the same account", () => {
  const { span, dueAt } = spanOf("2026-11-20T10:00", null, "2026-11-20T10:01");
  const hours = (dueAt.getTime() - span.to.getTime()) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(12);
  expect(hours).toBeLessThan(18);
  expect(spanOf("2026-11-20T10:00", null, "2026-11-20T23:00").dueAt).toEqual(dueAt);
});

test("days are consecutive without a gap", () => {
  let until = dayOf(at("2026-10-30T03:00"));
  for (let days = 0; days < 20; days += 1) {
    const { span } = nextSpan({ id, created_at: at("2026-01-01T00:00"), compared_until: until }, at("2026-11-20T10:00"));
    expect(span.from).toEqual(until);
    until = span.to;
  }
});
