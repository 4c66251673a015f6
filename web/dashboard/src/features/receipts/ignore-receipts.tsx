import { useState } from "react";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Reason } from "../../parts/fields/reason.tsx";
import { type Progress, Working } from "../../parts/selection/working.tsx";
import { languageInfo, useLanguage, useWords } from "../../words/language.tsx";
import type { Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

interface IgnoreProps {
  receipts: readonly Receipt[];
  progress: Progress | null;
  onIgnore(receipts: readonly Receipt[], reason: string): Promise<unknown>;
  onClose(): void;
}

/** Ignores transfers that aren't the shop's, with the reason for later readers. */
export function IgnoreReceipts({ receipts, progress, onIgnore, onClose }: IgnoreProps) {
  const words = useWords(receiptWords);
  const { sentences, sayReversed } = useSentences();
  const [text, setText] = useState("");
  return (
    <Ask
      title={words.ignoreTitle(receipts.length)}
      open
      onClose={onClose}
      does={words.ignore}
      disabled={text === ""}
      onDo={() => onIgnore(receipts, text)}
    >
      <p className="soft">{sentences(words.ignoreText, ...sayReversed(receipts))}</p>
      <Reason label={words.reason} reasons={words.reasons} ownLabel={words.ownReason} onChange={setText} />
      <Working progress={progress} text={words.working} />
    </Ask>
  );
}

/** Sentences of one paragraph, and the one about money that a decision takes back out of Exceptions. */
export function useSentences() {
  const words = useWords(receiptWords);
  const { gap } = languageInfo(useLanguage().language);
  return {
    sentences: (...parts: string[]) => parts.join(gap),
    sayReversed: (receipts: readonly Receipt[]) => {
      const count = receipts.filter(({ exception_status }) => exception_status === "open").length;
      return count === 0 ? [] : [words.reversed(count)];
    },
  };
}
