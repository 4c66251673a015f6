import { useState } from "react";
import { ApiError } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useClosing } from "../../data/forms/use-closing.ts";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { DropFile } from "../../parts/fields/drop-file.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { faultText } from "../../words/reasons.ts";
import { CurrencySelect } from "./currency-select.tsx";
import type { Table } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";

const maxBytes = 500_000;
const maxFaults = 20;

interface Chosen {
  name: string;
  csv: string;
  lines: number;
}

/** Replaces the table with a file. If lines are invalid, lists them and changes nothing. */
export function ImportPrices({ table: current, onClose }: { table: Table; onClose(): void }) {
  const words = useWords(priceWords);
  const notify = useNotify();
  const [chosen, setChosen] = useState<Chosen | "too large" | null>(null);
  const [table] = useState(current);
  const closing = useClosing();
  const [currency, setCurrency] = useState(table.currency ?? "USD");
  const [error, setError] = useState<unknown>(null);
  const action = useAction("PUT /api/admin/message-prices", { onRefused: () => true });
  const choose = async (file: File) => {
    setError(null);
    if (file.size > maxBytes) return setChosen("too large");
    const csv = await file.text();
    setChosen({ name: file.name, csv, lines: csv.split(/\r?\n/).filter((line) => line.trim() !== "").length });
  };
  const isChosen = chosen !== null && chosen !== "too large";
  const replace = async () => {
    if (!isChosen) return;
    setError(null);
    await action.mutateAsync({ version: table.version, body: { currency, csv: chosen.csv } }).catch((refused: unknown) => {
      setError(refused);
      throw refused;
    });
    notify.done(words.saved);
  };
  const hasLines = linesOf(error).length > 0;
  return (
    <Ask
      title={words.importTitle}
      open
      onClose={onClose}
      does={words.replace}
      onDo={() => replace().catch(closing)}
      disabled={!isChosen}
      {...(hasLines ? { say: () => words.faults(linesOf(error).length) } : {})}
    >
      <p>{words.importText}</p>
      <pre className="price-example">{words.example}</pre>
      <DropFile
        label={isChosen ? words.chosen(chosen.name, chosen.lines) : words.choose}
        accept=".csv,text/csv"
        onFile={(file) => void choose(file)}
      />
      {chosen === "too large" ? <p className="ask-error">{words.tooLarge}</p> : null}
      <CurrencySelect value={currency} onChange={setCurrency} />
      {hasLines ? <Faults error={error} /> : null}
    </Ask>
  );
}

/** The faults that have a line. */
function linesOf(error: unknown) {
  if (!(error instanceof ApiError)) return [];
  return error.details.filter(({ values }) => typeof (values as { line?: unknown } | undefined)?.line === "number");
}

function Faults({ error }: { error: unknown }) {
  const words = useWords(priceWords);
  const { language } = useLanguage();
  const faults = linesOf(error);
  return (
    <ul className="price-faults">
      {faults.slice(0, maxFaults).map((fault, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stand in the file's order
        <li key={index}>
          <strong>{words.line((fault.values as { line: number }).line)}</strong> {faultText(fault, language)}
        </li>
      ))}
      {faults.length > maxFaults ? <li className="soft">{words.more(faults.length - maxFaults)}</li> : null}
    </ul>
  );
}
