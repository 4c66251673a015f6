import type { Objects } from "../../data/client.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import type { Filter } from "../../parts/filters/filters.tsx";
import { periodOf } from "../../parts/filters/period.ts";
import { useSearch, useSearchText } from "../../parts/filters/search.ts";
import { PausedNote } from "../../parts/notes/paused-note.tsx";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { WithKeys } from "../../parts/shown/with-keys.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Conversion } from "./conversion.tsx";
import { useCountry } from "./country.ts";
import { recipientOf } from "./recipient.ts";
import { verificationWords } from "./verifications.words.ts";

type Verification = Objects["Verification"];

const statuses = ["pending", "approved", "failed", "expired", "canceled"];
const channels = ["sms", "call", "email"] as const;

export default function VerificationsPage() {
  const words = useWords(verificationWords);
  const all = useWords(shared);
  const here = useHere();
  const { values } = useSearch();
  const zone = useZone();
  const { status, channel } = values;
  const list = useList<Verification>("GET /v1/verifications", {
    query: { to: recipientOf(useSearchText("q")), status, channel, ...periodOf(values, zone) },
  });
  const unverified = useUnverified();
  return (
    <Page title={words.title}>
      <PausedNote channels={["sms", "call"]} />
      <p className="soft">{words.text}</p>
      <Conversion />
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters()}
        search={words.search}
        period={all.created}
        views="verifications"
        label={words.title}
        idOf={(one) => one.id}
        hrefOf={(one) => here.to(`/verifications/${one.id}`)}
        empty={
          <Empty title={words.emptyTitle} text={<WithKeys text={words.emptyText} />}>
            <UnverifiedNote what="messages" />
            {unverified === null ? <CodeBlock label="curl" text={curl()} /> : null}
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): Column<Verification>[] {
  const words = useWords(verificationWords);
  const all = useWords(shared);
  const country = useCountry();
  return [
    { label: words.to, phone: "title", show: (one) => <span className="cut">{one.to}</span> },
    { label: words.channel, phone: "note", show: (one) => <ChannelOf one={one} /> },
    { label: words.country, show: (one) => <span className="soft">{country(one.country)}</span> },
    { label: all.status, phone: "state", show: (one) => <Status status={one.status} /> },
    { label: all.created, end: true, phone: "amount", show: (one) => <When at={one.created_at} /> },
  ];
}

/** On a phone with the country, which has a column of its own elsewhere. */
function ChannelOf({ one: { channel, country: code } }: { one: Verification }) {
  const words = useWords(verificationWords);
  const country = useCountry();
  return (
    <>
      {words.channels[channel]}
      {code === null ? null : <span className="on-phone"> · {country(code)}</span>}
    </>
  );
}

function useFilters(): Filter[] {
  const words = useWords(verificationWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) },
    { name: "channel", label: words.channel, options: channels.map((value) => ({ value, label: words.channels[value] })) },
  ];
}

function curl(): string {
  const request = (path: string, body: string) => [
    `curl ${location.origin}/v1/verifications${path} \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ];
  const first = request("", '{"to": "+15005551000", "channels": ["sms"]}');
  return [...first, "", ...request("/check", '{"to": "+15005551000", "code": "424242"}')].join("\n");
}
