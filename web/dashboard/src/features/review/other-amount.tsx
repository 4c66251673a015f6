import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../parts/ask.tsx";
import { Field } from "../../parts/field.tsx";
import { amountText, parseAmount } from "../../parts/money.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { reviewWords } from "./review.words.ts";
import { proofOf, sessionOf, type Waiting } from "./use-queue.ts";

export function OtherAmountLink({ onAsk }: { onAsk(): void }) {
  const words = useWords(reviewWords);
  return (
    <UnstyledButton className="link-button" style={{ alignSelf: "flex-start" }} onClick={onAsk}>
      {words.other}
    </UnstyledButton>
  );
}

/** Money arrived, but not what was asked for: it is approved as the amount that the reviewer has seen. */
export function OtherAmount({ order, onClose, onApprove }: { order: Waiting; onClose(): void; onApprove(body: Record<string, unknown>): Promise<void> }) {
  const words = useWords(reviewWords);
  const all = useWords(shared);
  const expected = sessionOf(order)?.payable_amount_minor ?? order.amount_minor;
  const [text, setText] = useState(amountText(proofOf(order)?.amount_minor ?? expected, order.currency));
  const minor = parseAmount(text, order.currency);
  const outcome = minor === null || minor === expected ? null : minor < expected ? words.tooLittle : words.tooMuch;
  return (
    <Ask
      title={words.other}
      open
      onClose={onClose}
      does={words.approve}
      disabled={minor === null}
      onDo={() => onApprove({ decision: "approve", received_amount_minor: minor })}
    >
      <Field
        label={`${words.received} (${order.currency})`}
        inputMode="decimal"
        data-autofocus
        value={text}
        error={minor === null ? all.badAmount : undefined}
        onWrite={setText}
      />
      {outcome === null ? null : <p className="soft">{outcome}</p>}
    </Ask>
  );
}
