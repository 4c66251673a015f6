import { expect, test } from "vitest";
import type { EmailTransport, OutgoingEmail, SendOutcome } from "#email/index.ts";
import { createTransportBoard } from "#messaging/index.ts";
import { watchMail } from "./watch-mail.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const provider = "relay:smtp.example";
const bounce = { type: "permanent", subtype: "no_email" } as const;

test.each([
  ["accepted", { provider, result: "accepted", final: false }, { state: "up", handed: 1, failed: 0, error: null }],
  [
    "refused for its recipient",
    { provider, result: "refused", bounce, suppress: true },
    { state: "up", handed: 0, failed: 1, error: null },
  ],
  ["put off", { provider, result: "deferred", bounce }, { state: "idle", handed: 0, failed: 1, error: null }],
  ["not attempted", { provider, result: "held", until: noon, reason: "no slot" }, { state: "idle", handed: 0, failed: 0, error: null }],
  ["in doubt", { provider, result: "unknown" }, { state: "idle", failed: 1, error: "The connection was lost after the message was sent." }],
] as [string, SendOutcome, object][])("an email that is %s", async (_name, outcome, reported) => {
  const board = createTransportBoard(() => noon);
  let whileSending: unknown = null;
  const relay: EmailTransport = {
    name: "relay",
    concurrency: 20,
    async send() {
      whileSending = board.take()[0]?.in_flight;
      return outcome;
    },
    close: async () => {},
  };
  const { transport } = watchMail(board, { name: provider, transport: relay });
  expect(await transport.send({} as OutgoingEmail, new AbortController().signal)).toBe(outcome);
  expect(whileSending).toBe(1);
  expect(board.take()).toMatchObject([{ channel: "email", name: provider, kind: "relay", in_flight: 0, capacity: 20, ...reported }]);
});

test("a transport that fails is no longer in flight", async () => {
  const board = createTransportBoard(() => noon);
  const broken: EmailTransport = { name: "relay", concurrency: 1, send: () => Promise.reject(new Error("broken")), close: async () => {} };
  const { transport, notes } = watchMail(board, { name: provider, transport: broken });
  await expect(transport.send({} as OutgoingEmail, new AbortController().signal)).rejects.toThrow("broken");
  notes.down("535 5.7.8 wrong password", new Date(noon.getTime() + 30_000));
  const down = {
    state: "down",
    state_at: noon,
    paused_until: new Date(noon.getTime() + 30_000),
    error: "535 5.7.8 wrong password",
    in_flight: 0,
  };
  expect(board.take()).toMatchObject([down]);
  notes.up();
  expect(board.take()).toMatchObject([{ state: "up", paused_until: null, error: "535 5.7.8 wrong password" }]);
});
