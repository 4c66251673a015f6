import { Button } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { errorText } from "../../data/errors.tsx";
import { useRefused } from "../../data/forms/use-refused.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Dialog } from "./dialog.tsx";

export interface AskProps {
  title: string;
  open: boolean;
  onClose(): void;
  /** Label of the button that confirms. */
  does: string;
  /** Label of the button that doesn't, if "Cancel" could mean either. */
  keeps?: string;
  danger?: boolean;
  /** Runs the action; a thrown refusal is shown in the dialog, which stays open. */
  onDo(): Promise<unknown>;
  disabled?: boolean;
  /** Texts for errors that the server doesn't describe. */
  say?(error: unknown): string | null;
  children?: ReactNode;
}

/** A dialog that asks before an action. Enter confirms, Escape cancels; while the action runs, it stays open. */
export function Ask({ title, open, onClose, does, keeps, danger = false, onDo, disabled = false, say, children }: AskProps) {
  const words = useWords(shared);
  const { language } = useLanguage();
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
    // Closing would look like canceling, and a refusal would be shown nowhere.
    if (busy) return;
    setError(null);
    onClose();
  };
  return (
    <Dialog opened={open} onClose={close} title={title}>
      <form ref={form} onSubmit={(event) => void submit(event)} className="ask" noValidate>
        {children}
        {error === null || isAtFields ? null : (
          <p className="ask-error" role="alert">
            {say?.(error) ?? errorText(error, language)}
          </p>
        )}
        <div className="ask-actions">
          <Button variant="default" disabled={busy} onClick={close}>
            {keeps ?? words.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} color={danger ? "failed" : "accent"}>
            {does}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
