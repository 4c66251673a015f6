import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Section } from "../../parts/pages/page.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { operatorWords } from "./operator.words.ts";

type Project = Objects["Project"];

/** A merchant's projects, with links to their spending on messages and their caps. */
export function MerchantProjects({ merchantId }: { merchantId: string }) {
  const words = useWords(operatorWords);
  const here = useHere();
  const list = useList<Project>("GET /api/admin/merchants/{id}/projects", { path: { id: merchantId } });
  return (
    <Section title={words.projects}>
      <p className="soft">{words.projectsText}</p>
      <Listing
        list={list}
        label={words.projects}
        filters={[]}
        idOf={({ id }) => id}
        hrefOf={({ id }) => here.to(`/operator/merchants/${merchantId}/caps/${id}`)}
        columns={useColumns()}
        empty={<Empty title={words.noProjects} text={words.noProjectsText} />}
      />
    </Section>
  );
}

function useColumns(): Column<Project>[] {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  return [
    { label: words.name, phone: "title", show: ({ name }) => <strong className="cut">{name}</strong> },
    { label: words.currency, phone: "state", show: ({ default_currency }) => default_currency },
    { label: all.id, phone: "note", show: ({ id }) => <code translate="no">{id}</code> },
    { label: all.created, end: true, phone: "amount", show: ({ created_at }) => <When at={created_at} /> },
  ];
}
