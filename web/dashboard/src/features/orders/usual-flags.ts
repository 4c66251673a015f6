/** Flags that say how a payment was verified, and nothing that somebody has to look at. */
export const usualFlags: ReadonlySet<string> = new Set(["manually_verified", "auto_matched"]);
