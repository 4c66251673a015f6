import { expect, it } from "vitest";
import { aggregateStatus, type EmailStatus, emailStates, emailStatuses } from "./states.ts";

const ends: EmailStatus[] = ["delivered", "bounced", "complained", "failed", "suppressed", "canceled"];

it("lets nothing leave a final state, except for later reports about a delivered message", () => {
  const out = ends.flatMap((from) => emailStatuses.filter((to) => emailStates.allows(from, to)).map((to) => `${from}>${to}`));
  expect(out).toEqual(["delivered>bounced", "delivered>complained"]);
});

it("reaches every state from acceptance, and a final one from every open one", () => {
  const reachable = (from: EmailStatus, seen = new Set<EmailStatus>()): Set<EmailStatus> => {
    if (seen.has(from)) return seen;
    seen.add(from);
    for (const to of emailStatuses) if (emailStates.allows(from, to)) reachable(to, seen);
    return seen;
  };
  expect([...reachable("scheduled")].sort()).toEqual([...emailStatuses].sort());
  for (const status of emailStatuses) expect([...reachable(status)].some((reached) => ends.includes(reached))).toBe(true);
});

it("lists each legal move once", () => {
  expect(new Set(emailStates.moves).size).toBe(emailStates.moves.length);
  expect(emailStates.moves).toContain("sending>delivered");
  expect(emailStates.moves).not.toContain("delivered>sending");
});

const sums: [EmailStatus[], EmailStatus][] = [
  [["queued"], "queued"],
  [["delivered", "queued"], "queued"],
  [["sending", "queued"], "queued"],
  [["sending", "bounced"], "sending"],
  [["delivery_delayed", "sent"], "delivery_delayed"],
  [["sent", "delivered"], "sent"],
  [["delivered", "bounced", "failed"], "delivered"],
  [["delivered", "complained"], "delivered"],
  [["complained", "bounced"], "complained"],
  [["bounced", "failed"], "bounced"],
  [["failed", "suppressed"], "failed"],
  [["suppressed", "canceled"], "suppressed"],
  [["canceled"], "canceled"],
];
it.each(sums)("summarizes %j as %s", (statuses, whole) => {
  expect(aggregateStatus(statuses)).toBe(whole);
  expect(aggregateStatus([...statuses].reverse())).toBe(whole);
});
