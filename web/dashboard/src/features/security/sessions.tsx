import { Button } from "@mantine/core";
import type { Objects } from "../../data/client.ts";
import { useAction, useList } from "../../data/queries.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { browserOf } from "./browser-of.ts";
import { securityWords } from "./security.words.ts";

type Session = Objects["PersonSession"];

export function Sessions() {
  const words = useWords(securityWords);
  const all = useWords(shared);
  const list = useList<Session>("GET /api/profile/sessions", { query: { limit: 20 } });
  const end = useAction("DELETE /api/profile/sessions/{id}", { success: words.ended });
  const endOthers = useAction("POST /api/profile/sessions/end-others", { success: words.ended });
  const columns: Column<Session>[] = [
    {
      label: words.browser,
      phone: "title",
      show: (session) => (
        <span>
          {browserOf(session.user_agent)} {session.is_current ? <span className="soft">{words.current}</span> : null}
        </span>
      ),
    },
    { label: words.address, show: (session) => <span className="soft">{session.ip_address ?? "–"}</span> },
    { label: words.since, phone: "note", show: (session) => <When at={session.created_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (session) =>
        session.is_current ? null : (
          <Button variant="default" size="xs" onClick={() => end.mutate({ path: { id: session.id } })}>
            {words.end}
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={words.sessions}
      actions={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => endOthers.mutate({ body: {} })}>
          {words.endOthers}
        </Button>
      }
    >
      <Rows list={list} label={words.sessions} idOf={(session) => session.id} columns={columns} empty={null} />
    </Section>
  );
}
