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
  const [waitingColumns, columns] = [useColumns("waiting"), useColumns("decided")];
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
        <div className="operator-numbers">
          <Rows
            list={waiting}
            label={words.waiting}
            idOf={(number) => number.id}
            columns={waitingColumns}
            empty={<p className="soft">{words.nothingWaits}</p>}
            foot={false}
          />
        </div>
      </Section>
      <Section title={words.decided}>
        <div className="operator-numbers">
          <Listing
            list={list}
            label={words.decided}
            search={words.search}
            filters={[{ name: "status", label: all.status, options: decided.map((value) => ({ value, label: own.states[value] })) }]}
            idOf={(number) => number.id}
            columns={columns}
            empty={<Empty title={words.nothing} text={words.nothingText} />}
          />
        </div>
      </Section>
      <AssignNumber open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

/** The same for both tables, except that the time is that of the request or of the decision. */
function useColumns(table: "waiting" | "decided"): Column<NumberOverview>[] {
  const words = useWords(operatorWords);
  const own = useWords(numberWords);
  const all = useWords(shared);
  const uses = useUses();
  const isWaiting = table === "waiting";
  return [
    {
      label: own.value,
      phone: "title",
      show: (number) => (
        <>
          <strong translate="no">{number.value}</strong> <span className="soft phone-only">{uses(number.channels)}</span>
        </>
      ),
    },
    {
      label: words.project,
      phone: "note",
      show: (number) => <span className="cut">{`${number.merchant_name}${all.comma}${number.project_name}`}</span>,
    },
    { label: own.use, show: (number) => uses(number.channels) },
    // All pending requests have the same status: on a phone, their heading is enough.
    { label: all.status, ...(isWaiting ? {} : { phone: "state" as const }), show: (number) => <NumberState status={number.status} /> },
    isWaiting
      ? { label: own.requested, end: true, show: (number) => <Ago at={number.created_at} /> }
      : { label: words.decided, end: true, show: (number) => <Ago at={number.decided_at ?? number.updated_at} /> },
    { label: all.actions, end: true, phone: "amount", show: (number) => <OperatorActions number={number} /> },
  ];
}
