import { Checkbox, TagsInput } from "@mantine/core";
import type { Objects } from "../../data/client.ts";
import { Badge, type Tone } from "../../parts/shown/status.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { numberWords } from "./numbers.words.ts";

export type ProjectNumber = Objects["ProjectNumber"];
type Channel = ProjectNumber["channels"][number];

/** What a number may be used for, as forms store it. */
export interface Terms {
  channels: string[];
  countries: string[];
}

const tones: Record<ProjectNumber["status"], Tone> = { requested: "waiting", approved: "paid", rejected: "failed" };

export function NumberState({ status }: { status: ProjectNumber["status"] }) {
  const words = useWords(numberWords);
  return <Badge tone={tones[status]}>{words.states[status]}</Badge>;
}

/** A number's uses in the reader's language. */
export function useUses(): (channels: readonly Channel[]) => string {
  const words = useWords(numberWords);
  return (channels) => words.listed(...channels.map((channel) => words.uses[channel]));
}

/** Countries by their names. */
export function useCountries(): (countries: readonly string[] | null) => string {
  const words = useWords(numberWords);
  const { locale } = useLanguage();
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return (countries) => (countries === null ? words.everywhere : words.listed(...countries.map((code) => names.of(code) ?? code)));
}

/** Only phone numbers can make calls. */
export function isTelephone(value: string): boolean {
  return value.trim().startsWith("+");
}

/** A sender name, not a number: it has anything but digits. */
export function isName(value: string): boolean {
  return /[^\d\s().-]/.test(value.trim().replace(/^\+/, ""));
}

/** The fields of a request's or an approval's body. Only what the number supports is sent. */
export function termsBody(value: string, { channels, countries }: Terms) {
  return { channels: isTelephone(value) ? channels : ["sms"], countries: countries.length === 0 ? null : countries };
}

interface TermFieldsProps {
  value: string;
  terms: Terms;
  faults: Record<string, string>;
  onChange(terms: Terms): void;
}

/** What a number is for, and where. */
export function TermFields({ value, terms, faults, onChange }: TermFieldsProps) {
  const words = useWords(numberWords);
  const all = useWords(shared);
  const countryFault = Object.entries(faults).find(([param]) => param.startsWith("countries"))?.[1];
  return (
    <>
      {isTelephone(value) ? (
        <Checkbox.Group
          label={words.use}
          value={terms.channels}
          error={faults["channels"]}
          onChange={(channels) => onChange({ ...terms, channels })}
        >
          <div className="line number-uses">
            <Checkbox value="sms" label={words.uses.sms} />
            <Checkbox value="call" label={words.uses.call} />
          </div>
        </Checkbox.Group>
      ) : null}
      <TagsInput
        label={all.optionally(words.countries)}
        description={words.countriesHint}
        value={terms.countries}
        error={countryFault}
        onChange={(countries) => onChange({ ...terms, countries: countries.map((one) => one.trim().toUpperCase()) })}
      />
    </>
  );
}
