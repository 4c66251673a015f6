import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { features } from "../../features/index.ts";
import { linkTo } from "../../parts/filters/search.ts";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";
import { entriesFor } from "./entries.ts";

interface Hit {
  key: string;
  kind: string;
  label: string;
  note?: string;
  path: string;
}

/** The palette's content: a field, and its matches. */
export default function Finder({ onChosen }: { onChosen(): void }) {
  const words = useWords(shellWords);
  const here = useHere();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const hits = useHits(text.trim());
  const choose = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    onChosen();
    void navigate(linkTo(here.to(hit.path)));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") choose(hits[at]);
    else if (step !== undefined) setAt((before) => Math.max(0, Math.min(hits.length - 1, before + step)));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        className="palette-input"
        leftSection={<IconSearch size={20} stroke={1.5} />}
        placeholder={words.findHint}
        aria-label={words.findHint}
        role="combobox"
        aria-expanded="true"
        aria-controls="hits"
        aria-activedescendant={hits[at] === undefined ? undefined : `hit-${at}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <Hits hits={hits} at={at} onChoose={choose} />
    </>
  );
}

function Hits({ hits, at, onChoose }: { hits: Hit[]; at: number; onChoose(hit: Hit): void }) {
  const words = useWords(shellWords);
  return (
    <div id="hits" role="listbox" className="hits" aria-label={words.find}>
      {hits.length === 0 ? <p className="soft">{words.noHit}</p> : null}
      {hits.map((hit, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above keeps the focus and listens to the keys
        <div key={hit.key} id={`hit-${index}`} role="option" tabIndex={-1} aria-selected={index === at} onClick={() => onChoose(hit)}>
          <span className="hit-kind">{hit.kind}</span>
          <span>{hit.label}</span>
          {hit.note === undefined ? null : <span className="soft">{hit.note}</span>}
        </div>
      ))}
    </div>
  );
}

/** Pages by the prefix of an object's id; for an object without its own page, the list that contains it. */
const idPaths: Record<string, (id: string) => string> = {
  ord: (id) => `/orders/${id}`,
  we: (id) => `/webhooks/${id}`,
  em: (id) => `/messages/${id}`,
  bat: (id) => `/batches/${id}`,
  exc: () => "/exceptions",
  rcp: () => "/receipts",
  txn: () => "/transactions",
  cp: () => "/codes",
  key: () => "/keys",
  dom: () => "/domains",
  sup: () => "/suppressions",
};

function useHits(text: string): Hit[] {
  const words = useWords(shellWords);
  const here = useHere();
  const { language, locale } = useLanguage();
  const [debounced] = useDebouncedValue(text, 200);
  const found = useApi("GET /api/v1/projects/{projectId}/orders", { query: { q: debounced, limit: 6 }, enabled: debounced.length > 1 });
  const fits = (label: Record<string, string>) => Object.values(label).some((one) => one.toLowerCase().includes(text.toLowerCase()));
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(text)?.[1];
  const pathOf = prefix === undefined ? undefined : idPaths[prefix];
  const byId = pathOf === undefined ? [] : [{ key: text, kind: words.goTo, label: words.openId(text), path: pathOf(text) }];
  const orders = (debounced.length > 1 && text.length > 1 && byId.length === 0 ? (found.data?.data ?? []) : []).map((order) => ({
    key: order.id,
    kind: words.orders,
    label: order.reference,
    note: moneyText(locale, order.amount_minor, order.currency),
    path: `/orders/${order.id}`,
  }));
  const pages = entriesFor(here)
    .filter(({ label }) => fits(label))
    .map(({ path, label }) => ({ key: path, kind: words.goTo, label: label[language], path }));
  const commands = features
    .flatMap((feature) => feature.commands ?? [])
    .filter(({ label, only }) => fits(label) && (only === undefined || only(here)))
    .map(({ label, path }) => ({ key: `do ${path}`, kind: words.doThis, label: label[language], path }));
  return [...byId, ...orders, ...commands, ...pages].slice(0, 12);
}
