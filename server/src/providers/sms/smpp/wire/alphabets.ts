/** What data coding 0 means on a bind: the carrier's own alphabet, about which SMPP says nothing. */
export const defaultAlphabets = ["gsm7", "gsm7-packed", "latin1", "ascii"] as const;
export type DefaultAlphabet = (typeof defaultAlphabets)[number];
