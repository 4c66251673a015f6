import { Button, TagsInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { Objects } from "../../data/client.ts";
import { useApi, useList } from "../../data/queries.ts";
import { useEdit } from "../../data/use-edit.ts";
import { useSave } from "../../data/use-save.ts";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Empty, Loaded, Page, Section } from "../../parts/page.tsx";
import { useSearch } from "../../parts/search.ts";
import { Badge } from "../../parts/status.tsx";
import { Ago } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { limitWords } from "./limits.words.ts";
import { Release } from "./paused.tsx";
import { reachWords } from "./reach.words.ts";
import "./limits.css";

type Policy = Objects["MessagingPolicy"];
type Pause = Objects["MessagingPauseOverview"];

const states = ["active", "released"] as const;

export default function ReachPage() {
  const words = useWords(reachWords);
  const all = useWords(shared);
  const { values } = useSearch();
  const policy = useApi("GET /api/admin/messaging-policy");
  const pauses = useList<Pause>("GET /api/admin/messaging-pauses", { query: { status: values["status"] } });
  const columns = useColumns();
  return (
    <Page title={words.title}>
      <p className="soft">{words.text}</p>
      <Section title={words.pauses}>
        <p className="soft">{words.pausesText}</p>
        <Listing
          list={pauses}
          label={words.pauses}
          filters={[{ name: "status", label: all.status, options: states.map((value) => ({ value, label: words[value] })) }]}
          idOf={(pause) => pause.id}
          columns={columns}
          empty={<Empty title={words.none} text={words.noneText} />}
        />
      </Section>
      <Loaded read={policy}>{(loaded) => <PolicyForm policy={loaded} />}</Loaded>
    </Page>
  );
}

function useColumns(): Column<Pause>[] {
  const words = useWords(reachWords);
  const own = useWords(limitWords);
  const all = useWords(shared);
  return [
    { label: words.range, phone: "title", show: ({ prefix }) => <strong translate="no">+{prefix}</strong> },
    { label: words.project, phone: "note", show: (pause) => <span className="cut">{`${pause.merchant_name}, ${pause.project_name}`}</span> },
    { label: all.channel, show: ({ channel }) => own.channels[channel] },
    { label: words.seen, show: ({ cause, figures }) => own.causes[cause](figures) },
    {
      label: all.status,
      phone: "state",
      show: ({ status }) => <Badge tone={status === "active" ? "failed" : "expired"}>{words[status]}</Badge>,
    },
    { label: words.since, end: true, show: ({ paused_at }) => <Ago at={paused_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (pause) => (pause.status === "active" ? <Release pause={pause} route="POST /api/admin/messaging-pauses/{id}/release" /> : null),
    },
  ];
}

const lists = ["allowed_countries", "denied_countries", "denied_prefixes", "opened_prefixes"] as const;
type List = (typeof lists)[number];

function PolicyForm({ policy }: { policy: Policy }) {
  const words = useWords(reachWords);
  const edit = useEdit(policy, ({ allowed_countries, denied_countries, denied_prefixes, opened_prefixes }) => ({
    ...{ allowed_countries: allowed_countries ?? [], denied_countries, denied_prefixes, opened_prefixes },
  }));
  const { act, form, faults } = useSave<Policy>("PUT /api/admin/messaging-policy", { says: words.saved, fields: [], edit });
  const { given } = edit;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ body: { ...given, allowed_countries: given.allowed_countries.length === 0 ? null : given.allowed_countries }, version: edit.version });
  };
  const texts: Record<List, { label: string; hint: string | undefined }> = {
    allowed_countries: { label: words.allowed, hint: words.allowedHint },
    denied_countries: { label: words.denied, hint: undefined },
    denied_prefixes: { label: words.deniedPrefixes, hint: words.prefixHint },
    opened_prefixes: { label: words.opened, hint: words.prefixHint },
  };
  return (
    <Section title={words.policy}>
      <form ref={form} className="form" onSubmit={submit}>
        {lists.map((name) => (
          <TagsInput
            key={name}
            label={texts[name].label}
            description={texts[name].hint}
            value={given[name]}
            error={Object.entries(faults).find(([param]) => param.startsWith(name))?.[1]}
            onChange={(written) => edit.set({ [name]: written.map((one) => one.trim().replace(/^\+/, "").toUpperCase()) })}
          />
        ))}
        <div>
          <Button type="submit" loading={act.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
