import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { useSearch, useSearchText } from "../../parts/filters/search.ts";
import type { Infinite } from "../../parts/pages/list-page.tsx";
import { Loaded, RowSkeletons, Trouble } from "../../parts/pages/page.tsx";
import { Status } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { messageWords } from "./messages.words.ts";
import { Letterhead, Reader } from "./reader.tsx";

type Email = Objects["Email"];

/** TEST email as a mail client shows it: messages on the left, the open one on the right. */
export function Outbox({ list, empty }: { list: Infinite<Email>; empty: ReactNode }) {
  const words = useWords(messageWords);
  const all = useWords(shared);
  const chosen = useSearchText("mail");
  if (list.data === undefined)
    return list.error === null ? <RowSkeletons count={8} /> : <Trouble error={list.error} again={() => void list.refetch()} />;
  const emails = list.data.pages.flatMap(({ data }) => data);
  const opened = chosen ?? emails[0]?.id;
  if (emails.length === 0 && chosen === undefined) return empty;
  return (
    <div className="outbox">
      <section className="letters" aria-label={words.title}>
        {emails.map((email) => (
          <OutboxEmail key={email.id} email={email} isOpen={email.id === opened} />
        ))}
        <p className="soft">{all.shown(emails.length, list.hasNextPage)}</p>
        {list.hasNextPage ? (
          <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {all.more}
          </Button>
        ) : null}
      </section>
      {opened === undefined ? <p className="soft">{words.pick}</p> : <Opened key={opened} id={opened} />}
    </div>
  );
}

function OutboxEmail({ email, isOpen }: { email: Email; isOpen: boolean }) {
  const words = useWords(messageWords);
  const { set } = useSearch();
  return (
    <button type="button" className="letter" aria-current={isOpen} onClick={() => set({ mail: email.id })}>
      <span className="spread">
        <strong className="letter-line">{[email.to].flat().join(", ")}</strong>
        <When at={email.created_at} />
      </span>
      <span className="spread">
        <span className="letter-subject">{email.subject === "" ? words.noSubject : email.subject}</span>
        <Status status={email.status} />
      </span>
    </button>
  );
}

function Opened({ id }: { id: string }) {
  const words = useWords(messageWords);
  const here = useHere();
  const read = useApi("GET /v1/emails/{id}", { path: { id } });
  return (
    <article className="opened">
      <Loaded read={read}>
        {(email) => (
          <>
            <header className="spread">
              <h2>{email.subject === "" ? words.noSubject : email.subject}</h2>
              <Link to={here.to(`/messages/${email.id}`)}>{words.open}</Link>
            </header>
            <Letterhead email={email} />
            <Reader email={email} />
          </>
        )}
      </Loaded>
    </article>
  );
}
