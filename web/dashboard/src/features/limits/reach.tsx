import { IconWorldOff } from "@tabler/icons-react";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { useCountryName } from "../../parts/shown/country.tsx";
import { spanText } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";
import type { Limits } from "./values/given.ts";

/** The countries that can be reached now, and those that only the operator blocks. */
export function Reachable({ limits: { countries, reachable_countries } }: { limits: Limits }) {
  const words = useWords(limitWords);
  const name = useCountryName();
  const listed = (codes: readonly string[]) => words.listed(...codes.map(name));
  const closed = (countries ?? []).filter((code) => !reachable_countries.includes(code));
  return (
    <>
      {reachable_countries.length > 0 ? (
        <p>{words.reachable(listed(reachable_countries))}</p>
      ) : (
        <div className="note" data-tone="failed">
          <IconWorldOff size={20} stroke={1.5} aria-hidden />
          <p>{countries === null ? words.noHome : words.nowhere}</p>
        </div>
      )}
      {closed.length === 0 ? null : <p className="soft">{words.notReached(listed(closed))}</p>}
    </>
  );
}

/** A rule that lets one number get more than this a second limits nothing: operators raise it to turn it off. */
const mostPerSecond = 100;

/** How often one number may be written to or called. */
export function Pace({ pace }: { pace: Limits["recipient_pace"] }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const rules = (kind: "sms" | "calls") => {
    const limiting = pace[kind].filter(({ count, seconds }) => count / seconds <= mostPerSecond);
    if (limiting.length === 0) return words.noPace;
    return words.listed(
      ...limiting.map(({ count, seconds }) => words.paceRules[kind](count.toLocaleString(locale), spanText(locale, seconds * 1000))),
    );
  };
  return (
    <Section title={words.pace}>
      <Facts facts={(["sms", "calls"] as const).map((kind) => ({ label: words.paces[kind], value: rules(kind) }))} />
    </Section>
  );
}
