import { useState } from "react";
import { useLanguage } from "../words/language.tsx";
import { fieldErrors } from "./errors.tsx";
import { useRefused } from "./use-refused.ts";

/** What the server refused of a form that stands on a page, each fault at its field, where the keyboard goes; what belongs to no field is told as a note. */
export function useFaults(fields: readonly string[]) {
  const { language } = useLanguage();
  const [error, setError] = useState<unknown>(null);
  const { form } = useRefused(error);
  return {
    /** For the form's `ref`. */
    form,
    faults: fieldErrors(error, language),
    clear: () => setError(null),
    /** For an act's `onRefused`. */
    refused(refusal: unknown): boolean {
      setError(refusal);
      const names = Object.keys(fieldErrors(refusal, language));
      return names.length > 0 && names.every((name) => fields.includes(name));
    },
  };
}
