import type { Objects } from "../../data/client.ts";
import type { Language } from "../../words/language.tsx";
import type { exceptionWords } from "./exceptions.words.ts";

type Words = (typeof exceptionWords)[Language];
export type Told = keyof Words["told"];
export type Listed = keyof Words["listed"];
type Detailed = { detail?: Objects["PaymentException"]["detail"] };

/** What an exception reports about events at the provider; null for one about money that arrived. */
export function reportedBy(exception: Detailed, words: Words): Told | null {
  return reasonIn(exception, words.told);
}

/** Why the daily comparison opened an exception about money that needs a decision; null for any other. */
export function listedBy(exception: Detailed, words: Words): Listed | null {
  return reasonIn(exception, words.listed);
}

function reasonIn<T extends object>({ detail }: Detailed, table: T): keyof T | null {
  const reason = (detail as { reason?: unknown } | undefined)?.reason;
  return typeof reason === "string" && Object.hasOwn(table, reason) ? (reason as keyof T) : null;
}

/** The name of an exception. */
export function caseName(exception: Pick<Objects["PaymentException"], "kind" | "detail">, words: Words): string {
  const [told, listed] = [reportedBy(exception, words), listedBy(exception, words)];
  if (told !== null) return words.told[told].name;
  return listed === null ? words.kinds[exception.kind] : words.listed[listed].name;
}
