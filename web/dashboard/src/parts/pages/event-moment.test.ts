import { expect, test } from "vitest";
import type { Objects } from "../../data/client.ts";
import { eventMoment } from "./event-moment.ts";

const shown = { titles: { delivered: "Delivered" }, tones: { delivered: "paid" } } as const;
const event = (name: string, data: Record<string, unknown>) =>
  ({ id: "evt_1", event: name, data, created_at: "2026-11-20T10:05:00Z" }) as unknown as Objects["Event"];

test("an event happened when the carrier says it did, otherwise when it was recorded", () => {
  const delivered = { id: "evt_1", tone: "paid", title: "Delivered" };
  expect(eventMoment(event("sms.delivered", { occurred_at: "2026-11-20T10:00:00Z" }), shown)).toEqual({
    ...delivered,
    at: "2026-11-20T10:00:00Z",
  });
  expect(eventMoment(event("sms.delivered", { occurred_at: null }), shown)).toEqual({ ...delivered, at: "2026-11-20T10:05:00Z" });
});

test("an event of a newer server is shown under its own name", () => {
  expect(eventMoment(event("call.transferred", {}), shown)).toMatchObject({ title: "transferred", tone: "plain" });
});
