/** Timers of RFC 3261 §17, in milliseconds. */
export const t1 = 500;
export const t2 = 4_000;
export const t4 = 5_000;

/** Timers B, F, H, J: how long to wait for a message. */
export const timeoutMs = 64 * t1;
