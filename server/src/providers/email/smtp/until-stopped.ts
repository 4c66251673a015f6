import type { SendOutcome } from "#email/index.ts";

/** Waits for the steps before a server has anything of a message, unless `signal` fires first: then returns null. */
export function untilStopped<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
  if (signal.aborted) return Promise.resolve(null);
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Nothing was attempted, so another worker can have it at once. */
export function stopped(provider: string, now: Date): SendOutcome {
  return { provider, result: "held", until: now, reason: "stopped" };
}
