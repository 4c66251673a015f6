import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { onConfirmation } from "../../data/confirm.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { useWords } from "../../words/language.tsx";
import { confirmWords } from "./confirm.words.ts";

const ConfirmForm = lazy(() => import("./confirm-form.tsx"));

/** Opens when the server requires a recently confirmed session; the refused action then runs without another click. */
export function ConfirmDialog() {
  const say = useWords(confirmWords);
  const answer = useRef<((proved: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  const end = (proved: boolean) => {
    answer.current?.(proved);
    answer.current = null;
    setOpen(false);
  };
  useEffect(() => {
    onConfirmation(() => {
      setOpen(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => onConfirmation(null);
  }, []);
  return (
    <Dialog opened={open} onClose={() => end(false)} title={say.title} zIndex={400}>
      <Suspense>
        <ConfirmForm onEnd={end} />
      </Suspense>
    </Dialog>
  );
}
