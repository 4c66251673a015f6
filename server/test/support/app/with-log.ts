import { pino } from "pino";
import type { Ctx } from "#platform/index.ts";

/** The same context, with a log whose lines a test reads. */
export function withLog(ctx: Ctx): { ctx: Ctx; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { ctx: { ...ctx, log }, lines };
}
