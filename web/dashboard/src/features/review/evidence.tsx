import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useGatewayName } from "../../parts/filters/gateways.ts";
import { type Fact, Facts } from "../../parts/pages/object-page.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { expectedOf } from "./queue/expected.ts";
import { flagsOf, proofOf, reportedAt, sessionOf, type Waiting } from "./queue/use-queue.ts";
import type { Found, Receipt } from "./queue/use-receipt-for.ts";
import { reviewWords } from "./review.words.ts";

/** What one has to see before approving: what looks wrong, expected against reported, and the received money. */
export function Weighing({ order, found }: { order: Waiting; found: Found }) {
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
      {found.receipt === undefined ? <Undecided found={found} /> : <SuggestedReceipt receipt={found.receipt} />}
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

/** Transfers of this amount that can't be offered: which of the orders they are for is decided on their own page. */
function Undecided({ found: { transfers, orders, unsettled } }: { found: Found }) {
  const words = useWords(reviewWords);
  const here = useHere();
  if (transfers === 0 && unsettled === 0) return null;
  return (
    <p className="note" data-tone="plain">
      <span>
        {transfers > 0 ? words.rivals(transfers, orders) : words.unsettled} <Link to={here.to("/receipts")}>{words.openReceipts}</Link>
      </span>
    </p>
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
