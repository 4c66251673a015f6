/** The meaning of data coding 0 on a bind: the carrier's default alphabet, which SMPP doesn't define. */
export const defaultAlphabets = ["gsm7", "gsm7-packed", "latin1", "ascii"] as const;
export type DefaultAlphabet = (typeof defaultAlphabets)[number];
