import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Field } from "../../parts/fields/field.tsx";
import { useGatewayName } from "../../parts/filters/gateways.ts";
import { type Fact, Facts } from "../../parts/pages/object-page.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { expectedOf } from "./queue/expected.ts";
import { flagsOf, proofOf, reportedAt, sessionOf, type Waiting } from "./queue/use-queue.ts";
import { reviewWords } from "./review.words.ts";

type Receipt = Objects["Receipt"];

/** What one has to see before approving: what looks wrong, expected against reported, and the received money. */
export function Weighing({ order, receipt }: { order: Waiting; receipt: Receipt | undefined }) {
  const words = useWords(reviewWords);
  const nameOf = useGatewayName();
  const session = sessionOf(order);
  const proof = proofOf(order);
  const { requestedMinor, reportedMinor, differs } = expectedOf(order);
  return (
    <div className="evidence">
      {flagsOf(order).map((flag) => (
        <p key={flag} className="note" data-tone="failed">
          <IconAlertTriangle size={18} stroke={1.5} aria-hidden />
          {(words.flag as Record<string, string>)[flag] ?? flag}
        </p>
      ))}
      <div className="against">
        <div>
          <span className="soft">{words.expected}</span>
          <Money minor={requestedMinor} currency={order.currency} size={28} />
          <span className="soft">{session === undefined ? null : nameOf(session.gateway)}</span>
        </div>
        <div data-differs={differs}>
          <span className="soft">{words.reported}</span>
          {reportedMinor === null ? (
            <span className="no-sum">{words.notStated}</span>
          ) : (
            <Money minor={reportedMinor} currency={order.currency} size={28} />
          )}
          <When at={proof?.paid_at ?? reportedAt(order)} />
        </div>
      </div>
      {receipt === undefined ? null : <SuggestedReceipt receipt={receipt} />}
    </div>
  );
}

/** The other facts, and the transfer's number as the reviewer reads it in the wallet. */
export function Particulars({ order, number }: { order: Waiting; number: { value: string; onWrite(value: string): void } | null }) {
  const words = useWords(reviewWords);
  const all = useWords(shared);
  const here = useHere();
  return (
    <div className="evidence">
      {number === null ? null : (
        <Field
          label={all.optionally(words.number)}
          description={words.numberHint}
          maxLength={100}
          autoComplete="off"
          inputMode="text"
          value={number.value}
          onWrite={number.onWrite}
        />
      )}
      <Facts facts={useFacts(order)} />
      <Link to={here.to(`/orders/${order.id}`)}>{words.open}</Link>
    </div>
  );
}

function SuggestedReceipt({ receipt }: { receipt: Receipt }) {
  const words = useWords(reviewWords);
  return (
    <div className="suggested">
      <div className="spread">
        <strong>{words.suggested}</strong>
        <Money minor={receipt.amount_minor} currency={receipt.currency} size={16} />
      </div>
      <span className="soft">
        <When at={receipt.occurred_at} /> {[receipt.payer_hint, receipt.remark].filter((part) => part !== null).join(" · ")}
      </span>
      <span>{words.matches}</span>
    </div>
  );
}

function useFacts(order: Waiting): (Fact | null)[] {
  const words = useWords(reviewWords);
  const session = sessionOf(order);
  const proof = proofOf(order);
  const fact = (label: string, value: string | null | undefined): Fact | null => (value == null || value === "" ? null : { label, value });
  return [
    session === undefined
      ? null
      : {
          label: words.window,
          value: (
            <>
              <When at={session.created_at} /> – <When at={session.expires_at} />
            </>
          ),
        },
    fact(words.remark, session?.remark_code),
    fact(words.lastDigits, proof?.transaction_reference),
    fact(words.payer, proof?.payer_name),
    fact(words.note, proof?.note),
  ];
}

const minuteMs = 60_000;
const early = 10 * minuteMs;
const late = 60 * minuteMs;

/** The unclaimed receipt that matches a payment by channel, amount and time; none if several do. */
export function useReceiptFor(order: Waiting): Receipt | undefined {
  const read = useApi("GET /api/v1/projects/{projectId}/receipts", { query: { status: ["unmatched"], limit: 100 } });
  const session = sessionOf(order);
  if (session === undefined) return undefined;
  const fits = (read.data?.data ?? []).filter(
    (receipt) =>
      receipt.channel === session.channel &&
      receipt.currency === order.currency &&
      receipt.amount_minor === session.payable_amount_minor &&
      Date.parse(receipt.occurred_at) > Date.parse(session.created_at) - early &&
      Date.parse(receipt.occurred_at) < Date.parse(session.expires_at) + late,
  );
  return fits.length === 1 ? fits[0] : undefined;
}
