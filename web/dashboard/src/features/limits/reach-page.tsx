import type { Objects } from "../../data/client.ts";
import { useApi, useList } from "../../data/queries.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { limitWords } from "./limits.words.ts";
import { Release, useSeen } from "./paused.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { reachWords } from "./reach.words.ts";
import "./limits.css";

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
  const seen = useSeen();
  return [
    {
      label: words.range,
      phone: "title",
      show: ({ prefix, channel }) => (
        <>
          <strong translate="no">+{prefix}</strong> <span className="soft phone-only">{own.channels[channel]}</span>
        </>
      ),
    },
    {
      label: words.project,
      phone: "note",
      show: (pause) => (
        <>
          <span className="cut">{`${pause.merchant_name}${all.comma}${pause.project_name}`}</span>
          <div className="pause-reason phone-only">{seen(pause)}</div>
        </>
      ),
    },
    { label: words.channel, show: ({ channel }) => own.channels[channel] },
    { label: words.seen, show: ({ channel, cause, figures }) => seen({ channel, cause, figures }) },
    {
      label: all.status,
      phone: "state",
      show: ({ status }) => <Badge tone={status === "active" ? "waiting" : "expired"}>{words[status]}</Badge>,
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
