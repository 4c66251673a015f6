// Used by this test run and built into the dashboard that it tests: it imports nothing.

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = "áḅćďéḟǵħíĵķĺḿńóṕqŕśťúṽẃẋýžÁḄĆĎÉḞǴĦÍĴĶĹḾŃÓṔQŔŚŤÚṼẂẊÝŽ";
const growth = 0.4;

/**
 * Returns a text with an accent on every letter and every second or third letter doubled: still legible, and 40 % longer. Addresses remain
 * as they are.
 */
export function lengthen(text: string): string {
  if (/^(?:https?:\/\/|mailto:|\/)\S*$/.test(text)) return text;
  let letters = 0;
  const accent = (sign: string) => {
    const at = plain.indexOf(sign);
    const letter = [...accented][at] ?? sign;
    if (letter === sign) return sign;
    letters += 1;
    return Math.floor(letters * growth) > Math.floor((letters - 1) * growth) ? `${letter}${letter.toLowerCase()}` : letter;
  };
  // A place that a script fills remains as it is.
  return text
    .split(/(\{\w+\})/)
    .map((part, at) => (at % 2 === 1 ? part : [...part].map(accent).join("")))
    .join("");
}

/** Any table of words, lengthened: texts, functions that make them, and tables of tables. */
export function lengthened<T>(words: T): T {
  if (typeof words === "string") return lengthen(words) as T;
  if (typeof words === "function")
    return ((...given: unknown[]) => lengthened((words as unknown as (...given: unknown[]) => unknown)(...given))) as T;
  if (Array.isArray(words)) return words.map(lengthened) as T;
  if (typeof words !== "object" || words === null || words instanceof Date) return words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, lengthened(value)])) as T;
}
