import { notifications } from "@mantine/notifications";
import { useMemo } from "react";
import { type Language, languageInfo, useLanguage } from "../words/language.tsx";
import { type Fault, faultText, sayReason, type Values } from "../words/reasons.ts";
import { refusals } from "../words/refusals.ts";
import { sayRefusedSums } from "../words/refused-sums.ts";
import { shared } from "../words/shared.ts";
import { ApiError } from "./client.ts";

/** A refusal in the reader's words. */
export function errorText(error: unknown, language: Language): string {
  const table: Record<string, string> = refusals[language];
  if (!(error instanceof ApiError)) return table["internal_error"] ?? "";
  const sums = sayRefusedSums(error.fields, language);
  if (sums !== null) return sums;
  const reason = error.fields["receipt_state"] === undefined ? String(error.fields["reason"]) : "receipt_unsettled";
  const known = table[reason] ?? sayReason({ reason, values: valuesOf(error) }, language) ?? table[error.code];
  return (
    known ??
    faultsOf(error)
      .map((fault) => faultText(fault, language))
      .join(languageInfo(language).gap)
  );
}

/** The invalid fields of a form, by name, each with its error. */
export function fieldErrors(error: unknown, language: Language): Record<string, string> {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  const named = faultsOf(error).filter(({ param }) => param != null);
  return Object.fromEntries(named.map((fault) => [fault.param, faultText(fault, language)]));
}

function faultsOf({ details, param, code }: ApiError): Fault[] {
  return details.length > 0 ? details : [{ param, code }];
}

function valuesOf({ fields }: ApiError): Values {
  const { values } = fields;
  return typeof values === "object" && values !== null ? (values as Values) : {};
}

export interface Notify {
  done(text: string): void;
  /** Shows what failed, in the page's words. */
  failed(text: string): void;
  refused(error: unknown): void;
}

/** Short notes at the edge of the page. */
export function useNotify(): Notify {
  const { language } = useLanguage();
  return useMemo(() => {
    const close = { "aria-label": shared[language].close };
    return {
      done: (message) => void notifications.show({ message, color: "accent", autoClose: 3_000, closeButtonProps: close }),
      failed: (message) => void notifications.show({ message, color: "failed", autoClose: 8_000, closeButtonProps: close }),
      refused: (error) =>
        void notifications.show({ message: errorText(error, language), color: "failed", autoClose: 8_000, closeButtonProps: close }),
    };
  }, [language]);
}
