import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useList } from "../../data/queries.ts";
import { Deed, Doer, DoneTo } from "../../parts/audit.tsx";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { periodOf } from "../../parts/period.ts";
import { stringifySearch, useSearch } from "../../parts/search.ts";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { teamWords } from "./team.words.ts";

type Entry = Objects["AuditEntry"];

export default function AuditPage() {
  const words = useWords(teamWords);
  const all = useWords(shared);
  const period = periodOf(useSearch().values);
  const list = useList<Entry>("GET /api/v1/merchant/audit-log", { query: { ...period } });
  const columns: Column<Entry>[] = [
    { label: words.did, phone: "title", show: (entry) => <Deed entry={entry} /> },
    { label: words.who, phone: "note", show: (entry) => <Doer entry={entry} /> },
    { label: words.object, phone: "amount", show: (entry) => <DoneTo entry={entry} /> },
    { label: all.created, end: true, phone: "state", show: (entry) => <When at={entry.created_at} long /> },
  ];
  return (
    <Page
      title={words.audit}
      acts={
        <Button
          variant="default"
          component="a"
          href={`/api/v1/merchant/audit-log${stringifySearch({ ...period, format: "csv" })}`}
          download
          leftSection={<IconDownload size={16} stroke={1.5} />}
        >
          {words.exportCsv}
        </Button>
      }
    >
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
