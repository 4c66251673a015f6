import { Button, Loader } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Objects } from "../../data/client.ts";
import { errorText } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { DropFile } from "../../parts/fields/drop-file.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ImportCounts, ImportFaults, ImportRefunds, PlannedRows } from "./import-answer.tsx";
import { receiptWords } from "./receipts.words.ts";

type Preview = Objects["ReceiptImportPreview"];
type Imported = Objects["ReceiptImport"];

/** Takes a statement, shows what it would do and, once it is applied, what it did. */
export function ImportStatement({ open, onClose, onShow }: { open: boolean; onClose(): void; onShow(): void }) {
  const words = useWords(receiptWords);
  const { language } = useLanguage();
  const here = useHere();
  const steps = useImport();
  const { preview, result } = steps;
  const close = () => {
    // Closing would look like canceling, and a refusal would be shown nowhere.
    if (steps.isApplying) return;
    steps.again();
    onClose();
  };
  const refused = preview?.needs_reviewer === true && !here.may("review");
  return (
    <Dialog
      opened={open}
      onClose={close}
      title={result !== null ? words.imported : preview !== null ? words.previewTitle : words.importTitle}
    >
      <div className="ask">
        {steps.isReading ? (
          <p className="line" role="status">
            <Loader size="sm" /> {words.importing}
          </p>
        ) : null}
        {preview === null && !steps.isReading ? <Begin onFile={steps.read} /> : null}
        {preview !== null && result === null ? <Planned preview={preview} /> : null}
        {result === null ? null : <Done result={result} />}
        {refused && result === null ? <p className="ask-error">{words.needsReviewer}</p> : null}
        {steps.error === null ? null : (
          <p className="ask-error" role="alert">
            {errorText(steps.error, language)}
          </p>
        )}
        {preview !== null && result === null ? <Before {...{ preview, steps, refused }} onClose={close} /> : null}
        {result === null ? null : <After result={result} onClose={close} onShow={onShow} />}
      </div>
    </Dialog>
  );
}

/** True if importing would change anything: record a transfer, or report that a known one isn't final or was refunded. */
function hasNews({ rows, skipped, faulty, refunds, planned }: Preview): boolean {
  return rows > skipped + faulty || refunds.length > 0 || planned.some(({ known, state }) => known && state !== "final");
}

/** The two requests of an import, and their results. */
function useImport() {
  const read = useAction<Preview>("POST /api/v1/projects/{projectId}/receipts/import", { onRefused: () => true });
  const apply = useAction<Imported>("POST /api/v1/projects/{projectId}/receipts/import/{previewId}/apply", { onRefused: () => true });
  const again = () => {
    read.reset();
    apply.reset();
  };
  return {
    // Results of a request that was reset don't arrive, so a slow file never takes the place of the next one.
    preview: read.data ?? null,
    result: apply.data ?? null,
    again,
    isReading: read.isPending,
    isApplying: apply.isPending,
    error: read.error ?? apply.error,
    apply: (previewId: string) => apply.mutate({ path: { previewId }, body: {} }),
    read: (file: File) => {
      const body = new FormData();
      body.append("file", file);
      again();
      read.mutate({ body });
    },
  };
}

interface BeforeProps {
  preview: Preview;
  steps: ReturnType<typeof useImport>;
  /** True if the reader may not import it. */
  refused: boolean;
  onClose(): void;
}

function Before({ preview, steps, refused, onClose }: BeforeProps) {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  return (
    <div className="ask-actions">
      <Button variant="default" disabled={steps.isApplying} onClick={steps.again}>
        {words.otherFile}
      </Button>
      {hasNews(preview) ? (
        <Button loading={steps.isApplying} disabled={refused} onClick={() => steps.apply(preview.preview_id)}>
          {words.apply}
        </Button>
      ) : (
        <Button onClick={onClose}>{all.close}</Button>
      )}
    </div>
  );
}

function After({ result, onClose, onShow }: { result: Imported; onClose(): void; onShow(): void }) {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const open = result.suggested + result.unmatched;
  const show = () => {
    onClose();
    onShow();
  };
  return (
    <div className="ask-actions">
      <Button variant="default" onClick={onClose}>
        {all.close}
      </Button>
      {open > 0 ? <Button onClick={show}>{words.toDecide(open)}</Button> : null}
    </div>
  );
}

function Begin({ onFile }: { onFile(file: File): void }) {
  const words = useWords(receiptWords);
  return (
    <>
      <p className="soft">{words.importText}</p>
      <DropFile label={words.drop} accept=".csv,.xlsx,text/csv" onFile={onFile} />
    </>
  );
}

/** What replaces a step that had the focus gets it, so that it doesn't fall back to the page. */
function useWithKeyboard<T extends HTMLElement>() {
  const place = useRef<T>(null);
  useEffect(() => {
    place.current?.focus();
  }, []);
  return place;
}

function Planned({ preview }: { preview: Preview }) {
  const place = useWithKeyboard<HTMLParagraphElement>();
  const words = useWords(receiptWords);
  return (
    <>
      <p role="status" ref={place} tabIndex={-1} className="quiet-focus">
        {words.previewText(preview.rows)} {hasNews(preview) ? null : <strong>{words.nothingNew}</strong>}{" "}
        {preview.declared_rows !== null && preview.declared_rows !== preview.rows ? (
          <strong>{words.cutOff(preview.declared_rows)}</strong>
        ) : null}
      </p>
      <ImportCounts counts={preview} would />
      <PlannedRows rows={preview.planned} />
      <ImportRefunds refunds={preview.refunds} />
      <ImportFaults faults={preview.faults} />
    </>
  );
}

function Done({ result }: { result: Imported }) {
  const place = useWithKeyboard<HTMLDivElement>();
  const words = useWords(receiptWords);
  return (
    <div role="status" className="ask quiet-focus" ref={place} tabIndex={-1}>
      <p>
        <strong>{words.done(result.rows, result.created)}</strong>
      </p>
      <ImportCounts counts={result} />
      <ImportRefunds refunds={result.refunds} />
      <ImportFaults faults={result.faults} />
    </div>
  );
}
