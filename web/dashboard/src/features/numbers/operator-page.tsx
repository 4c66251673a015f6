import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useList } from "../../data/queries.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Listing, Rows } from "../../parts/pages/list-page.tsx";
import { Empty, Page, Section } from "../../parts/pages/page.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AssignNumber } from "./assign-number.tsx";
import { NumberState, useUses } from "./number-parts.tsx";
import { numberWords, operatorWords } from "./numbers.words.ts";
import { type NumberOverview, OperatorActions } from "./operator-actions.tsx";
import "./numbers.css";

const decided = ["approved", "rejected"] as const;

export default function OperatorNumbersPage() {
  const words = useWords(operatorWords);
  const own = useWords(numberWords);
  const all = useWords(shared);
  const { values, set } = useSearch();
  const waiting = useList<NumberOverview>("GET /api/admin/numbers", { query: { status: "requested" } });
  const list = useList<NumberOverview>("GET /api/admin/numbers", { query: { q: values["q"], status: values["status"] ?? decided } });
  const columns = useColumns();
  return (
    <Page
      title={words.title}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
          {words.assign}
        </Button>
      }
    >
      <p className="soft">{words.text}</p>
      <Section title={words.waiting}>
        <Rows
          list={waiting}
          label={words.waiting}
          idOf={(number) => number.id}
          columns={columns}
          empty={<p className="soft">{words.nothingWaits}</p>}
          foot={false}
        />
      </Section>
      <Section title={words.decided}>
        <Listing
          list={list}
          label={words.decided}
          search={words.search}
          filters={[{ name: "status", label: all.status, options: decided.map((value) => ({ value, label: own.states[value] })) }]}
          idOf={(number) => number.id}
          columns={columns}
          empty={<Empty title={words.nothing} text={words.nothingText} />}
        />
      </Section>
      <AssignNumber open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

function useColumns(): Column<NumberOverview>[] {
  const words = useWords(operatorWords);
  const own = useWords(numberWords);
  const all = useWords(shared);
  const uses = useUses();
  return [
    { label: own.value, phone: "title", show: (number) => <strong translate="no">{number.value}</strong> },
    {
      label: words.project,
      phone: "note",
      show: (number) => <span className="cut">{`${number.merchant_name}${all.comma}${number.project_name}`}</span>,
    },
    { label: own.use, show: (number) => uses(number.channels) },
    { label: all.status, phone: "state", show: (number) => <NumberState status={number.status} /> },
    { label: own.requested, end: true, show: (number) => <Ago at={number.created_at} /> },
    { label: all.actions, end: true, phone: "amount", show: (number) => <OperatorActions number={number} /> },
  ];
}
