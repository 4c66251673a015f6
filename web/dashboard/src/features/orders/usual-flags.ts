/** Flags that say how a payment was verified, and need no attention. */
export const usualFlags: ReadonlySet<string> = new Set(["manually_verified", "auto_matched"]);
