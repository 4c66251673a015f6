import { Loader, Modal } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { sayError } from "../../data/errors.tsx";
import { useAct } from "../../data/queries.ts";
import { DropFile } from "../../parts/drop-file.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { receiptWords } from "./receipts.words.ts";

type Imported = Objects["ReceiptImport"];

/** A statement in, and what became of its lines. */
export function ImportStatement({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const [result, setResult] = useState<Imported | null>(null);
  const act = useAct<Imported>("POST /api/v1/projects/{projectId}/receipts/import", { onDone: setResult, onRefused: () => true });
  const send = (file: File) => {
    const body = new FormData();
    body.append("file", file);
    setResult(null);
    act.mutate({ body });
  };
  const close = () => {
    setResult(null);
    act.reset();
    onClose();
  };
  return (
    <Modal opened={open} onClose={close} title={words.importTitle} closeButtonProps={{ "aria-label": all.close }}>
      <div className="ask">
        <p className="soft">{words.importText}</p>
        {act.isPending ? (
          <p className="line" role="status">
            <Loader size="sm" /> {words.importing}
          </p>
        ) : (
          <DropFile label={words.drop} accept=".csv,text/csv" onFile={send} />
        )}
        {act.error === null ? null : (
          <p className="ask-error" role="alert">
            {sayError(act.error, language)}
          </p>
        )}
        {result === null ? null : <Outcome result={result} />}
      </div>
    </Modal>
  );
}

function Outcome({ result }: { result: Imported }) {
  const words = useWords(receiptWords);
  return (
    <div role="status">
      <p>
        <strong>{words.done(result.total, result.created)}</strong>
      </p>
      <ul>
        <li>{words.settled(result.matched)}</li>
        <li>{words.suggested(result.linked)}</li>
        <li>{words.left(result.unmatched)}</li>
        {result.faults.map((fault) => (
          <li key={`${fault.line} ${fault.code}`}>{words.fault(fault.line, fault.message)}</li>
        ))}
      </ul>
    </div>
  );
}
