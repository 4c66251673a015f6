import { Button, Radio } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { Field } from "../../../parts/fields/field.tsx";
import { useGatewayName, useProviderName } from "../../../parts/filters/gateways.ts";
import { Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Money } from "../../../parts/shown/money.tsx";
import { Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { moneyBackWords } from "./money-back.words.ts";

type Refund = Objects["Refund"];

/** What was refunded to the buyer, and which refunds failed. */
export function OrderRefunds({ refunds }: { refunds: Refund[] }) {
  const words = useWords(moneyBackWords);
  const here = useHere();
  const [failing, setFailing] = useState<Refund | null>(null);
  if (refunds.length === 0) return null;
  return (
    <Section title={words.refunds}>
      <ul className="order-proofs">
        {refunds.map((refund) => (
          <li key={refund.id}>
            <RefundText refund={refund} />
            {isFailable(refund) && here.may("refunds") ? (
              <Button variant="default" size="xs" onClick={() => setFailing(refund)}>
                {words.failed}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {failing === null ? null : <FailRefund refund={failing} onClose={() => setFailing(null)} />}
    </Section>
  );
}

const longMs = 30 * 86_400_000;

/** True for manually recorded refunds, and for those that a provider hasn't confirmed for a long time, once a person has checked there. */
function isFailable({ method, status, created_at }: Refund): boolean {
  if (method === "manual") return status === "succeeded";
  return status === "unknown" || (status === "pending" && Date.now() - Date.parse(created_at) > longMs);
}

function RefundText({ refund }: { refund: Refund }) {
  const words = useWords(moneyBackWords);
  const nameOf = useGatewayName();
  const providerOf = useProviderName();
  const { channel, reason, exception_id, failure_code } = refund;
  const failures = words.failures as Record<string, string>;
  const lines = [
    refund.method === "gateway" ? words.byProvider(providerOf(refund.gateway)) : null,
    exception_id === null ? null : words.ofException,
    channel === null ? null : (words.channels[channel] ?? nameOf(channel)),
    refund.external_transaction_id ?? refund.gateway_refund_id,
    reason === null ? null : ((words.reasons as Record<string, string>)[reason] ?? reason),
    refund.note,
  ].filter((part) => part !== null);
  const why = [failure_code === null ? null : (failures[failure_code] ?? failure_code), refund.failure_note].filter(
    (part) => part !== null,
  );
  const state = words.states[refund.status];
  const claim = (refund.next_action as { url?: unknown } | null)?.url;
  return (
    <div>
      <span className="line">
        <Status status={refund.status} />
        <Money minor={refund.amount_minor} currency={refund.currency} />
        <When at={refund.paid_back_at ?? refund.succeeded_at ?? refund.created_at} long />
      </span>
      {lines.length === 0 ? null : <span>{lines.join(" · ")}</span>}
      {why.length === 0 ? null : <span className="soft">{why.join(" · ")}</span>}
      {state === undefined ? null : <span className="soft">{state}</span>}
      {typeof claim !== "string" ? null : <Copyable text={claim} />}
    </div>
  );
}

function FailRefund({ refund, onClose }: { refund: Refund; onClose(): void }) {
  const words = useWords(moneyBackWords);
  const all = useWords(shared);
  const [code, setCode] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const action = useAction("POST /api/v1/projects/{projectId}/refunds/{id}/fail", { onRefused: () => true, success: words.markedFailed });
  const isSeen = refund.method === "gateway";
  const failures = Object.entries(words.failures).filter(([value]) => !isSeen || value === "not_sent");
  const body = { failure_code: code, ...(note.trim() === "" ? {} : { note: note.trim() }) };
  return (
    <Ask
      title={words.failTitle}
      open
      onClose={onClose}
      does={words.fails}
      danger
      disabled={code === null || (isSeen && note.trim() === "")}
      onDo={() => action.mutateAsync({ path: { id: refund.id }, body })}
    >
      {isSeen ? <p>{words.failSeen}</p> : null}
      <p className="soft">{refund.exception_id === null ? words.failText : words.failHeld}</p>
      <Radio.Group value={code} onChange={setCode} label={words.failTitle} labelProps={{ className: "unseen" }}>
        <div className="form">
          {failures.map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
      <Field label={isSeen ? words.seen : all.optionally(words.note)} maxLength={500} value={note} onWrite={setNote} />
    </Ask>
  );
}
