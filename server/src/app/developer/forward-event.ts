import { createHmac } from "node:crypto";
import { signHeaders } from "#webhooks/index.ts";
import type { StreamedEvent } from "./follow-stream.ts";

const timeoutMs = 15_000;

/** The secret that `listen` signs with: different for each key, but always the same for one. */
export function listenSecret(apiKey: string): string {
  return `whsec_${createHmac("sha256", apiKey).update("tillpost listen").digest("base64")}`;
}

/** Posts an event to a developer's machine, signed like a real delivery, and returns one line about the result. */
export async function forwardEvent(event: StreamedEvent, given: { to: string; secret: string; at: Date }): Promise<string> {
  const body = Buffer.from(event.body);
  const headers = signHeaders({ current: given.secret, all: [given.secret] }, { event_id: event.id, at: given.at, body });
  const start = performance.now();
  const outcome = await fetch(given.to, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return `${answer.status}${answer.ok ? "" : "  not accepted: only 2xx is a success"}`;
    },
    (error: Error) => `no response: ${(error.cause as Error | undefined)?.message ?? error.message}`,
  );
  return `${given.at.toTimeString().slice(0, 8)}  ${event.event.padEnd(28)} ${event.id}  ${String(Math.round(performance.now() - start)).padStart(5)} ms  ${outcome}`;
}
