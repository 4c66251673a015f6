import { CloseButton, Loader, Popover, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { periodNames } from "./period.ts";
import { PeriodChip } from "./period-chip.tsx";
import { type Search, useSearch } from "./search.ts";

export interface Filter {
  /** The parameter's name, in the page's URL as in the API. */
  name: string;
  label: string;
  /** null until they are known. */
  options: { value: string; label: string }[] | null;
}

/** Short enough that the rows keep up with typing; outdated requests are aborted. */
const typingMs = 60;

/** Filters of a list, stored in the page's URL: a search field, and a chip for each kind. */
export function Filters({ filters, search, period }: { filters: Filter[]; search?: string | undefined; period?: string | undefined }) {
  const words = useWords(shared);
  const { values, set } = useSearch();
  const names = namesOf(filters);
  const any = names.some((name) => values[name] !== undefined);
  const line = useRef<HTMLElement>(null);
  // On a phone the line is wider than the screen: a list that was opened by its URL must not hide why it is short. The braces prevent the
  // promise that newer browsers return from being used as the effect's cleanup.
  useEffect(() => {
    line.current?.querySelector('.chip[data-chosen="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, []);
  return (
    <search className="filters" ref={line}>
      {search === undefined ? null : <SearchField label={search} />}
      {filters
        .filter(({ options }) => options?.length !== 0)
        .map((filter) => (
          <Chip key={filter.name} filter={filter} values={values} set={set} />
        ))}
      {period === undefined ? null : <PeriodChip label={period} />}
      {any ? (
        <UnstyledButton className="chip-clear" onClick={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}>
          {words.clear}
        </UnstyledButton>
      ) : null}
    </search>
  );
}

/** All URL parameters with which these filters narrow a list. */
export function namesOf(filters: Filter[]): string[] {
  return [...filters.map(({ name }) => name), "q", ...periodNames];
}

function SearchField({ label }: { label: string }) {
  const words = useWords(shared);
  const { values, set } = useSearch();
  const given = [values["q"] ?? ""].flat()[0] ?? "";
  const [text, setText] = useState(given);
  // Typed text comes back through the URL a moment later, when more may have been typed already; only other changes of the URL are applied.
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const at = sent.current.indexOf(given);
    if (at < 0) setText(given);
    sent.current = sent.current.slice(at + 1);
  }, [given]);
  const ask = useDebouncedCallback((written: string) => {
    const q = written.trim();
    if (q === given) return;
    sent.current.push(q);
    // The letters of one word are one step for the browser's back button.
    set({ q: q === "" ? undefined : q }, given !== "" && q !== "");
  }, typingMs);
  const write = (value: string) => {
    setText(value);
    ask(value);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
      leftSection={<IconSearch size={16} stroke={1.5} />}
      rightSection={text === "" ? null : <CloseButton size="sm" aria-label={words.clear} onClick={() => write("")} />}
      className="search-field"
    />
  );
}

interface ChipProps {
  filter: Filter;
  values: Search;
  set(values: Search): void;
}

function Chip({ filter, values, set }: ChipProps) {
  const words = useWords(shared);
  const chosen = [values[filter.name] ?? []].flat();
  const options = filter.options ?? [];
  const labels = options.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    set({ [filter.name]: next.length === 0 ? undefined : next });
  };
  return (
    <Popover position="bottom-start" shadow="md" radius="md" trapFocus>
      <span className="chip" data-filter={filter.name} data-chosen={labels.length > 0}>
        <Popover.Target>
          <UnstyledButton>
            {filter.label}
            {labels.length === 0 ? null : <strong>{labels.join(words.comma)}</strong>}
          </UnstyledButton>
        </Popover.Target>
        {labels.length === 0 ? null : (
          <UnstyledButton aria-label={words.about(words.remove, filter.label)} onClick={() => set({ [filter.name]: undefined })}>
            <IconX size={14} stroke={1.5} />
          </UnstyledButton>
        )}
      </span>
      <Popover.Dropdown p={4}>
        {filter.options === null ? <Loader size="xs" m="xs" /> : null}
        {options.map(({ value, label }) => (
          <label key={value} className="choice">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {label}
          </label>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
