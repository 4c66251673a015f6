import { Button, TextInput } from "@mantine/core";
import { IconInfoCircle, IconPlus, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../../data/client.ts";
import { fieldErrors } from "../../../data/errors.tsx";
import { useHere } from "../../../data/here.tsx";
import { useAction, useApi } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { useSearch } from "../../../parts/filters/search.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { Empty, Loaded, Page } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Badge, type Tone } from "../../../parts/shown/status.tsx";
import { Ago } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { trustWords } from "./trust.words.ts";
import "../parts/messages.css";

type Domain = Objects["Domain"];
type DnsRecord = Domain["records"][number];

const tones: Record<Domain["status"], Tone> = { pending: "waiting", verified: "paid", failed: "failed" };
/** Records appear at any time, without an event. */
const lookMs = 10_000;

export default function DomainsPage() {
  const words = useWords(trustWords);
  const here = useHere();
  const { values, set } = useSearch();
  const read = useApi("GET /v1/domains", { query: { limit: 100 }, every: lookMs });
  const add = here.may("domains") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.addDomain}
    </Button>
  ) : null;
  return (
    <Page title={words.domains} actions={add}>
      <SuspendedNote />
      <p className="soft">{words.domainsText}</p>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.noDomains} text={words.noDomainsText}>
              {add}
            </Empty>
          ) : (
            data.map((domain) => <DomainCard key={domain.id} domain={domain} />)
          )
        }
      </Loaded>
      <NewDomain open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

function DomainCard({ domain }: { domain: Domain }) {
  const words = useWords(trustWords);
  const here = useHere();
  return (
    <section className="card domain" aria-label={domain.name}>
      <div className="page-head">
        <div className="page-title">
          <h2 translate="no">{domain.name}</h2>
          <Badge tone={tones[domain.status]}>{words.statuses[domain.status]}</Badge>
        </div>
        {here.may("domains") ? <DomainActions domain={domain} /> : null}
      </div>
      {domain.missing_since === null ? null : (
        <div className="note" role="status">
          <IconInfoCircle size={20} stroke={1.5} aria-hidden />
          <p>{words.missing}</p>
        </div>
      )}
      {domain.checked_at === null ? null : (
        <p className="soft">
          {words.checked} <Ago at={domain.checked_at} />
        </p>
      )}
      {domain.records.map((record) => (
        <RecordLine key={`${record.name} ${record.value}`} record={record} isChecked={domain.checked_at !== null} />
      ))}
    </section>
  );
}

function DomainActions({ domain }: { domain: Domain }) {
  const words = useWords(trustWords);
  const [removing, setRemoving] = useState(false);
  const check = useAction("POST /v1/domains/{id}/verify");
  const remove = useAction("DELETE /v1/domains/{id}", { onRefused: () => true });
  const path = { id: domain.id };
  return (
    <div className="page-actions">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.5} />}
        loading={check.isPending}
        onClick={() => check.mutate({ path, body: {} })}
      >
        {words.check}
      </Button>
      <Button variant="default" onClick={() => setRemoving(true)}>
        {words.removeDomain}
      </Button>
      <Ask
        title={words.removeDomain}
        open={removing}
        onClose={() => setRemoving(false)}
        does={words.removeDomain}
        danger
        onDo={() => remove.mutateAsync({ path })}
      >
        <p>{words.removeDomainText}</p>
      </Ask>
    </div>
  );
}

function RecordLine({ record, isChecked }: { record: DnsRecord; isChecked: boolean }) {
  const words = useWords(trustWords);
  const needed = record.purpose === "verification" || record.purpose === "dkim";
  const state = record.status === "verified" ? words.found : isChecked ? words.notFound : words.unchecked;
  return (
    <div className="record">
      <div className="spread">
        <strong>{words.purposes[record.purpose]}</strong>
        <Badge tone={record.status === "verified" ? "paid" : needed ? "waiting" : "plain"}>{state}</Badge>
      </div>
      <span className="soft">
        <span translate="no">{record.type}</span> · {needed ? words.needed : words.better}
      </span>
      <span className="soft">{words.name}</span>
      <Copyable text={record.name} block />
      <span className="soft">{words.value}</span>
      <Copyable text={record.value} block />
    </div>
  );
}

function NewDomain({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(trustWords);
  const { language } = useLanguage();
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const action = useAction("POST /v1/domains", { onRefused: () => true });
  const add = async () => {
    await action.mutateAsync({ body: { name: name.trim() } }).catch((error: unknown) => {
      setFault(fieldErrors(error, language)["name"]);
      throw error;
    });
    setName("");
    setFault(undefined);
  };
  return (
    <Ask title={words.addDomain} open={open} onClose={onClose} does={words.addDomain} onDo={add} disabled={name.trim() === ""}>
      <TextInput
        label={words.domain}
        description={words.domainHint}
        placeholder="shop.example.com"
        data-autofocus
        value={name}
        error={fault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Ask>
  );
}
