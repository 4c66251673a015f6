import { useState } from "react";
import { errorText, fieldErrors } from "../../../data/errors.tsx";
import { useRefused } from "../../../data/forms/use-refused.ts";
import { useLanguage } from "../../../words/language.tsx";

/** Refusals of a form on a page: each fault at its field, and the others above the button. */
export function useRefusedForm() {
  const { language } = useLanguage();
  const [error, setError] = useState<unknown>(null);
  const { form, isAtFields } = useRefused(error);
  return {
    /** For the form's `ref`. */
    form,
    faults: fieldErrors(error, language),
    message: error === null || isAtFields ? null : errorText(error, language),
    clear: () => setError(null),
    /** For an action's `onRefused`: all errors are shown here. */
    refused(refusal: unknown): true {
      setError(refusal);
      return true;
    },
  };
}
