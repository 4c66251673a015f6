import { Button } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import type { Filter } from "../../parts/filters.tsx";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Money } from "../../parts/money.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { periodOf } from "../../parts/period.ts";
import { useSearch } from "../../parts/search.ts";
import { Status, useStatusText } from "../../parts/status.tsx";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ImportStatement } from "./import-statement.tsx";
import { receiptWords } from "./receipts.words.ts";
import { RecordReceipt } from "./record-receipt.tsx";

type Receipt = Objects["Receipt"];

export default function ReceiptsPage() {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const here = useHere();
  const { values, set } = useSearch();
  const list = useList<Receipt>("GET /api/v1/projects/{projectId}/receipts", {
    query: { status: values["status"], channel: values["channel"], ...periodOf(values) },
  });
  const begin = here.may("receipts") ? (
    <Button key="import" leftSection={<IconFileImport size={16} stroke={1.5} />} onClick={() => set({ import: "1" })}>
      {words.importTitle}
    </Button>
  ) : null;
  const byHand = (
    <Button key="record" variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ record: "1" })}>
      {words.recordTitle}
    </Button>
  );
  return (
    <Page title={words.title} acts={begin === null ? undefined : [byHand, begin]}>
      <p className="soft">{words.text}</p>
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters()}
        period={all.created}
        label={words.title}
        idOf={(one) => one.id}
        empty={
          <Empty title={words.emptyTitle} text={words.emptyText}>
            {begin}
          </Empty>
        }
      />
      {values["record"] === undefined ? null : <RecordReceipt open onClose={() => set({ record: undefined })} />}
      <ImportStatement open={values["import"] !== undefined} onClose={() => set({ import: undefined })} />
    </Page>
  );
}

function useColumns(): Column<Receipt>[] {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const here = useHere();
  return useMemo(
    () => [
      { label: all.channel, phone: "title", show: (one) => <strong>{one.channel === "wechat" ? all.wechat : all.alipay}</strong> },
      { label: all.amount, end: true, phone: "amount", show: (one) => <Money minor={one.amount_minor} currency={one.currency} /> },
      {
        label: all.status,
        phone: "state",
        // Money that was booked as an exception waits for a person there.
        show: (one) => (one.exception_id === null ? <Status status={one.status} /> : <Link to={here.to("/exceptions")}>{words.exception}</Link>),
      },
      { label: words.payer, show: (one) => <span className="cut soft">{one.payer_hint ?? "–"}</span> },
      { label: words.remark, show: (one) => <span className="cut soft">{one.remark ?? "–"}</span> },
      { label: words.source, show: (one) => <span className="soft">{words.sources[one.source]}</span> },
      { label: words.arrived, end: true, phone: "note", show: (one) => <When at={one.occurred_at} /> },
    ],
    [words, all, here],
  );
}

function useFilters(): Filter[] {
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: ["unmatched", "matched", "linked", "ignored"].map((value) => ({ value, label: text(value) })) },
    {
      name: "channel",
      label: all.channel,
      options: [
        { value: "wechat", label: all.wechat },
        { value: "alipay", label: all.alipay },
      ],
    },
  ];
}
