import { expect, test } from "vitest";
import { createTransportBoard } from "#messaging/index.ts";
import type { TrunkHealth } from "#providers/voice/sip/create-sip-transport.ts";
import { watchTrunks } from "./watch-trunks.ts";

test("a trunk is down with its reason, up again, and counts the calls that it took and those that it didn't", () => {
  let now = new Date("2026-11-20T12:00:00Z");
  const board = createTransportBoard(() => now);
  const trunk: TrunkHealth = { name: "main", channels: 30, calls: 0, started: 0, failed: 0, fault: "it isn't registered yet" };
  watchTrunks(board, { trunks: () => [trunk] }, [{ name: "main", ping: false, register: true }]);
  const since = now;
  expect(board.take()).toMatchObject([{ channel: "call", name: "sip:main", kind: "sip", state: "down", error: trunk.fault, capacity: 30 }]);
  now = new Date(now.getTime() + 4_000);
  // The same fault, seen again, isn't a newer one.
  expect(board.take()).toMatchObject([{ state: "down", state_at: since, error_at: since }]);
  Object.assign(trunk, { fault: null, calls: 2, started: 5, failed: 1 });
  expect(board.take()).toMatchObject([{ state: "up", state_at: now, in_flight: 2, handed: 4, failed: 1 }]);
  expect(board.take()).toMatchObject([{ handed: 0, failed: 0 }]);
});

test("a trunk that isn't polled has no state before its first call", () => {
  const board = createTransportBoard(() => new Date());
  const trunk: TrunkHealth = { name: "quiet", channels: 4, calls: 0, started: 0, failed: 0, fault: null };
  watchTrunks(board, { trunks: () => [trunk] }, [{ name: "quiet", ping: false, register: false }]);
  expect(board.take()).toMatchObject([{ state: "idle", state_at: null }]);
  trunk.started = 1;
  expect(board.take()).toMatchObject([{ state: "up", handed: 1 }]);
});
