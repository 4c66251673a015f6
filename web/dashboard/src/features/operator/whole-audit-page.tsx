import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useList } from "../../data/queries.ts";
import { type Column, Rows } from "../../parts/list-page.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { operatorWords } from "./operator.words.ts";

type Entry = Objects["AuditEntry"];

export default function WholeAuditPage() {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const list = useList<Entry>("GET /api/admin/audit-log");
  const tail = (id: string | null) => (id === null ? "" : ` …${id.slice(-6)}`);
  const columns: Column<Entry>[] = [
    { label: words.did, phone: "title", show: (entry) => <code translate="no">{entry.action}</code> },
    { label: words.who, phone: "note", show: (entry) => <span className="cut">{entry.actor_email ?? entry.actor_kind}</span> },
    { label: words.merchant, show: (entry) => <code className="soft">{tail(entry.merchant_id)}</code> },
    { label: words.object, phone: "amount", show: (entry) => <span className="soft">{`${entry.object_type}${tail(entry.object_id)}`}</span> },
    { label: all.created, end: true, phone: "state", show: (entry) => <When at={entry.created_at} long /> },
  ];
  const file = (
    <Button variant="default" component="a" href="/api/admin/audit-log?format=csv" download leftSection={<IconDownload size={16} stroke={1.5} />}>
      {words.exportCsv}
    </Button>
  );
  return (
    <Page title={words.audit} acts={file}>
      <p className="soft">{words.auditText}</p>
      <Rows list={list} label={words.audit} idOf={(entry) => entry.id} columns={columns} empty={<Empty title={words.emptyAudit} />} />
    </Page>
  );
}
