import { Modal, type ModalProps } from "@mantine/core";
import { useRef } from "react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { closeOne, topDialog } from "./top-dialog.ts";

/** A dialog over the page. All open dialogs get Escape: it closes the top one, and text entered in the others stays. */
export function Dialog({ onClose, ...props }: ModalProps) {
  const words = useWords(shared);
  const root = useRef<HTMLDivElement>(null);
  const isUnder = () => {
    const top = topDialog();
    return top?.ariaModal === "true" && root.current !== null && !root.current.contains(top);
  };
  return <Modal ref={root} closeButtonProps={{ "aria-label": words.close }} {...props} onClose={() => isUnder() || closeOne(onClose)} />;
}
