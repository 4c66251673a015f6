import { useState } from "react";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Reason } from "../../parts/fields/reason.tsx";
import { useWords } from "../../words/language.tsx";
import type { Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

interface IgnoreProps {
  receipts: Receipt[];
  onIgnore(ids: string[], reason: string): Promise<unknown>;
  onClose(): void;
}

/** Ignores transfers that aren't the shop's, with the reason for later readers. */
export function IgnoreReceipts({ receipts, onIgnore, onClose }: IgnoreProps) {
  const words = useWords(receiptWords);
  const [text, setText] = useState("");
  return (
    <Ask
      title={words.ignoreTitle(receipts.length)}
      open
      onClose={onClose}
      does={words.ignore}
      disabled={text === ""}
      onDo={() =>
        onIgnore(
          receipts.map(({ id }) => id),
          text,
        )
      }
    >
      <p className="soft">{words.ignoreText}</p>
      <Reason label={words.reason} reasons={words.reasons} ownLabel={words.ownReason} onChange={setText} />
    </Ask>
  );
}
