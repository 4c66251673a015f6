import { Checkbox, Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../data/client.ts";
import { Ask } from "../../parts/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { reviewWords } from "./review.words.ts";
import type { Waiting } from "./use-queue.ts";

const reasons = ["not_received", "amount_mismatch", "duplicate_proof", "unreadable", "fraud"] as const;

export interface RejectProps {
  order: Pick<Waiting, "reference">;
  open: boolean;
  onClose(): void;
  onReject(body: Record<string, unknown>): Promise<void>;
}

/** Why not, in one press; a line to the buyer if it helps. */
export function Reject({ order, open, onClose, onReject }: RejectProps) {
  const words = useWords(reviewWords);
  const all = useWords(shared);
  const [reason, setReason] = useState<string>("not_received");
  const [note, setNote] = useState("");
  const [final, setFinal] = useState(false);
  const send = () =>
    onReject({ decision: "reject", reason_code: reason, final, note: note.trim() === "" ? null : note.trim() }).catch((error: unknown) => {
      // Decided by someone else: said already, and the next one lies there.
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    });
  return (
    <Ask title={words.rejectTitle(order.reference)} open={open} onClose={onClose} does={words.reject} danger onDo={send}>
      <p className="soft">{words.rejectText}</p>
      <Radio.Group value={reason} onChange={setReason} aria-label={words.reject}>
        <div className="form">
          {reasons.map((one) => (
            <Radio key={one} value={one} label={words.reason[one]} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={`${words.message} (${all.optional})`}
        maxLength={500}
        autosize
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Checkbox label={words.final} checked={final} onChange={(event) => setFinal(event.currentTarget.checked)} />
    </Ask>
  );
}
