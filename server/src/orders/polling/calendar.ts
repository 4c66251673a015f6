import { createHash } from "node:crypto";
import { GatewayError } from "#gateways/index.ts";
import { AppError } from "#platform/index.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
export const dayMs = 86_400_000;
/** When a provider is first polled about something whose end was never reported. */
export const firstPollMs = 300_000;
/** Longer than a provider's response with all retries. */
export const longestCallMs = 180_000;
/** An open page has its payments polled for this long, and then says again that it is open. */
export const watchMs = 60_000;
/** A buyer who returns or reports a payment has it polled from the beginning again, at most this often. */
export const restartMs = 30_000;
/** After this many scheduled polls in a row without a response, an exception is opened. */
export const maxPolls = 5;
/** No provider takes longer: direct debits end within weeks. */
const longestDays = 30;

const calendarMs = [firstPollMs, hourMs, dayMs];

/** The delay before the next scheduled poll, after this many. */
export function waitAfter(polls: number): number {
  return stepAt(calendarMs, polls);
}

/**
 * The schedule by something's age: how many of its polls are due so far, and the delay before the next one. If the clock was ahead when it
 * was stored, its age is negative until the clock has caught up, and it is polled like something new.
 */
export function scheduleAt(ageMs: number): { polls: number; nextMs: number } {
  let polls = 0;
  let nextMs = waitAfter(0) - Math.max(0, ageMs);
  while (nextMs <= 0) {
    polls += 1;
    nextMs += waitAfter(polls);
  }
  return { polls, nextMs };
}

/** The delay if the provider reports that something is processing, by how long it has been. */
export function waitInProgress(ageMs: number): number {
  return ageMs < hourMs ? hourMs : dayMs;
}

/** Like `waitInProgress`, for something that the buyer has to act on: most do so soon, and no callback reports it. */
export function waitForBuyer(ageMs: number): number {
  if (ageMs < hourMs) return firstPollMs;
  return ageMs < dayMs ? hourMs : dayMs;
}

/**
 * The delay if the provider asks to wait with something: as many seconds as it says, at least a minute and at most a day. Up to another
 * minute, different for each thing and time, is added: what was refused together isn't requested at the same moment again.
 */
export function waitAsAsked({ id, at, retryAfter }: { id: string; at: Date; retryAfter: number | null }): number {
  const askedMs = Math.min(Math.max((retryAfter ?? 0) * 1_000, minuteMs), dayMs);
  const digest = createHash("sha256").update(`${id} ${at.getTime()}`).digest();
  return askedMs + (digest.readUInt32BE(0) % minuteMs);
}

/** A list of steps; the last one repeats. */
function stepAt(steps: readonly number[], count: number): number {
  return steps[Math.min(count, steps.length - 1)] as number;
}

/** Whether something has been processing for longer than any provider takes. */
export function isOverdue({ created_at }: { created_at: Date }, now: Date): boolean {
  return now.getTime() - created_at.getTime() > longestDays * dayMs;
}

/** Until when the request for something that was just stored may be on its way: its provider may not know it before. */
export function requestEnd({ created_at }: { created_at: Date }): Date {
  return new Date(created_at.getTime() + longestCallMs);
}

/** A provider's response to a poll; `absent`: it doesn't know it. `silent`: no useful response, or it couldn't be asked. */
export async function pollResult<Result>(question: () => Promise<Result>): Promise<Result | "absent" | "silent"> {
  try {
    return await question();
  } catch (error) {
    // An account whose adapter no longer exists in this installation isn't polled.
    if (error instanceof AppError) return "silent";
    if (!(error instanceof GatewayError)) throw error;
    return error.kind === "not_found" ? "absent" : "silent";
  }
}
