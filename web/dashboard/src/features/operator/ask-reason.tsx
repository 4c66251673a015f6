import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { operatorWords } from "./operator.words.ts";

interface AskReasonProps {
  /** The route that takes the reason. */
  route: string;
  /** The id of its object. */
  id: string;
  title: string;
  text: string;
  does: string;
  /** Shown on success. */
  success: string;
  onClose(): void;
}

/** Asks an operator for the reason of an action that affects a merchant, who is notified. */
export function AskReason({ route, id, title, text, does, success, onClose }: AskReasonProps) {
  const words = useWords(operatorWords);
  const notify = useNotify();
  const [reason, setReason] = useState("");
  const action = useAction(route, { onRefused: () => true });
  const send = async () => {
    await action.mutateAsync({ path: { id }, body: { reason: reason.trim() } });
    notify.done(success);
  };
  return (
    <Ask title={title} open onClose={onClose} does={does} danger onDo={send} disabled={reason.trim() === ""}>
      <p>{text}</p>
      <Textarea
        label={words.reason}
        description={words.reasonHint}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Ask>
  );
}
