import { expect, test } from "vitest";
import { createTransportBoard } from "#messaging/index.ts";
import { watchAccounts } from "./watch-accounts.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const later = new Date("2026-11-20T12:01:00Z");

function watched() {
  const account = { name: "main", inFlight: 0, capacity: 5, pausedUntil: null as Date | null };
  const board = createTransportBoard(() => noon);
  return { account, board, accounts: watchAccounts(board, "sms", { names: ["main"], look: () => [account] }) };
}

test("an account is idle until its first response, then up, and what was sent and refused is counted", () => {
  const { account, board, accounts } = watched();
  expect(board.take()).toMatchObject([{ channel: "sms", name: "http:main", kind: "http", state: "idle", capacity: 5 }]);
  account.inFlight = 2;
  accounts.answered("main", { result: "accepted", reason: null });
  accounts.answered("main", { result: "refused", reason: "This number doesn't exist." });
  expect(board.take()).toMatchObject([{ state: "up", state_at: noon, in_flight: 2, handed: 1, failed: 1, error: null }]);
});

test("an account that rests is down with its reason and the time of the next attempt, until it accepts again", () => {
  const { board, accounts } = watched();
  accounts.down("main", "Too many requests.", later);
  accounts.answered("main", { result: "failed", reason: "Too many requests." });
  expect(board.take()).toMatchObject([{ state: "down", error: "Too many requests.", paused_until: later, failed: 1 }]);
  accounts.answered("main", { result: "accepted", reason: null });
  expect(board.take()).toMatchObject([{ state: "up", paused_until: null, handed: 1, error: "Too many requests." }]);
});
