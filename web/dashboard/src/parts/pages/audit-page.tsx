import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { readerZone } from "../../data/zone.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { periodOf } from "../filters/period.ts";
import { stringifySearch, useSearch } from "../filters/search.ts";
import { When } from "../shown/when.tsx";
import { ActionName, Doer, DoneTo } from "./audit.tsx";
import { type Column, Listing } from "./list-page.tsx";
import { Empty, Page } from "./page.tsx";

type Entry = Objects["AuditEntry"];

interface AuditLog {
  /** The path where the log is read and exported as a file. */
  path: string;
  words: Record<"audit" | "auditText" | "did" | "who" | "object" | "exportCsv" | "emptyAudit", string>;
  /** Columns between who did it and what it was done to. */
  between?: Column<Entry>[];
}

/** An audit log by days, on the page and as a file. */
export function AuditLogPage({ path, words, between = [] }: AuditLog) {
  const all = useWords(shared);
  const zone = useZone();
  const period = periodOf(useSearch().values, zone);
  const list = useList<Entry>(`GET ${path}`, { query: { ...period } });
  const columns: Column<Entry>[] = [
    { label: words.did, phone: "title", show: (entry) => <ActionName entry={entry} /> },
    { label: words.who, phone: "note", show: (entry) => <Doer entry={entry} /> },
    ...between,
    { label: words.object, phone: "amount", show: (entry) => <DoneTo entry={entry} /> },
    { label: all.time, end: true, phone: "state", show: (entry) => <When at={entry.created_at} long /> },
  ];
  const file = (
    <Button
      variant="default"
      component="a"
      href={`${path}${stringifySearch({ ...period, format: "csv", time_zone: zone ?? readerZone() })}`}
      download
      leftSection={<IconDownload size={16} stroke={1.5} />}
    >
      {words.exportCsv}
    </Button>
  );
  return (
    <Page title={words.audit} actions={file}>
      <p className="soft">{words.auditText}</p>
      <Listing
        list={list}
        filters={[]}
        period={all.time}
        label={words.audit}
        idOf={(entry) => entry.id}
        columns={columns}
        empty={<Empty title={words.emptyAudit} />}
      />
    </Page>
  );
}
