import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { eventMoment } from "../../parts/pages/event-moment.ts";
import { type Moment, Moments } from "../../parts/pages/object-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Status, type Tone } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { messageWords } from "./messages.words.ts";

type Email = Objects["Email"];
type Recipient = Email["recipients"][number];

const tones: Record<string, Tone> = {
  delivered: "paid",
  opened: "paid",
  clicked: "paid",
  delivery_delayed: "waiting",
  bounced: "failed",
  complained: "failed",
  failed: "failed",
  suppressed: "expired",
  canceled: "expired",
};

/** The result of each recipient's copy, in the receiving server's own words, and what happened on the way. */
export function Recipients({ email }: { email: Email }) {
  const words = useWords(messageWords);
  const events = useApi("GET /v1/emails/{id}/events", { path: { id: email.id }, query: { limit: 100 } }).data?.data ?? [];
  const momentOf = (event: Objects["Event"]) => eventMoment(event, { titles: words.events, tones });
  const isAlone = email.recipients.length === 1;
  const own = new Map(
    email.recipients.map((recipient) => [recipient.address, isAlone ? events : events.filter((event) => isAbout(event, recipient))]),
  );
  const common = events.filter((event) => ![...own.values()].some((mine) => mine.includes(event))).map(momentOf);
  const of = (recipient: Recipient) => [
    ...arrivalOf(recipient, own.get(recipient.address) ?? [], words.events.delivered),
    ...(own.get(recipient.address) ?? []).map(momentOf),
  ];
  return (
    <>
      <Section title={words.recipients}>
        {email.recipients.map((recipient) => (
          <Copy key={`${recipient.type} ${recipient.address}`} recipient={recipient} moments={of(recipient)} />
        ))}
      </Section>
      {common.length === 0 ? null : (
        <Section title={words.messageItself}>
          <Moments moments={common} />
        </Section>
      )}
    </>
  );
}

/** The message counts as delivered once its last copy has ended, so that event's recipient may be one whose own copy failed. */
function isAbout({ event, data }: Objects["Event"], { address, delivered_at }: Recipient): boolean {
  return data["recipient"] === address && (event !== "email.delivered" || delivered_at !== null);
}

/** A copy that arrived before the others has no event for it. */
function arrivalOf({ address, delivered_at }: Recipient, own: Objects["Event"][], title: string): Moment[] {
  const isListed = delivered_at === null || own.some(({ event }) => event === "email.delivered");
  return isListed ? [] : [{ id: `${address} delivered`, at: delivered_at, tone: "paid", title }];
}

function Copy({ recipient, moments }: { recipient: Recipient; moments: Moment[] }) {
  const words = useWords(messageWords);
  const { address, type, status, attempts, next_attempt_at, diagnostic, bounce } = recipient;
  return (
    <div className="recipient">
      <div className="spread">
        <strong>{address}</strong>
        <Status status={status} />
      </div>
      <p className="soft">
        {[words[type], words.attempts(attempts), ...(bounce === null ? [] : [`${bounce.type}, ${bounce.subtype}`])].join(" · ")}
        {next_attempt_at === null ? null : (
          <>
            {` · ${words.next} `}
            <When at={next_attempt_at} />
          </>
        )}
      </p>
      {diagnostic === null ? null : <code translate="no">{diagnostic}</code>}
      {moments.length === 0 ? null : <Moments moments={moments} />}
    </div>
  );
}
