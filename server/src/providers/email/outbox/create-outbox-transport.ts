import type { EmailTransport } from "#email/index.ts";

/** A transport that delivers nothing: it reports every message as accepted, and messages stay on this server to be inspected. */
export function createOutboxTransport(): EmailTransport {
  return {
    name: "outbox",
    concurrency: 100,
    send: async () => ({ provider: "outbox", result: "accepted", final: false }),
    close: async () => {},
  };
}
