import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { useSearch, useSearchText } from "../../parts/filters/search.ts";
import { OperatorMailNote } from "../../parts/notes/operator-notes.tsx";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Loaded, Page } from "../../parts/pages/page.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Letterhead, Reader } from "../messages/reader.tsx";
import { operatorWords } from "./operator.words.ts";
import "../messages/parts/messages.css";
import "./operator.css";

type Email = Objects["Email"];

const statuses = ["queued", "sending", "sent", "delivery_delayed", "delivered", "bounced", "failed", "suppressed"];

export default function MailsPage() {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const text = useStatusText();
  const here = useHere();
  const { values, set } = useSearch();
  const opened = useSearchText("mail");
  const to = String(values["q"] ?? "").includes("@") ? values["q"] : undefined;
  const list = useList<Email>("GET /api/admin/emails", { query: { to, status: values["status"] } });
  const columns: Column<Email>[] = [
    { label: words.to, phone: "title", show: (email) => <span className="cut">{[email.to].flat().join(", ")}</span> },
    { label: words.subject, phone: "note", show: (email) => <span className="cut">{email.subject}</span> },
    { label: all.status, phone: "state", show: (email) => <Status status={email.status} /> },
    { label: all.created, end: true, phone: "amount", show: (email) => <When at={email.created_at} /> },
  ];
  return (
    <Page title={words.mails}>
      <OperatorMailNote />
      <p className="soft">{words.mailsText}</p>
      <Listing
        list={list}
        label={words.mails}
        search={words.address}
        filters={[{ name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) }]}
        idOf={(email) => email.id}
        hrefOf={(email) => `${here.to("/operator/mails")}?mail=${email.id}`}
        columns={columns}
        empty={<Empty title={words.noMails} />}
      />
      <Dialog opened={opened !== undefined} onClose={() => set({ mail: undefined })} title={words.mails} size="lg">
        {opened === undefined ? null : <Opened id={opened} />}
      </Dialog>
    </Page>
  );
}

function Opened({ id }: { id: string }) {
  const read = useApi("GET /api/admin/emails/{id}", { path: { id } });
  return (
    <Loaded read={read}>
      {(email) => (
        <div className="opened-mail">
          <h3>{email.subject}</h3>
          <Letterhead email={email} />
          <Reader key={email.id} email={email} parts={["html", "text"]} />
        </div>
      )}
    </Loaded>
  );
}
