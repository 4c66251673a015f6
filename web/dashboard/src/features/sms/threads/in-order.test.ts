import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";

const said = (created_at: string) => ({ status: "delivered" as const, scheduled_at: null, created_at });
const planned = (scheduled_at: string) => ({ status: "scheduled" as const, scheduled_at, created_at: "2026-11-20T08:00:00Z" });

test("a scheduled message comes after the replies that arrived since it was written", () => {
  const [scheduled, reply] = [planned("2026-11-21T08:00:00Z"), said("2026-11-20T09:00:00Z")];
  expect(inOrder([scheduled, reply])).toEqual([reply, scheduled]);
});

test("once it is sent, a scheduled message is where it was written", () => {
  const [sent, reply] = [{ ...planned("2026-11-20T08:30:00Z"), status: "delivered" as const }, said("2026-11-20T08:10:00Z")];
  expect(inOrder([reply, sent])).toEqual([sent, reply]);
});
