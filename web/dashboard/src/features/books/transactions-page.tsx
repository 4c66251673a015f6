import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere, useZone } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { saveFile } from "../../parts/files/save-file.ts";
import type { Filter } from "../../parts/filters/filters.tsx";
import { useGatewayFilter, useGatewayName } from "../../parts/filters/gateways.ts";
import { periodOf } from "../../parts/filters/period.ts";
import { linkTo, useSearch } from "../../parts/filters/search.ts";
import { useOrderFilter } from "../../parts/filters/usual-filters.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page, Section } from "../../parts/pages/page.tsx";
import { Money, moneyText } from "../../parts/shown/money.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import "./books.css";
import { bookedTypes, isBooked } from "./booked-types.ts";
import { bookWords } from "./books.words.ts";

type Transaction = Objects["Transaction"];

export default function TransactionsPage() {
  const words = useWords(bookWords);
  const { values } = useSearch();
  const query = {
    type: values["type"],
    status: values["status"],
    gateway: values["gateway"],
    order_id: values["order"],
    ...periodOf(values, useZone()),
  };
  const list = useList<Transaction>("GET /api/v1/transactions", { query });
  return (
    <Page title={words.title} actions={<Export query={query} />}>
      <Wallets />
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters()}
        period={words.when}
        label={words.title}
        idOf={(one) => one.id}
        empty={<Empty title={words.emptyTitle} text={words.emptyText} />}
      />
    </Page>
  );
}

function Wallets() {
  const words = useWords(bookWords);
  const { locale } = useLanguage();
  const nameOf = useGatewayName();
  const wallets = useApi("GET /api/v1/wallets", { query: { limit: 100 } }).data?.data ?? [];
  if (wallets.length === 0) return null;
  return (
    <Section title={words.wallets}>
      <p className="soft">{words.walletText}</p>
      <div className="cards">
        {wallets.map((wallet) => (
          <div key={wallet.id} className="card wallet">
            <span className="soft">{nameOf(wallet.gateway)}</span>
            <Money minor={wallet.balance_minor} currency={wallet.currency} size={28} />
            {wallet.pending_minor === 0 ? null : (
              <span className="soft">{words.pending(moneyText(locale, wallet.pending_minor, wallet.currency))}</span>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

function useColumns(): Column<Transaction>[] {
  const words = useWords(bookWords);
  const nameOf = useGatewayName();
  const all = useWords(shared);
  const here = useHere();
  return useMemo(
    () => [
      { label: words.type, phone: "title", show: (one) => <strong>{isBooked(one.type) ? words.types[one.type] : one.type}</strong> },
      { label: all.amount, end: true, phone: "amount", show: (one) => <Sum of={one} /> },
      {
        label: all.status,
        phone: "state",
        // Held money waits for a decision, and an order's exception is found by it.
        show: (one) =>
          one.status === "held" ? (
            <Link {...linkTo(here.to(one.order_id === null ? "/exceptions" : `/exceptions?order=${one.order_id}`))}>
              <Status status={one.status} />
            </Link>
          ) : (
            <Status status={one.status} />
          ),
      },
      { label: all.paymentMethod, show: (one) => <span className="soft">{nameOf(one.gateway)}</span> },
      {
        label: words.reference,
        show: (one) =>
          one.order_id === null ? (
            <span className="soft">–</span>
          ) : (
            <Link to={here.to(`/orders/${one.order_id}`)}>{one.reference ?? `…${one.order_id.slice(-6)}`}</Link>
          ),
      },
      { label: words.external, show: (one) => <span className="cut soft">{one.external_transaction_id ?? "–"}</span> },
      { label: words.when, end: true, phone: "note", show: (one) => <When at={one.created_at} /> },
    ],
    [words, all, here, nameOf],
  );
}

/** A forgiven amount changes no wallet, and is shown separately. */
function Sum({ of }: { of: Transaction }) {
  const words = useWords(bookWords);
  const { locale } = useLanguage();
  if (of.forgiven_minor === 0) return <Money minor={of.amount_minor} currency={of.currency} sign />;
  return <span className="soft">{words.forgiven(moneyText(locale, of.forgiven_minor, of.currency))}</span>;
}

function useFilters(): Filter[] {
  const words = useWords(bookWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "type", label: words.type, options: bookedTypes.map((value) => ({ value, label: words.types[value] })) },
    useGatewayFilter(),
    useOrderFilter(),
    { name: "status", label: all.status, options: ["completed", "held", "reversed"].map((value) => ({ value, label: text(value) })) },
  ];
}

/** The server writes the file. It is requested with the page's project and environment, which a plain link couldn't send. */
function Export({ query }: { query: Record<string, unknown> }) {
  const words = useWords(bookWords);
  const here = useHere();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const run = () => {
    setBusy(true);
    here.client
      .open("GET /api/v1/transactions", { query: { ...query, format: "csv" }, headers: { accept: "text/csv" } })
      .then(async (answer) => saveFile(`transactions-${here.project.slug}-${here.livemode ? "live" : "test"}.csv`, await answer.blob()))
      .catch(notify.refused)
      .finally(() => setBusy(false));
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} />} loading={busy} onClick={run}>
      {words.exportCsv}
    </Button>
  );
}
