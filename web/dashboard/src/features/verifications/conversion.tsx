import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { Loaded, Section } from "../../parts/pages/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { useCountry } from "./country.ts";
import { verificationWords } from "./verifications.words.ts";
import "./verifications.css";

type Row = Objects["VerificationConversion"]["data"][number];

/** As many as can be compared at a glance. */
const maxRows = 8;

/** A bar for each channel in each country: how much of it is filled is the share that was approved. */
export function Conversion() {
  const words = useWords(verificationWords);
  const read = useApi("GET /v1/verifications/conversion");
  return (
    <Section title={words.conversion}>
      <p className="soft">{words.conversionText}</p>
      <Loaded read={read}>
        {({ data }) => (data.length === 0 ? <p className="soft">{words.none}</p> : <Bars rows={data.slice(0, maxRows)} />)}
      </Loaded>
    </Section>
  );
}

function Bars({ rows }: { rows: readonly Row[] }) {
  const words = useWords(verificationWords);
  const { locale } = useLanguage();
  const country = useCountry();
  const number = (value: number) => value.toLocaleString(locale);
  return (
    <ul className="conversion">
      {rows.map(({ channel, country: code, ended, approved }) => (
        <li key={`${channel} ${code}`}>
          <span className="conversion-name">
            {words.channels[channel]} <span className="soft">{country(code)}</span>
          </span>
          <span className="conversion-track" aria-hidden="true">
            <span className="conversion-approved" style={{ width: `${(approved / ended) * 100}%` }} />
          </span>
          <span className="conversion-share">
            <strong>{(approved / ended).toLocaleString(locale, { style: "percent" })}</strong>{" "}
            <span className="soft">{words.share(number(approved), number(ended))}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
