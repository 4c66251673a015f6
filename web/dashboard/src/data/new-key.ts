/**
 * A value for `Idempotency-Key`. Not `randomUUID`, which browsers withhold from pages that were loaded over plain http, as in a shop's own
 * network.
 */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
