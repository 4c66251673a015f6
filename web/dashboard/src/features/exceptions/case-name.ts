import type { Objects } from "../../data/client.ts";
import type { Language } from "../../words/language.tsx";
import type { exceptionWords } from "./exceptions.words.ts";

type Words = (typeof exceptionWords)[Language];
export type Reported = keyof Words["reported"];
export type Listed = keyof Words["listed"];
type Detailed = { detail?: Objects["PaymentException"]["detail"] };

/** What an exception reports about events at the provider; null for one about money that arrived. */
export function reportedBy(exception: Detailed, words: Words): Reported | null {
  return reasonIn(exception, words.reported);
}

/** Why an exception about money was opened whose kind doesn't say enough; null for any other. */
export function listedBy(exception: Detailed, words: Words): Listed | null {
  return reasonIn(exception, words.listed);
}

function reasonIn<T extends object>({ detail }: Detailed, table: T): keyof T | null {
  const reason = (detail as { reason?: unknown } | undefined)?.reason;
  return typeof reason === "string" && Object.hasOwn(table, reason) ? (reason as keyof T) : null;
}

/** The name of an exception. */
export function caseName(exception: Pick<Objects["PaymentException"], "kind" | "detail">, words: Words): string {
  const [reported, listed] = [reportedBy(exception, words), listedBy(exception, words)];
  if (reported !== null) return words.reported[reported].name;
  return listed === null ? words.kinds[exception.kind] : words.listed[listed].name;
}
