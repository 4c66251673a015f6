/**
 * Rooms of `server/src`, lowest first: the one list that every import rule follows from. A room imports only rooms before it, through their
 * `index.ts`.
 */
export const ladder = [
  "platform",
  "events",
  "audit",
  "identity",
  "projects",
  "assets",
  "ledger",
  "gateways",
  "collection",
  "orders",
  "reconciliation",
  "checkout",
  "webhooks",
  "messaging",
  "numbers",
  "guards",
  "email",
  "sms",
  "calls",
  "verifications",
  "notices",
  "schemas",
  "requests",
  "openapi",
  "http",
  "workers",
  "listeners",
  "app",
] as const;

/** Outside the ladder: adapters of payment providers and message transports, which only `app` imports. */
export const sideRoom = "providers";
