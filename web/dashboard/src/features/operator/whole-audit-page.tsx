import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useList } from "../../data/queries.ts";
import { Deed, Doer, DoneTo, IdTail } from "../../parts/audit.tsx";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { periodOf } from "../../parts/period.ts";
import { stringifySearch, useSearch } from "../../parts/search.ts";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { operatorWords } from "./operator.words.ts";

type Entry = Objects["AuditEntry"];

export default function WholeAuditPage() {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const period = periodOf(useSearch().values);
  const list = useList<Entry>("GET /api/admin/audit-log", { query: { ...period } });
  const columns: Column<Entry>[] = [
    { label: words.did, phone: "title", show: (entry) => <Deed entry={entry} /> },
    { label: words.who, phone: "note", show: (entry) => <Doer entry={entry} /> },
    { label: words.merchant, show: (entry) => <Merchant id={entry.merchant_id} /> },
    { label: words.object, phone: "amount", show: (entry) => <DoneTo entry={entry} /> },
    { label: all.created, end: true, phone: "state", show: (entry) => <When at={entry.created_at} long /> },
  ];
  const file = (
    <Button
      variant="default"
      component="a"
      href={`/api/admin/audit-log${stringifySearch({ ...period, format: "csv" })}`}
      download
      leftSection={<IconDownload size={16} stroke={1.5} />}
    >
      {words.exportCsv}
    </Button>
  );
  return (
    <Page title={words.audit} acts={file}>
      <p className="soft">{words.auditText}</p>
      <Listing
        list={list}
        filters={[]}
        period={all.created}
        label={words.audit}
        idOf={(entry) => entry.id}
        columns={columns}
        empty={<Empty title={words.emptyAudit} />}
      />
    </Page>
  );
}

/** What belongs to no merchant stands in the log of the installation itself. */
function Merchant({ id }: { id: string }) {
  return /^mer_0+$/.test(id) ? <span>Tillpost</span> : <IdTail id={id} />;
}
