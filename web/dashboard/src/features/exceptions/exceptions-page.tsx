import { Button, Radio, Textarea, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAct, useList } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import type { Filter } from "../../parts/filters.tsx";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Money } from "../../parts/money.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { useSearch } from "../../parts/search.ts";
import { Badge, Status, useStatusText } from "../../parts/status.tsx";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { exceptionWords } from "./exceptions.words.ts";

type Exception = Objects["PaymentException"];

const kinds = ["late", "duplicate", "underpaid", "overpaid", "unmatched", "mismatch"] as const;

export default function ExceptionsPage() {
  const words = useWords(exceptionWords);
  const { values } = useSearch();
  const list = useList<Exception>("GET /api/v1/projects/{projectId}/exceptions", { query: { status: values["status"] ?? "open", kind: values["kind"] } });
  const [asking, setAsking] = useState<Exception | null>(null);
  return (
    <Page title={words.title}>
      <p className="soft">{words.text}</p>
      <Listing
        list={list}
        columns={useColumns(setAsking)}
        filters={useFilters()}
        label={words.title}
        idOf={(one) => one.id}
        empty={<Empty title={words.emptyTitle} text={words.emptyText} />}
      />
      {asking === null ? null : <Decide exception={asking} onClose={() => setAsking(null)} />}
    </Page>
  );
}

function useColumns(onDecide: (exception: Exception) => void): Column<Exception>[] {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const here = useHere();
  return [
    { label: words.kind, phone: "title", show: (one) => <Badge tone={one.status === "open" ? "waiting" : "plain"}>{words.kinds[one.kind]}</Badge> },
    { label: all.amount, end: true, phone: "amount", show: (one) => <Money minor={one.amount_minor} currency={one.currency} /> },
    {
      label: words.order,
      show: (one) =>
        one.order_id === null ? <span className="soft">–</span> : <Link to={here.to(`/orders/${one.order_id}`)}>{`…${one.order_id.slice(-6)}`}</Link>,
    },
    { label: words.number, show: (one) => <span className="cut soft">{one.external_id}</span> },
    {
      label: all.created,
      end: true,
      phone: "note",
      show: (one) => (
        <>
          <When at={one.created_at} />
          <span className="on-phone"> · {one.order_id === null ? one.external_id : `…${one.order_id.slice(-6)}`}</span>
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

function useFilters(): Filter[] {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: ["open", "resolved"].map((value) => ({ value, label: text(value) })) },
    { name: "kind", label: words.kind, options: kinds.map((value) => ({ value, label: words.kinds[value] })) },
  ];
}

function Decide({ exception, onClose }: { exception: Exception; onClose(): void }) {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const tell = useTell();
  const [action, setAction] = useState("accept");
  const [order, setOrder] = useState("");
  const [note, setNote] = useState("");
  const act = useAct("POST /api/v1/projects/{projectId}/exceptions/{id}/resolve", { onRefused: () => true });
  const needsOrder = exception.order_id === null && action === "accept";
  const send = async () => {
    const body = { action, note: note.trim() === "" ? null : note.trim(), ...(needsOrder ? { order_id: order.trim() } : {}) };
    await act.mutateAsync({ path: { id: exception.id }, body });
    tell.done(words.resolved);
  };
  return (
    <Ask title={words.kinds[exception.kind]} open onClose={onClose} does={words.resolve} onDo={send} disabled={needsOrder && order.trim() === ""}>
      <Money minor={exception.amount_minor} currency={exception.currency} size={28} />
      <Radio.Group value={action} onChange={setAction} aria-label={words.resolve}>
        <div className="form">
          <Radio value="accept" label={words.accept} description={words.acceptText} />
          <Radio value="ignore" label={words.ignore} description={words.ignoreText} />
        </div>
      </Radio.Group>
      {needsOrder ? (
        <TextInput
          label={words.forOrder}
          placeholder="ord_…"
          description={words.forOrderHint}
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value)}
        />
      ) : null}
      <Textarea
        label={`${words.note} (${all.optional})`}
        description={words.noteHint}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Ask>
  );
}
