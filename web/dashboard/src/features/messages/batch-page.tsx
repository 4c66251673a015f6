import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Badge, Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { faultText } from "../../words/reasons.ts";
import { shared } from "../../words/shared.ts";
import { batchWords } from "./batches.words.ts";
import { LiveNotes } from "./live-notes.tsx";
import { messageWords } from "./messages.words.ts";
import "./parts/messages.css";

type Batch = Objects["Batch"];
type Email = Objects["Email"];
type Sms = Objects["Sms"];

export default function BatchPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(batchWords);
  const here = useHere();
  const read = useApi("GET /v1/batches/{id}", { path: { id } });
  const batch = read.data;
  return (
    <Page
      title={batch === undefined ? words.batch : words.count(batch.total)}
      aside={
        batch === undefined || batch.accepted === batch.total ? null : (
          <Badge tone="failed">{words.refused(batch.total - batch.accepted)}</Badge>
        )
      }
      back={
        <Link to={here.to("/batches")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <LiveNotes />
      <Loaded read={read}>
        {(loaded) => (
          <>
            <What batch={loaded} />
            <Refused batch={loaded} />
            {loaded.channel === "sms" ? <Texts batch={loaded} /> : <Messages batch={loaded} />}
            <RawJson value={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function What({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const all = useWords(shared);
  const states = Object.entries(batch.statuses).sort(([, left], [, right]) => right - left);
  return (
    <Facts
      facts={[
        { label: all.id, value: <Copyable text={batch.id} /> },
        { label: all.created, value: <When at={batch.created_at} long /> },
        {
          label: words.states,
          value: (
            <span className="line">
              {states.map(([status, count]) => (
                <span key={status} className="line">
                  <Status status={status} /> {count}
                </span>
              ))}
            </span>
          ),
        },
      ]}
    />
  );
}

/** What was left out, by its position in the request: these messages were never created. */
function Refused({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const { language } = useLanguage();
  if (batch.accepted === batch.total) return null;
  if (batch.errors.length === 0) return <p className="soft">{words.detailsDeleted}</p>;
  return (
    <Section title={words.refusedTitle}>
      <p className="soft">{words.refusedText}</p>
      <ul className="faults">
        {batch.errors.map(({ index, ...fault }) => (
          <li key={`${index} ${fault.param} ${fault.code}`}>
            <strong>{words.place(index + 1, fault.param ?? "")}</strong>
            <br />
            {faultText(fault, language)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Messages({ batch }: { batch: Batch }) {
  return <Within<Email> batch={batch} route="GET /v1/emails" path="/messages" columns={useColumns()} />;
}

function Texts({ batch }: { batch: Batch }) {
  return <Within<Sms> batch={batch} route="GET /v1/sms" path="/sms" columns={useTextColumns()} />;
}

interface WithinProps<T> {
  batch: Batch;
  route: string;
  /** The path of a message's page. */
  path: string;
  columns: Column<T>[];
}

function Within<T extends { id: string }>({ batch, route, path, columns }: WithinProps<T>) {
  const words = useWords(batchWords);
  const here = useHere();
  const text = useStatusText();
  const all = useWords(shared);
  const { values } = useSearch();
  const list = useList<T>(route, { query: { batch_id: batch.id, status: values["status"] } });
  const options = Object.keys(batch.statuses).map((value) => ({ value, label: text(value) }));
  return (
    <Section title={words.messages}>
      <Listing
        list={list}
        label={words.messages}
        filters={options.length < 2 && values["status"] === undefined ? [] : [{ name: "status", label: all.status, options }]}
        idOf={(message) => message.id}
        hrefOf={(message) => here.to(`${path}/${message.id}`)}
        columns={columns}
        empty={<p className="soft">{words.noMessages}</p>}
      />
    </Section>
  );
}

function useTextColumns(): Column<Sms>[] {
  const words = useWords(messageWords);
  const all = useWords(shared);
  return [
    { label: words.to, phone: "title", show: (sms) => <span translate="no">{sms.to}</span> },
    { label: words.text, phone: "note", show: (sms) => <span className="cut">{sms.body ?? <span className="soft">–</span>}</span> },
    { label: all.status, phone: "state", show: (sms) => <Status status={sms.status} /> },
    { label: all.created, end: true, phone: "amount", show: (sms) => <When at={sms.created_at} /> },
  ];
}

function useColumns(): Column<Email>[] {
  const words = useWords(messageWords);
  const all = useWords(shared);
  return [
    { label: words.to, phone: "title", show: (email) => <span className="cut">{[email.to].flat().join(", ")}</span> },
    {
      label: words.subject,
      phone: "note",
      show: (email) => <span className="cut">{email.subject === "" ? words.noSubject : email.subject}</span>,
    },
    { label: all.status, phone: "state", show: (email) => <Status status={email.status} /> },
    { label: all.created, end: true, phone: "amount", show: (email) => <When at={email.created_at} /> },
  ];
}
