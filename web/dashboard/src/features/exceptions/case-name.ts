import type { Objects } from "../../data/client.ts";
import type { Language } from "../../words/language.tsx";
import type { exceptionWords } from "./exceptions.words.ts";

type Words = (typeof exceptionWords)[Language];
export type Told = keyof Words["told"];

/** What a case tells of that happened at the provider; null for one that is about money which arrived. */
export function toldBy({ detail }: { detail?: Objects["PaymentException"]["detail"] }, words: Words): Told | null {
  const reason = (detail as { reason?: unknown } | undefined)?.reason;
  return typeof reason === "string" && Object.hasOwn(words.told, reason) ? (reason as Told) : null;
}

/** What a case is called. */
export function caseName(exception: Pick<Objects["PaymentException"], "kind" | "detail">, words: Words): string {
  const told = toldBy(exception, words);
  return told === null ? words.kinds[exception.kind] : words.told[told].name;
}
