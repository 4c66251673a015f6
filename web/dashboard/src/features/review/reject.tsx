import { Checkbox, Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Waiting } from "./queue/use-queue.ts";
import { reviewWords } from "./review.words.ts";

const reasons = ["not_received", "amount_mismatch", "duplicate_proof", "unreadable", "fraud"] as const;

export interface RejectProps {
  /** Without `expires_at` whether the buyer can still try again isn't known. */
  order: Pick<Waiting, "reference"> & Partial<Pick<Waiting, "expires_at">>;
  open: boolean;
  onClose(): void;
  onReject(body: Record<string, unknown>): Promise<void> | void;
}

/** The reason for a rejection, in one click, with an optional line to the buyer. */
export function Reject({ order, open, onClose, onReject }: RejectProps) {
  const words = useWords(reviewWords);
  const all = useWords(shared);
  const [reason, setReason] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const [final, setFinal] = useState(false);
  const ends = reason === "fraud" || (order.expires_at !== undefined && Date.parse(order.expires_at) <= Date.now());
  const send = async () => onReject({ decision: "reject", reason_code: reason, final, note: note.trim() === "" ? null : note.trim() });
  return (
    <Ask
      title={words.rejectTitle(order.reference)}
      open={open}
      onClose={onClose}
      does={words.reject}
      danger
      disabled={reason === null}
      onDo={send}
    >
      <p className="soft">{ends || final ? words.rejectEnds : order.expires_at === undefined ? words.rejectMayEnd : words.rejectText}</p>
      <Radio.Group value={reason} onChange={setReason} aria-label={words.reject}>
        <div className="form">
          {reasons.map((one) => (
            <Radio key={one} value={one} label={words.reason[one]} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={all.optionally(words.message)}
        maxLength={500}
        autosize
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Checkbox label={words.final} checked={final || ends} disabled={ends} onChange={(event) => setFinal(event.currentTarget.checked)} />
    </Ask>
  );
}
