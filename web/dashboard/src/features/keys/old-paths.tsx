import type { Objects } from "../../data/client.ts";
import { useList } from "../../data/queries.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import type { ApiKey } from "./api-key.ts";
import { keyWords } from "./keys.words.ts";
import "./keys.css";

type Use = Objects["FlatPathUse"];

/** Which keys still use paths that will be removed, so that their programs can be changed in time. */
export function OldPaths({ keys }: { keys: ApiKey[] }) {
  const words = useWords(keyWords);
  const list = useList<Use>("GET /api/v1/projects/{projectId}/flat-path-uses", { query: { limit: undefined } });
  return (
    <Section title={words.oldPaths}>
      <p className="soft">{words.oldPathsText}</p>
      <Rows list={list} label={words.oldPaths} idOf={(use) => use.id} columns={useColumns(keys)} empty={<p>{words.noOldPaths}</p>} />
    </Section>
  );
}

function useColumns(keys: ApiKey[]): Column<Use>[] {
  const words = useWords(keyWords);
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]));
  return [
    { label: words.key, phone: "title", show: (use) => <strong className="cut">{nameOf.get(use.key_id) ?? use.key_id}</strong> },
    {
      label: words.oldPath,
      phone: "note",
      show: (use) => (
        <code translate="no" className="old-path" title={use.endpoint}>
          {flatOf(use.endpoint)}
        </code>
      ),
    },
    { label: words.uses, end: true, phone: "amount", show: (use) => words.times(use.uses) },
    { label: words.lastUsed, end: true, phone: "state", show: (use) => <Ago at={use.last_used_at} /> },
  ];
}

/** The API returns the replacement path; the old one has no project in it. */
function flatOf(endpoint: string): string {
  return endpoint.replace("/projects/:projectId", "");
}
