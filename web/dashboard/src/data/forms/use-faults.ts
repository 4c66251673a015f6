import { useState } from "react";
import { languageInfo, useLanguage } from "../../words/language.tsx";
import { fieldErrors } from "../errors.tsx";
import { useRefused } from "./use-refused.ts";

/** The server's errors for a form on a page, each at its field, which gets the focus; an error without a field is shown as a note. */
export function useFaults(fields: readonly string[]) {
  const { language } = useLanguage();
  const [error, setError] = useState<unknown>(null);
  const { form } = useRefused(error);
  const faults = fieldErrors(error, language);
  return {
    /** For the form's `ref`. */
    form,
    faults,
    /** The error of a field or of its parts, such as entries of a list. */
    faultOf(field: string): string | undefined {
      const messages = Object.entries(faults).flatMap(([param, words]) => (isPart(param, field) ? [words] : []));
      return messages.length === 0 ? undefined : [...new Set(messages)].join(languageInfo(language).gap);
    },
    clear: () => setError(null),
    /** For an action's `onRefused`. */
    refused(refusal: unknown): boolean {
      setError(refusal);
      const names = Object.keys(fieldErrors(refusal, language));
      return names.length > 0 && names.every((name) => fields.some((field) => isPart(name, field)));
    },
  };
}

function isPart(param: string, field: string): boolean {
  return param === field || (param.startsWith(field) && /^[.[]/.test(param.slice(field.length)));
}
