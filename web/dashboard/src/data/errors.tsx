import { notifications } from "@mantine/notifications";
import { useMemo } from "react";
import { sayFault } from "../words/faults.ts";
import { type Language, languageInfo, useLanguage } from "../words/language.tsx";
import { refusals } from "../words/refusals.ts";
import { sayRefusedSums } from "../words/refused-sums.ts";
import { shared } from "../words/shared.ts";
import { ApiError } from "./client.ts";

/** A refusal in the reader's words. */
export function sayError(error: unknown, language: Language): string {
  const table = refusals[language] as Record<string, string>;
  if (!(error instanceof ApiError)) return table["internal_error"] ?? "";
  const sums = sayRefusedSums(error.fields, language);
  if (sums !== null) return sums;
  const known = table[String(error.fields["reason"])] ?? table[error.code];
  if (known !== undefined) return known;
  const details = error.details.filter(({ message }) => message !== undefined && message !== "");
  const faults = details.length > 0 ? details : [{ param: error.param, message: error.message }];
  return faults.map(({ param, message }) => sayFault(message ?? "", { language, param })).join(languageInfo(language).gap);
}

/** The refused fields of a form, by their names, each with the server's sentence. */
export function fieldErrors(error: unknown, language: Language): Record<string, string> {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  const all = error.details.length > 0 ? error.details : [{ param: error.param, code: error.code, message: error.message }];
  return Object.fromEntries(all.filter(({ param }) => param !== undefined).map((fault) => [fault.param, sayFieldFault(fault, language)]));
}

interface Fault {
  param?: string | null | undefined;
  code?: string | undefined;
  message?: string | undefined;
}

/** What is wrong with one value, beside the name of its field. */
export function sayFieldFault({ param, code, message }: Fault, language: Language): string {
  return (refusals[language] as Record<string, string>)[code ?? ""] ?? sayFault(message ?? "", { language, param, code });
}

export interface Tell {
  done(text: string): void;
  /** What did not work, in words of the page. */
  failed(text: string): void;
  refused(error: unknown): void;
}

/** Short notes at the edge of the page. */
export function useTell(): Tell {
  const { language } = useLanguage();
  return useMemo(() => {
    const close = { "aria-label": shared[language].close };
    return {
      done: (message) => void notifications.show({ message, color: "accent", autoClose: 3_000, closeButtonProps: close }),
      failed: (message) => void notifications.show({ message, color: "failed", autoClose: 8_000, closeButtonProps: close }),
      refused: (error) => void notifications.show({ message: sayError(error, language), color: "failed", autoClose: 8_000, closeButtonProps: close }),
    };
  }, [language]);
}
