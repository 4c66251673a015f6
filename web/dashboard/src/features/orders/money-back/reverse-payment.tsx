import { Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../../data/client.ts";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { useWords } from "../../../words/language.tsx";
import { moneyBackWords } from "./money-back.words.ts";

const causes = ["not_received", "other_order"] as const;

/** True if an order has a payment that can be reversed: without refunds and disputes. */
export function isReversible(
  order: Pick<Objects["Order"], "status" | "flags" | "amount_received_minor" | "amount_refunded_minor">,
): boolean {
  const { status, flags, amount_received_minor, amount_refunded_minor } = order;
  return status === "paid" && amount_received_minor > 0 && amount_refunded_minor === 0 && !flags.includes("disputed");
}

/** Reverses a payment that was confirmed by mistake. */
export function ReversePayment({ id, onClose }: { id: string; onClose(): void }) {
  const words = useWords(moneyBackWords);
  const [cause, setCause] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const action = useAction("POST /api/v1/projects/{projectId}/orders/{id}/reverse", { onRefused: () => true, success: words.reversed });
  return (
    <Ask
      title={words.reverse}
      open
      onClose={onClose}
      does={words.reverse}
      danger
      disabled={cause === null || note.trim() === ""}
      onDo={() => action.mutateAsync({ path: { id }, body: { cause, note: note.trim() } })}
    >
      <p className="soft">{words.reverseText}</p>
      <Radio.Group value={cause} onChange={setCause} aria-label={words.reverse}>
        <div className="form">
          {causes.map((one) => (
            <Radio key={one} value={one} label={words.causes[one]} description={words.causeTexts[one]} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={words.why}
        description={words.whyHint}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Ask>
  );
}
