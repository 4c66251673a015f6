import { Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../parts/ask.tsx";
import { useWords } from "../../words/language.tsx";
import type { Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

const reasons = ["private", "returned", "elsewhere", "own"] as const;

interface IgnoreProps {
  receipts: Receipt[];
  onIgnore(ids: string[], reason: string): Promise<unknown>;
  onClose(): void;
}

/** Sets transfers aside that are none of the shop's, with the reason that whoever asks later will read. */
export function IgnoreReceipts({ receipts, onIgnore, onClose }: IgnoreProps) {
  const words = useWords(receiptWords);
  const [reason, setReason] = useState<string | null>(null);
  const [own, setOwn] = useState("");
  const text = reason === "own" ? own.trim() : reason === null ? "" : words.reasons[reason as (typeof reasons)[number]];
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
      <Radio.Group value={reason} onChange={setReason} label={words.reason}>
        <div className="form" style={{ gap: 8, paddingTop: 6 }}>
          {reasons.map((one) => (
            <Radio key={one} value={one} label={words.reasons[one]} />
          ))}
        </div>
      </Radio.Group>
      {reason === "own" ? (
        <TextInput label={words.ownReason} maxLength={200} value={own} onChange={(event) => setOwn(event.currentTarget.value)} data-autofocus />
      ) : null}
    </Ask>
  );
}
