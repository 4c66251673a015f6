import { expect, test } from "vitest";
import { createTransportBoard } from "#messaging/index.ts";
import type { Answer } from "#providers/telephony/twilio/account/answer.ts";
import { watchVoiceAccounts } from "./watch-accounts.ts";

const deferred = { kind: "deferred", status: 401, code: 20003, message: "Authenticate", retryAfterMs: null } as const;

test.each<[string, Answer, object]>([
  ["placed the call", { kind: "done", status: 201, body: {} }, { state: "up", handed: 1, failed: 0, error: null }],
  [
    "refused the number",
    { kind: "refused", status: 400, code: 21211, message: "Invalid number" },
    { state: "idle", handed: 0, failed: 1, error: null },
  ],
  [
    "doesn't know the account",
    { ...deferred, isAccount: true },
    { state: "down", handed: 0, failed: 1, error: "The carrier doesn't accept this server's account." },
  ],
  [
    "is busy",
    { ...deferred, status: 429, message: "Too many", isAccount: false },
    { state: "idle", handed: 0, failed: 1, error: "Too many" },
  ],
  [
    "lost its answer",
    { kind: "unknown", reason: "timeout" },
    { state: "idle", failed: 1, error: "The carrier's response was lost: timeout." },
  ],
])("an account that %s is shown as such", (_what, answer, shown) => {
  const board = createTransportBoard(() => new Date());
  const watch = watchVoiceAccounts(board, [{ name: "main" }], () => [{ name: "main", channels: 5, calls: 1 }]);
  watch("main", answer);
  expect(board.take()).toMatchObject([{ channel: "call", name: "http:main", kind: "http", in_flight: 1, capacity: 5, ...shown }]);
});
