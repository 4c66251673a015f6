import { useState } from "react";
import { languageInfo, useLanguage } from "../../words/language.tsx";
import { fieldErrors } from "../errors.tsx";
import { useRefused } from "./use-refused.ts";

/** What the server refused of a form that stands on a page, each fault at its field, where the keyboard goes; what belongs to no field is told as a note. */
export function useFaults(fields: readonly string[]) {
  const { language } = useLanguage();
  const [error, setError] = useState<unknown>(null);
  const { form } = useRefused(error);
  const faults = fieldErrors(error, language);
  return {
    /** For the form's `ref`. */
    form,
    faults,
    /** What is wrong with a field and with parts of it, such as entries of a list. */
    faultOf(field: string): string | undefined {
      const said = Object.entries(faults).flatMap(([param, words]) => (isPart(param, field) ? [words] : []));
      return said.length === 0 ? undefined : [...new Set(said)].join(languageInfo(language).gap);
    },
    clear: () => setError(null),
    /** For an act's `onRefused`. */
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
