import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import type { Filter } from "../../parts/filters/filters.tsx";
import { useGatewayFilter, useProviderName } from "../../parts/filters/gateways.ts";
import { periodOf } from "../../parts/filters/period.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { useOrderFilter } from "../../parts/filters/usual-filters.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { Badge, Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { caseName } from "./case-name.ts";
import { Decide } from "./decide.tsx";
import { exceptionWords } from "./exceptions.words.ts";

type Exception = Objects["PaymentException"];

/** For a long reference next to other words of a phone's row; the class for it would give its whole column a width. */
const short = { maxWidth: "16ch", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const kinds = ["late", "duplicate", "underpaid", "overpaid", "unmatched", "mismatch"] as const;

export default function ExceptionsPage() {
  const words = useWords(exceptionWords);
  const { values } = useSearch();
  const all = useWords(shared);
  const query = {
    status: values["status"] ?? "open",
    kind: values["kind"],
    gateway: values["gateway"],
    order_id: values["order"],
    ...periodOf(values, useZone()),
  };
  const list = useList<Exception>("GET /api/v1/projects/{projectId}/exceptions", { query });
  const [openDialog, setOpenDialog] = useState<Exception | null>(null);
  return (
    <Page title={words.title}>
      <p className="soft">{words.text}</p>
      <Listing
        list={list}
        columns={useColumns(setOpenDialog)}
        filters={useFilters()}
        period={all.created}
        label={words.title}
        idOf={(one) => one.id}
        empty={<Empty title={words.emptyTitle} text={words.emptyText} />}
      />
      {openDialog === null ? null : <Decide exception={openDialog} onClose={() => setOpenDialog(null)} />}
    </Page>
  );
}

function useColumns(onDecide: (exception: Exception) => void): Column<Exception>[] {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const here = useHere();
  const nameOf = useProviderName();
  const orderOf = ({ order_id, reference }: Exception) => (order_id === null ? null : <OrderLink id={order_id} reference={reference} />);
  return [
    {
      label: words.kind,
      phone: "title",
      show: (one) => <Badge tone={one.status === "open" ? "waiting" : "plain"}>{caseName(one, words)}</Badge>,
    },
    { label: all.amount, end: true, phone: "amount", show: (one) => <Amount {...one} /> },
    {
      label: words.order,
      show: (one) => orderOf(one) ?? <span className="soft">–</span>,
    },
    { label: all.paymentMethod, show: (one) => <span className="soft">{nameOf(one.gateway)}</span> },
    { label: words.number, show: (one) => <span className="cut soft">{one.external_id}</span> },
    {
      label: all.created,
      end: true,
      phone: "note",
      show: (one) => (
        <>
          <When at={one.created_at} />
          <span className="on-phone"> · {orderOf(one) ?? one.external_id}</span>
        </>
      ),
    },
    {
      label: all.status,
      end: true,
      phone: "state",
      show: (one) =>
        one.status === "open" && here.may("review") ? (
          <Button variant="default" size="xs" onClick={() => onDecide(one)}>
            {words.resolve}
          </Button>
        ) : (
          <Status status={one.status} />
        ),
    },
  ];
}

/** A dash if the amount isn't known. */
function Amount({ amount_minor: minor, currency }: Exception) {
  return minor === 0 ? <span className="soft">–</span> : <Money minor={minor} currency={currency} />;
}

function OrderLink({ id, reference }: { id: string; reference: string | null }) {
  const here = useHere();
  return (
    <Link to={here.to(`/orders/${id}`)}>
      <span style={short} title={reference ?? id}>
        {reference === id ? `…${id.slice(-6)}` : reference}
      </span>
    </Link>
  );
}

function useFilters(): Filter[] {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: ["open", "resolved"].map((value) => ({ value, label: text(value) })) },
    useGatewayFilter(),
    useOrderFilter(),
    { name: "kind", label: words.kind, options: kinds.map((value) => ({ value, label: words.kinds[value] })) },
  ];
}
