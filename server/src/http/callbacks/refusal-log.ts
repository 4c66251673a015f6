import type { FastifyError, FastifyInstance } from "fastify";
import { AppError } from "#platform/index.ts";

/** What a refused callback was for, and why it was refused. */
export interface Refusal {
  reason: "limited" | "too_large" | "unreadable";
  [about: string]: string | null;
}

const minuteMs = 60_000;

/**
 * Logs refused callbacks of which anyone can send any number: once a minute, with how many there were, so that they don't fill the disk.
 * `about` may only contain values that exist here.
 */
export function startRefusalLog(app: FastifyInstance, message: string): (refusal: Refusal) => void {
  const waiting = new Map<string, { refusal: Refusal; refused: number }>();
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const { refusal, refused } of waiting.values()) app.runtime.ctx.log.warn({ ...refusal, refused }, message);
    waiting.clear();
  };
  app.addHook("onClose", async () => write());
  return (refusal) => {
    const key = JSON.stringify(refusal);
    const known = waiting.get(key);
    if (known === undefined) waiting.set(key, { refusal, refused: 1 });
    else known.refused += 1;
    timer ??= setTimeout(write, minuteMs).unref();
  };
}

/** Why a callback was refused before or without being read; null if its error isn't a refusal of it. */
export function reasonOf(error: FastifyError | AppError): Refusal["reason"] | null {
  const statusCode = error instanceof AppError ? error.status : (error.statusCode ?? 500);
  if (statusCode === 413) return "too_large";
  if (statusCode === 429) return "limited";
  return statusCode >= 400 && statusCode < 500 ? "unreadable" : null;
}
