import { Popover, TextInput, UnstyledButton } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useZone } from "../../data/here.tsx";
import { defineWords, useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { dayOf, type Preset, presets } from "./period.ts";
import { useSearch } from "./search.ts";

const words = defineWords({
  en: {
    presets: { "1": "Today", "7": "Last 7 days", "30": "Last 30 days", month: "This month", "last-month": "Last month" },
    from: "First day",
    to: "Last day",
  },
  zh: { presets: { "1": "今天", "7": "近 7 天", "30": "近 30 天", month: "本月", "last-month": "上月" }, from: "起始日", to: "截止日" },
});

/** A filter by days: one of the presets, or any two days. */
export function PeriodChip({ label }: { label: string }) {
  const say = useWords(words);
  const all = useWords(shared);
  const { values, set } = useSearch();
  const one = (name: string) => [values[name] ?? []].flat()[0];
  const chosen = useChosen(one("since"), one("from"), one("to"));
  const fields = (["from", "to"] as const).map((name) => (
    <TextInput
      key={name}
      type="date"
      label={say[name]}
      value={one(name) ?? ""}
      min={name === "to" ? one("from") : undefined}
      max={name === "from" ? one("to") : undefined}
      onChange={(event) => set({ [name]: event.currentTarget.value === "" ? undefined : event.currentTarget.value, since: undefined })}
    />
  ));
  return (
    <Popover position="bottom-start" shadow="md" radius="md" trapFocus>
      <span className="chip" data-filter="period" data-chosen={chosen !== null}>
        <Popover.Target>
          <UnstyledButton>
            {label}
            {chosen === null ? null : <strong>{chosen}</strong>}
          </UnstyledButton>
        </Popover.Target>
        {chosen === null ? null : (
          <UnstyledButton
            aria-label={all.about(all.remove, label)}
            onClick={() => set({ since: undefined, from: undefined, to: undefined })}
          >
            <IconX size={14} stroke={1.5} />
          </UnstyledButton>
        )}
      </span>
      <Popover.Dropdown p={4}>
        {presets.map((preset) => (
          <label key={preset} className="choice">
            <input type="radio" checked={one("since") === preset} onChange={() => set({ since: preset, from: undefined, to: undefined })} />
            {say.presets[preset]}
          </label>
        ))}
        <div className="period-days">{fields}</div>
      </Popover.Dropdown>
    </Popover>
  );
}

function useChosen(since: string | undefined, from: string | undefined, to: string | undefined): string | null {
  const say = useWords(words);
  const { locale } = useLanguage();
  const zone = useZone();
  if (since !== undefined && since in say.presets) return say.presets[since as Preset];
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium", ...(zone === undefined ? {} : { timeZone: zone }) });
  const [first = null, last = null] = [dayOf(from, 0, zone), dayOf(to, 0, zone)];
  if (first !== null && last !== null && first <= last) return days.formatRange(first, last);
  const [start, end] = [first, last].map((day) => (day === null ? "" : days.format(day)));
  return start === end ? null : `${start} – ${end}`;
}
