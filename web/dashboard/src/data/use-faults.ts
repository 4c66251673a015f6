import { useState } from "react";
import { useLanguage } from "../words/language.tsx";
import { fieldErrors } from "./errors.tsx";

/** What the server refused of a form that stands on a page, each fault at its field; what belongs to no field is told as a note. */
export function useFaults(fields: readonly string[]) {
  const { language } = useLanguage();
  const [faults, setFaults] = useState<Record<string, string>>({});
  return {
    faults,
    clear: () => setFaults({}),
    /** For an act's `onRefused`. */
    refused(error: unknown): boolean {
      const found = fieldErrors(error, language);
      setFaults(found);
      const names = Object.keys(found);
      return names.length > 0 && names.every((name) => fields.includes(name));
    },
  };
}
