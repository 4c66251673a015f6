/** How long a carrier may take for what. */
export interface SmppLimits {
  connectMs: number;
  bindMs: number;
  /** For the answer to one submit. */
  responseMs: number;
  /** Between two questions whether the carrier is still there. */
  enquireMs: number;
  /** Such questions without an answer after which the connection is given up. */
  misses: number;
  /** How long a message waits for its turn before it is handed back. */
  patienceMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
}

export const usualLimits: SmppLimits = {
  connectMs: 10_000,
  bindMs: 30_000,
  responseMs: 30_000,
  enquireMs: 30_000,
  misses: 2,
  patienceMs: 15_000,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
};

/** The wait before attempt number `failures` + 1: doubled each time, and spread so that binds don't come back together. */
export function retryWait({ firstRetryMs, longestRetryMs }: SmppLimits, failures: number): number {
  const whole = Math.min(firstRetryMs * 2 ** Math.max(0, failures - 1), longestRetryMs);
  return whole * (0.75 + Math.random() * 0.5);
}
