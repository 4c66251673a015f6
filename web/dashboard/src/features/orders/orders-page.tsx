import { Button } from "@mantine/core";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import type { Filter } from "../../parts/filters/filters.tsx";
import { useGatewayFilter } from "../../parts/filters/gateways.ts";
import { periodOf } from "../../parts/filters/period.ts";
import { type Search, useSearch } from "../../parts/filters/search.ts";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Badge, Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { NewOrder } from "./new-order.tsx";
import { orderWords } from "./orders.words.ts";
import { useExport } from "./use-export.ts";
import { usualFlags } from "./usual-flags.ts";

type Order = Objects["Order"];

const statuses = ["unpaid", "pending_verify", "paid", "failed", "expired", "canceled"];

export default function OrdersPage() {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const here = useHere();
  const { values, set } = useSearch();
  const query = queryOf(values, useZone());
  const list = useList<Order>("GET /api/v1/projects/{projectId}/orders", { query });
  const { exporting, run } = useExport(query);
  const unverified = useUnverified();
  const create = here.may("orders") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.newOrder}
    </Button>
  ) : null;
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} />} loading={exporting} onClick={run}>
            {words.exportCsv}
          </Button>
          {create}
        </>
      }
    >
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters()}
        search={words.search}
        period={all.created}
        views="orders"
        label={words.title}
        idOf={(order) => order.id}
        hrefOf={(order) => here.to(`/orders/${order.id}`)}
        empty={
          <Empty title={words.emptyTitle} text={words.emptyText}>
            <UnverifiedNote what="orders" />
            {unverified === null ? <CodeBlock label="curl" text={curlFor(here.project.id, here.project.default_currency)} /> : null}
          </Empty>
        }
      />
      <NewOrder open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

function useColumns(): Column<Order>[] {
  const words = useWords(orderWords);
  const all = useWords(shared);
  return useMemo(
    () => [
      { label: words.reference, phone: "title", show: (order) => <span className="cut">{order.reference}</span> },
      { label: all.amount, end: true, phone: "amount", show: (order) => <Money minor={order.amount_minor} currency={order.currency} /> },
      {
        label: all.status,
        phone: "state",
        show: (order) => (
          <span className="line">
            <Status status={order.status} />
            {order.flags
              .filter((flag) => !usualFlags.has(flag))
              .map((flag) => (
                <Badge key={flag} tone="waiting">
                  {words.flag[flag] ?? flag}
                </Badge>
              ))}
            {order.claimed_at === null ? null : <Badge tone="waiting">{words.claimedPaid}</Badge>}
          </span>
        ),
      },
      { label: words.buyer, show: (order) => <span className="cut soft">{order.customer.email ?? order.customer.name ?? "–"}</span> },
      { label: words.description, show: (order) => <span className="cut soft">{order.description ?? "–"}</span> },
      { label: all.created, end: true, phone: "note", show: (order) => <When at={order.created_at} /> },
    ],
    [words, all],
  );
}

function useFilters(): Filter[] {
  const all = useWords(shared);
  const text = useStatusText();
  const words = useWords(orderWords);
  return [
    { name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) },
    useGatewayFilter(),
    { name: "claimed", label: words.claims, options: [{ value: "1", label: words.claimOption }] },
  ];
}

/** The filters of the URL as the API expects them. */
function queryOf(values: Search, zone: string | undefined): Record<string, unknown> {
  const { q, status, gateway, claimed } = values;
  return { q, status, gateway, "claimed[gte]": claimed === undefined ? undefined : "1970-01-01T00:00:00Z", ...periodOf(values, zone) };
}

function curlFor(projectId: string, currency: string): string {
  return [
    `curl ${location.origin}/api/v1/projects/${projectId}/orders \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"amount_minor": 9900, "currency": "${currency}", "reference": "INV-1001"}'`,
  ].join("\n");
}
