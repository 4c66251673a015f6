/** The default alphabet of GSM 03.38: a character's position is its septet. Position 27 is the escape, which isn't a character. */
const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const escapeSeptet = 0x1b;

/** Characters that follow an escape, and so take two septets. */
const extended: Readonly<Record<string, number>> = {
  "\f": 0x0a,
  "^": 0x14,
  "{": 0x28,
  "}": 0x29,
  "\\": 0x2f,
  "[": 0x3c,
  "~": 0x3d,
  "]": 0x3e,
  "|": 0x40,
  "€": 0x65,
};

const septets = new Map<string, readonly number[]>([
  ...[...basic].map((character, septet) => [character, [septet]] as const).filter(([, [septet]]) => septet !== escapeSeptet),
  ...Object.entries(extended).map(([character, septet]) => [character, [escapeSeptet, septet]] as const),
]);

/** The septets of a character, one or two; null if GSM-7 doesn't have it. */
export function septetsOf(character: string): readonly number[] | null {
  return septets.get(character) ?? null;
}
