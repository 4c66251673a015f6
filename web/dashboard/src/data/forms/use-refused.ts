import { useEffect, useRef, useState } from "react";
import { ApiError } from "../client.ts";

/** After a refusal the first invalid field gets the focus, or the button if there is none. What all fields show isn't repeated. */
export function useRefused(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [isAtFields, setAtFields] = useState(false);
  useEffect(() => {
    if (error === null || form.current === null) return;
    const faulty = form.current.querySelectorAll<HTMLElement>("[aria-invalid=true]");
    // One field may have several faults, but only shows one of them.
    const named = error instanceof ApiError ? new Set(error.details.map(({ param }) => param)).size : 0;
    setAtFields(error instanceof ApiError && error.status === 400 && faulty.length > 0 && faulty.length >= named);
    (faulty[0] ?? form.current.querySelector<HTMLElement>("button[type=submit]"))?.focus();
  }, [error]);
  return { form, isAtFields: error !== null && isAtFields };
}
