import { useEffect, useRef, useState } from "react";
import { ApiError } from "./client.ts";

/** After a refusal the keyboard stands at the first field at fault, else at the button. What all fields tell themselves is not told twice. */
export function useRefused(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [isAtFields, setAtFields] = useState(false);
  useEffect(() => {
    if (error === null || form.current === null) return;
    const faulty = form.current.querySelectorAll<HTMLElement>("[aria-invalid=true]");
    setAtFields(error instanceof ApiError && error.status === 400 && faulty.length > 0 && faulty.length >= error.details.length);
    (faulty[0] ?? form.current.querySelector<HTMLElement>("button[type=submit]"))?.focus();
  }, [error]);
  return { form, isAtFields: error !== null && isAtFields };
}
