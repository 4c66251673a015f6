import type { FastifyInstance, FastifyRequest } from "fastify";
import { limitedAddress } from "#requests/index.ts";

const minuteMs = 60_000;

/** Signatures cover the raw bytes, so nothing parses a body before they are verified. */
export function keepBodiesRaw(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
}

export function rawBodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Providers don't repeat headers: values of a repeated one are joined, as Node joins others. */
export function singleHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** Whether the sender had few enough refused callbacks recently. `receiver` is the account; null if none matched. */
export async function isAdmitted(app: FastifyInstance, request: FastifyRequest, receiver: string | null): Promise<boolean> {
  return (await app.limits.bucket("refused callbacks").look(subjectOf(request, receiver), ruleOf(app), request.startedAtMs)).allowed;
}

export async function countRefusal(app: FastifyInstance, request: FastifyRequest, receiver: string | null): Promise<void> {
  await app.limits.bucket("refused callbacks").take(subjectOf(request, receiver), ruleOf(app), request.startedAtMs);
}

function subjectOf({ ip }: FastifyRequest, receiver: string | null): string {
  return `${limitedAddress(ip)} ${receiver ?? "nobody"}`;
}

function ruleOf(app: FastifyInstance) {
  return { limit: app.runtime.settings.perMinuteUnauthenticated, windowMs: minuteMs };
}
