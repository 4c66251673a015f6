import { Button } from "@mantine/core";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Copyable } from "../shown/copy.tsx";
import { Dialog } from "./dialog.tsx";

/** A secret that is shown once: only closed by confirming, not by accident. */
export function ShowSecret({ secret, title, onClose }: { secret: string | null; title: string; onClose(): void }) {
  const words = useWords(shared);
  return (
    <Dialog
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className="ask">
        <p>{words.secretOnce}</p>
        <Copyable text={secret ?? ""} block />
        <div className="ask-actions">
          <Button onClick={onClose}>{words.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
