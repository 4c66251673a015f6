import type { Tenant, Tx } from "#platform/index.ts";
import { listEventsOf, updateEventBody } from "./sql.ts";

interface Redaction {
  object_id: string;
  /** Takes what is to go out of an event's data; answers whether there was anything. */
  redact(data: Record<string, unknown>): boolean;
}

const mostEvents = 1_000;

/**
 * Takes something out of the events of an object, for good: no list shows it from then on, and no delivery carries it. An event that was delivered before has other bytes
 * afterwards, which nothing else may bring about.
 */
export async function redactEvents(tx: Tx, tenant: Tenant, { object_id, redact }: Redaction): Promise<void> {
  for (const { id, body } of await listEventsOf(tx, tenant, { object_id, after: null, limit: mostEvents })) {
    const envelope = JSON.parse(body.toString()) as { data: Record<string, unknown> };
    if (redact(envelope.data)) await updateEventBody(tx, tenant, { id, body: JSON.stringify(envelope) });
  }
}
