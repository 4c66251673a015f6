import { Button } from "@mantine/core";
import { IconInfoCircle, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useSearch } from "../../parts/filters/search.ts";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Empty, Loaded, Page } from "../../parts/pages/page.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { isName, NumberState, type ProjectNumber, useCountries, useUses } from "./number-parts.tsx";
import { numberWords } from "./numbers.words.ts";
import { RequestNumber } from "./request-number.tsx";
import "./numbers.css";

export default function NumbersPage() {
  const words = useWords(numberWords);
  const here = useHere();
  const { values, set } = useSearch();
  const read = useApi("GET /v1/numbers", { query: { limit: 100 } });
  const add = here.may("numbers") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.request}
    </Button>
  ) : null;
  return (
    <Page title={words.numbers} actions={read.data?.data.length === 0 ? null : add}>
      <SuspendedNote />
      <p className="soft">{here.livemode ? words.liveText : words.testText}</p>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.none} text={here.livemode ? words.noneText : words.noneTestText}>
              {add}
            </Empty>
          ) : (
            <div className="numbers">
              {data.map((number) => (
                <NumberCard key={number.id} number={number} />
              ))}
            </div>
          )
        }
      </Loaded>
      <RequestNumber open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

function NumberCard({ number }: { number: ProjectNumber }) {
  const words = useWords(numberWords);
  const here = useHere();
  const [uses, countries] = [useUses(), useCountries()];
  return (
    <section className="card number" aria-label={number.value}>
      <div className="page-head">
        <div className="page-title">
          <h2 translate="no">{number.value}</h2>
          <NumberState status={number.status} />
        </div>
        {here.may("numbers") ? <NumberActions number={number} /> : null}
      </div>
      {number.rejection_reason === null ? null : (
        <div className="note" data-tone="failed">
          <IconInfoCircle size={20} stroke={1.5} aria-hidden />
          {/* In TEST only the simulation rejects, always for the same reason. */}
          <p>{here.livemode ? number.rejection_reason : words.simulatedReason}</p>
        </div>
      )}
      <Facts
        facts={[
          { label: words.use, value: uses(number.channels) },
          { label: words.countries, value: countries(number.countries) },
          number.purpose === null ? null : { label: words.about, value: number.purpose },
          { label: words.requested, value: <When at={number.created_at} /> },
        ]}
      />
    </section>
  );
}

function NumberActions({ number }: { number: ProjectNumber }) {
  const words = useWords(numberWords);
  const all = useWords(shared);
  const notify = useNotify();
  const [openDialog, setOpenDialog] = useState<"again" | "give up" | null>(null);
  const remove = useAction("DELETE /v1/numbers/{id}", { onRefused: () => true });
  const release = async () => {
    await remove.mutateAsync({ path: { id: number.id } });
    notify.done(words.removed);
  };
  const { livemode } = useHere();
  const isApproved = number.status === "approved";
  const removal = isName(number.value) ? words.removeName : words.removeNumber;
  const action = number.status === "requested" ? words.withdraw : removal;
  return (
    <div className="page-actions">
      {number.status === "rejected" ? (
        <Button variant="default" aria-label={all.about(words.askAgain, number.value)} onClick={() => setOpenDialog("again")}>
          {words.askAgain}
        </Button>
      ) : null}
      <Button variant="default" aria-label={all.about(action, number.value)} onClick={() => setOpenDialog("give up")}>
        {action}
      </Button>
      <Ask
        title={all.about(action, number.value)}
        open={openDialog === "give up"}
        onClose={() => setOpenDialog(null)}
        does={action}
        danger
        onDo={release}
      >
        <p>{(isApproved ? (livemode ? words.removeText : words.removeTestText) : words.withdrawText)(number.value)}</p>
      </Ask>
      {openDialog === "again" ? <RequestNumber open again={number} onClose={() => setOpenDialog(null)} /> : null}
    </div>
  );
}
