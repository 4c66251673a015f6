import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Facts, type Moment, Timeline, TwoSides } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { useCountry } from "./country.ts";
import { SendText, SendTitle } from "./sends.tsx";
import { verificationWords } from "./verifications.words.ts";

type Verification = Objects["Verification"];

export default function VerificationPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(verificationWords);
  const here = useHere();
  const read = useApi("GET /v1/verifications/{id}", { path: { id } });
  return (
    <Page
      title={read.data?.to ?? words.one}
      aside={read.data === undefined ? null : <Status status={read.data.status} />}
      back={
        <Link to={here.to("/verifications")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <p className="soft">{words.hidden}</p>
      <Loaded read={read}>
        {(one) => (
          <>
            <TwoSides left={<What one={one} />} right={<Story one={one} />} />
            <RawJson value={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function What({ one }: { one: Verification }) {
  const words = useWords(verificationWords);
  const all = useWords(shared);
  const country = useCountry();
  return (
    <Facts
      facts={[
        { label: all.id, value: <Copyable text={one.id} /> },
        { label: words.channel, value: words.channels[one.channel] },
        one.country === null ? null : { label: words.country, value: country(one.country) },
        { label: words.template, value: words.templates[one.template] },
        one.locale === null ? null : { label: words.locale, value: one.locale },
        one.origin === null ? null : { label: words.origin, value: one.origin },
        { label: words.attempts, value: String(one.attempts_left) },
        { label: words.sends, value: String(one.sends_left) },
        one.error === null ? null : { label: words.lastFault, value: one.error.message },
        one.ended_at === null
          ? { label: words.expires, value: <When at={one.expires_at} long /> }
          : { label: words.ended, value: <When at={one.ended_at} long /> },
      ]}
    />
  );
}

/** The page of the message or call that carried a code. */
const pages = { sms: "/sms", call: "/calls", email: "/messages" };

function Story({ one }: { one: Verification }) {
  const words = useWords(verificationWords);
  const here = useHere();
  const text = useStatusText();
  const sent = one.sends.map(
    (send): Moment => ({
      id: send.message_id,
      at: send.created_at,
      tone: "plain",
      title: <SendTitle send={send} />,
      text: <SendText send={send} />,
      to: here.to(`${pages[send.channel]}/${send.message_id}`),
    }),
  );
  const tone = one.status === "approved" ? "paid" : one.status === "failed" ? "failed" : "expired";
  const isUsedUp = one.status === "failed" && one.attempts_left === 0;
  const end: Moment[] =
    one.ended_at === null
      ? []
      : [{ id: one.status, at: one.ended_at, tone, title: text(one.status), ...(isUsedUp ? { text: words.usedUp } : {}) }];
  return <Timeline moments={[...end, ...sent.reverse(), { id: "began", at: one.created_at, tone: "plain", title: words.began }]} />;
}
