/** Time limits for a carrier. */
export interface SmppLimits {
  connectMs: number;
  bindMs: number;
  /** For the response to one submit. */
  responseMs: number;
  /** Interval between enquire_link requests. */
  enquireMs: number;
  /** The connection is closed after this many enquire_links without a response. */
  misses: number;
  /** How long a message waits for its turn before it's returned to the queue. */
  timeoutMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
}

export const usualLimits: SmppLimits = {
  connectMs: 10_000,
  bindMs: 30_000,
  responseMs: 30_000,
  enquireMs: 30_000,
  misses: 2,
  timeoutMs: 15_000,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
};

/** The wait before attempt number `failures` + 1: doubled each time, with jitter so that binds don't reconnect together. */
export function retryWait({ firstRetryMs, longestRetryMs }: SmppLimits, failures: number): number {
  const whole = Math.min(firstRetryMs * 2 ** Math.max(0, failures - 1), longestRetryMs);
  return whole * (0.75 + Math.random() * 0.5);
}
