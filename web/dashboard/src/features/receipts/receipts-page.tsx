import { Button, SegmentedControl } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { useHere } from "../../data/here.tsx";
import { useSearch } from "../../parts/filters/search.ts";
import { Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { AllReceipts } from "./all-receipts.tsx";
import { ImportStatement } from "./import-statement.tsx";
import { receiptWords } from "./receipts.words.ts";
import { RecordReceipt } from "./record-receipt.tsx";
import { Waiting } from "./waiting.tsx";

/** Incoming transfers: those that wait for a person, and all of them. */
export default function ReceiptsPage() {
  const words = useWords(receiptWords);
  const here = useHere();
  const { values, set } = useSearch();
  const view = values["view"] === "all" || values["status"] !== undefined || values["channel"] !== undefined ? "all" : "waiting";
  const actions = here.may("receipts")
    ? [
        <Button key="record" variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ record: "1" })}>
          {words.recordTitle}
        </Button>,
        <Button key="import" leftSection={<IconFileImport size={16} stroke={1.5} />} onClick={() => set({ import: "1" })}>
          {words.importTitle}
        </Button>,
      ]
    : undefined;
  return (
    <Page title={words.title} actions={actions}>
      <p className="soft">{words.text}</p>
      <SegmentedControl
        aria-label={words.title}
        value={view}
        onChange={(to) => set({ view: to === "all" ? "all" : undefined, status: undefined, channel: undefined })}
        data={[
          { value: "waiting", label: words.waiting },
          { value: "all", label: words.all },
        ]}
        style={{ alignSelf: "start" }}
      />
      {view === "all" ? <AllReceipts /> : <Waiting />}
      {values["record"] === undefined ? null : <RecordReceipt open onClose={() => set({ record: undefined })} />}
      <ImportStatement
        open={values["import"] !== undefined}
        onClose={() => set({ import: undefined })}
        onShow={() => set({ import: undefined, view: undefined, status: undefined, channel: undefined })}
      />
    </Page>
  );
}
