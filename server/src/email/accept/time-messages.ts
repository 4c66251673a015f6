import { expiryFrom } from "#messaging/index.ts";
import type { NewMessage } from "./new-message.ts";

/**
 * Replaces the times that this process's clock gave messages on arrival with the database's, and counts their expiry and due time from it.
 */
export function timeMessages(messages: readonly NewMessage[], now: Date): void {
  for (const { email, recipients } of messages) {
    const start = email.scheduled_at ?? now;
    const expires_at = expiryFrom(start, email);
    Object.assign(email, { expires_at, created_at: now, updated_at: now });
    for (const recipient of recipients) Object.assign(recipient, { due_at: start, expires_at, created_at: now, updated_at: now });
  }
}
