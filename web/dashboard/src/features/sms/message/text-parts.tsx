import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { Loaded, Section } from "../../../parts/pages/page.tsx";
import { Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import type { Sms } from "../shown/contact.tsx";
import { Parts } from "../shown/parts.tsx";
import { partsWords } from "../shown/parts.words.ts";
import { smsWords } from "../shown/sms.words.ts";
import { useMissingText } from "../shown/use-missing-text.ts";

type Part = Objects["SmsPart"];

/** A message's text: part by part with each part's receipt if it is outbound, as a whole if it is inbound. */
export function TextParts({ sms }: { sms: Sms }) {
  const words = useWords(smsWords);
  const parts = useWords(partsWords);
  const missing = useMissingText();
  const isSent = sms.direction === "outbound";
  return (
    <Section title={isSent ? parts.title : words.text}>
      {sms.body === null ? <p className="soft">{missing(sms)}</p> : null}
      {isSent ? <Sent sms={sms} /> : <Received body={sms.body} />}
    </Section>
  );
}

function Received({ body }: Pick<Sms, "body">) {
  return body === null ? null : (
    <p className="sms-whole" dir="auto">
      {body}
    </p>
  );
}

function Sent({ sms }: { sms: Sms }) {
  const read = useApi("GET /v1/sms/{id}/parts", { path: { id: sms.id }, query: { limit: 100 } });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <Parts
          encoding={sms.encoding}
          parts={data.map((part) => ({
            text: part.text,
            units: part.units,
            most: part.units_per_part,
            beyond: part.characters_beyond_gsm7,
          }))}
          aside={(index) => <PartStatus part={data[index]} sms={sms} />}
          below={(index) => <Receipt part={data[index]} />}
        />
      )}
    </Loaded>
  );
}

function PartStatus({ part, sms }: { part: Part | undefined; sms: Sms }) {
  const words = useWords(partsWords);
  if (part?.status != null) return <Status status={part.status} />;
  return ["failed", "canceled", "undelivered"].includes(sms.status) ? <span className="soft">{words.notAccepted}</span> : null;
}

function Receipt({ part }: { part: Part | undefined }) {
  const words = useWords(partsWords);
  if (part == null || part.status === null) return null;
  const { provider_message_id, reported_at } = part;
  // The carrier's code for a delivered part only repeats its status.
  const codes = part.status === "delivered" ? [] : [part.code, part.provider_code].filter((one) => one !== null);
  return (
    <p className="soft sms-receipt">
      {provider_message_id === null ? null : (
        <span>
          {words.carrierId} <code translate="no">{provider_message_id}</code>
        </span>
      )}
      {reported_at === null ? null : (
        <span>
          {words.reported} <When at={reported_at} long />
        </span>
      )}
      {codes.length === 0 ? null : (
        <span>
          {words.carrierSays} <code translate="no">{codes.join(" · ")}</code>
        </span>
      )}
    </p>
  );
}
