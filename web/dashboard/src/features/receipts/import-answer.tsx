import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { receiptWords } from "./receipts.words.ts";
import "./receipts.css";

type Imported = Objects["ReceiptImport"];
type Row = Objects["ReceiptImportPreview"]["planned"][number];

const parts = ["settled", "linked", "held", "suggested", "unmatched", "ignored", "skipped", "faulty"] as const;
const currency = "CNY";

/** Every row of the file, counted once, and their total. */
export function ImportCounts({ counts, would = false }: { counts: Imported | Objects["ReceiptImportPreview"]; would?: boolean }) {
  const words = useWords(receiptWords);
  const label = would ? words.would : words.did;
  return (
    <dl className="counts">
      {parts
        .filter((part) => counts[part] > 0)
        .map((part) => (
          <div key={part} style={{ display: "contents" }}>
            <dt>{part === "skipped" && counts.known > 0 ? words.skippedKnown(counts.known) : label[part]}</dt>
            <dd data-count={part}>{counts[part]}</dd>
          </div>
        ))}
      <dt data-sum>{words.allRows}</dt>
      <dd data-sum data-count="rows">
        {counts.rows}
      </dd>
    </dl>
  );
}

/** What each row of income would do. */
export function PlannedRows({ rows }: { rows: readonly Row[] }) {
  const words = useWords(receiptWords);
  const here = useHere();
  const shown = rows.filter((row) => !row.known);
  if (shown.length === 0) return null;
  return (
    <details>
      <summary>{words.eachRow(shown.length)}</summary>
      <div className="planned">
        <table className="rows" aria-label={words.eachRow(shown.length)}>
          <thead>
            <tr>
              <th scope="col">{words.arrived}</th>
              <th scope="col">{words.payer}</th>
              <th scope="col" data-end>
                {words.amount}
              </th>
              <th scope="col">{words.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.line}>
                <td data-phone="note">
                  <When at={row.occurred_at} />
                </td>
                <td data-phone="title">
                  <span className="cut">{row.payer_hint ?? row.kind ?? "–"}</span>
                </td>
                <td data-end data-phone="amount">
                  <Money minor={row.amount_minor} currency={currency} />
                </td>
                <td data-phone="state">
                  {row.state === "final" ? words.short[row.outcome] : words.states[row.state]}{" "}
                  {row.order_id === null || (row.outcome === "suggested" && row.state === "final") ? null : (
                    <Link to={here.to(`/orders/${row.order_id}`)}>{row.order_reference ?? `…${row.order_id.slice(-6)}`}</Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Money that was refunded in the wallet, with the order that it had paid. */
export function ImportRefunds({ refunds }: { refunds: Imported["refunds"] }) {
  const words = useWords(receiptWords);
  const here = useHere();
  if (refunds.length === 0) return null;
  return (
    <div>
      <strong>{words.refundsTitle}</strong>
      <ul>
        {refunds.map((refund) => (
          <li key={refund.line}>
            <Link to={here.to(`/orders/${refund.order_id}`)}>…{refund.order_id.slice(-6)}</Link>:{" "}
            <Money minor={refund.amount_minor} currency={currency} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Unreadable rows, each with its line and the reason, in the reader's language. */
export function ImportFaults({ faults }: { faults: Imported["faults"] }) {
  const words = useWords(receiptWords);
  if (faults.length === 0) return null;
  return (
    <div>
      <strong>{words.faultsTitle}</strong>
      <ul>
        {faults.slice(0, 50).map((fault) => (
          <li key={fault.line}>{words.fault(fault.line, words.faults[fault.code])}</li>
        ))}
      </ul>
    </div>
  );
}
