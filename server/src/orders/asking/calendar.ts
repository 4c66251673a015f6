import { GatewayError } from "#gateways/index.ts";
import { AppError } from "#platform/index.ts";

const hourMs = 3_600_000;
export const dayMs = 86_400_000;
/** When a provider is first asked by itself about what nobody told the end of. */
export const firstAskMs = 300_000;
/** After so many questions by the calendar without an answer a person is told. */
export const mostAsks = 5;
/** No provider takes longer: direct debits end within weeks. */
const longestDays = 30;

const calendarMs = [firstAskMs, hourMs, dayMs];

/** How long to wait before the next question by the calendar, after so many. */
export function waitAfter(asks: number): number {
  return stepAt(calendarMs, asks);
}

/** How long to wait where the provider says that something is under way, by how long it has been. */
export function waitUnderWay(ageMs: number): number {
  return ageMs < hourMs ? hourMs : dayMs;
}

/** As `waitUnderWay`, for what the buyer has to do something about: most do it soon, and no callback tells of it. */
export function waitForBuyer(ageMs: number): number {
  if (ageMs < hourMs) return firstAskMs;
  return ageMs < dayMs ? hourMs : dayMs;
}

/** A list of steps whose last one repeats. */
export function stepAt(steps: readonly number[], count: number): number {
  return steps[Math.min(count, steps.length - 1)] as number;
}

/** Whether something has been under way for longer than any provider takes. */
export function isOverdue({ created_at }: { created_at: Date }, now: Date): boolean {
  return now.getTime() - created_at.getTime() > longestDays * dayMs;
}

/** A provider's answer to a question; `absent`: it knows nothing of this. `silent`: it gave no answer that helps, or nobody here could ask. */
export async function heard<Word extends string>(question: () => Promise<Word>): Promise<Word | "absent" | "silent"> {
  try {
    return await question();
  } catch (error) {
    // An account whose adapter this installation no longer has is asked nothing.
    if (error instanceof AppError) return "silent";
    if (!(error instanceof GatewayError)) throw error;
    return error.kind === "not_found" ? "absent" : "silent";
  }
}
