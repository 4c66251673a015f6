import { Button, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../data/client.ts";
import { sayError } from "../data/errors.tsx";
import { meQuery } from "../data/session.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";

export interface AskProps {
  title: string;
  open: boolean;
  onClose(): void;
  /** Word on the button that does it. */
  does: string;
  danger?: boolean;
  /** Does it; a thrown refusal is shown in the dialog, which stays open. */
  onDo(): Promise<unknown>;
  disabled?: boolean;
  /** Words for what the server does not say. */
  say?(error: unknown): string | null;
  children?: ReactNode;
}

/** A dialog that asks before something is done. Enter does it, Escape does not. */
export function Ask({ title, open, onClose, does, danger = false, onDo, disabled = false, say, children }: AskProps) {
  const words = useWords(shared);
  const { language } = useLanguage();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { form, isAtFields } = useRefused(error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    await onDo().then(onClose, setError);
    setBusy(false);
  };
  const close = () => {
    // Escape also reaches what lies under the sign-in dialog, and would take away what was typed.
    if (queries.getQueryData(meQuery.queryKey) === null) return;
    setError(null);
    onClose();
  };
  return (
    <Modal opened={open} onClose={close} title={title} closeButtonProps={{ "aria-label": words.close }}>
      <form ref={form} onSubmit={(event) => void submit(event)} className="ask" noValidate>
        {children}
        {error === null || isAtFields ? null : (
          <p className="ask-error" role="alert">
            {say?.(error) ?? sayError(error, language)}
          </p>
        )}
        <div className="ask-acts">
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} color={danger ? "failed" : "accent"}>
            {does}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** After a refusal the keyboard stands at the first field at fault, else at the button. What all fields tell themselves is not told twice. */
function useRefused(error: unknown) {
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
