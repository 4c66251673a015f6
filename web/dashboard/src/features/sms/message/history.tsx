import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { eventMoment, shortName } from "../../../parts/pages/event-moment.ts";
import { type Moment, Moments, Timeline } from "../../../parts/pages/object-page.tsx";
import { Section } from "../../../parts/pages/page.tsx";
import type { Tone } from "../../../parts/shown/status.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import type { Sms } from "../shown/contact.tsx";
import { smsWords } from "../shown/sms.words.ts";

const tones: Record<string, Tone> = {
  delivered: "paid",
  sent: "waiting",
  undelivered: "failed",
  failed: "failed",
  opted_out: "expired",
  canceled: "expired",
};
const resultTones: Record<string, Tone> = {
  accepted: "paid",
  deferred: "waiting",
  unknown: "waiting",
  worker_lost: "waiting",
  refused: "failed",
};

/** A message's history, and why it failed if it did. */
export function History({ sms }: { sms: Sms }) {
  const words = useWords(smsWords);
  const events = useApi("GET /v1/sms/{id}/events", { path: { id: sms.id }, query: { limit: 100 } }).data?.data ?? [];
  const momentOf = (event: Objects["Event"]): Moment => {
    const isEnd = shortName(event) === sms.status && sms.error !== null;
    return { ...eventMoment(event, { titles: words.events, tones }), ...(isEnd ? { text: <Why error={sms.error} /> } : {}) };
  };
  return <Timeline moments={events.map(momentOf)} />;
}

function Why({ error }: Pick<Sms, "error">) {
  if (error === null) return null;
  return (
    <>
      {error.message} <code translate="no">{error.provider_code ?? error.code}</code>
    </>
  );
}

/** Each attempt to send a message to a carrier, with the carrier's response. */
export function Attempts({ sms }: { sms: Sms }) {
  const all = useWords(shared);
  const words = useWords(smsWords);
  const read = useApi("GET /v1/sms/{id}/attempts", { path: { id: sms.id }, query: { limit: 100 } });
  const attempts = read.data?.data ?? [];
  const moments = attempts.map((attempt): Moment => {
    const { id, created_at, result, message, code, provider_code } = attempt;
    const why = [message, provider_code ?? code].filter((one) => one !== null).join(" · ");
    const title = all.about(words.attempt(attempt.attempt), words.results[result]);
    return { id, at: created_at, tone: resultTones[result] ?? "plain", title, ...(why === "" ? {} : { text: why }) };
  });
  return (
    <Section title={words.attempts}>
      {read.data !== undefined && attempts.length === 0 ? <p className="soft">{words.noAttempts}</p> : <Moments moments={moments} />}
    </Section>
  );
}
