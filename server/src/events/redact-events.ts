import type { Tenant, Tx } from "#platform/index.ts";
import { listEventsOf, updateEventBody } from "./sql.ts";

interface Redaction {
  object_id: string;
  /** Removes values from an event's data; returns whether there were any. */
  redact(data: Record<string, unknown>): boolean;
}

const maxEvents = 1_000;

/**
 * Permanently removes values from the events of an object: no list or delivery has them from then on. The bytes of an event that was
 * already delivered change, which only happens here.
 */
export async function redactEvents(tx: Tx, tenant: Tenant, { object_id, redact }: Redaction): Promise<void> {
  for (const { id, body } of await listEventsOf(tx, tenant, { object_id, after: null, limit: maxEvents })) {
    const envelope = JSON.parse(body.toString()) as { data: Record<string, unknown> };
    if (redact(envelope.data)) await updateEventBody(tx, tenant, { id, body: JSON.stringify(envelope) });
  }
}
