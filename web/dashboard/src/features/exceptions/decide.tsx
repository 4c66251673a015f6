import { Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useAct } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { Money } from "../../parts/money.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ChooseOrder } from "./choose-order.tsx";
import { exceptionWords } from "./exceptions.words.ts";

type Exception = Objects["PaymentException"];

/** Where the money of a case belongs. */
export function Decide({ exception, onClose }: { exception: Exception; onClose(): void }) {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const tell = useTell();
  const [action, setAction] = useState("accept");
  const [order, setOrder] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const act = useAct("POST /api/v1/projects/{projectId}/exceptions/{id}/resolve", { onRefused: () => true });
  const needsOrder = exception.order_id === null && action === "accept";
  const send = async () => {
    const body = { action, note: note.trim() === "" ? null : note.trim(), ...(needsOrder ? { order_id: order } : {}) };
    await act.mutateAsync({ path: { id: exception.id }, body });
    tell.done(words.resolved);
  };
  return (
    <Ask title={words.kinds[exception.kind]} open onClose={onClose} does={words.resolve} onDo={send} disabled={needsOrder && order === null}>
      <Money minor={exception.amount_minor} currency={exception.currency} size={28} />
      <Radio.Group value={action} onChange={setAction} aria-label={words.resolve}>
        <div className="form">
          <Radio value="accept" label={words.accept} description={words.acceptText} />
          <Radio value="ignore" label={words.ignore} description={words.ignoreText} />
        </div>
      </Radio.Group>
      {needsOrder ? <ChooseOrder exception={exception} value={order} onChoose={setOrder} /> : null}
      <Textarea
        label={`${words.note} (${all.optional})`}
        description={words.noteHint}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Ask>
  );
}
