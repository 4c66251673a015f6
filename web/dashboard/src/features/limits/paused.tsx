import { Button } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAct, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { Section } from "../../parts/page.tsx";
import { Badge } from "../../parts/status.tsx";
import { Ago } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";

export type Pause = Objects["MessagingPause"];

/** Ranges of numbers that are kept from the project's messages; nothing while there are none. */
export function Paused() {
  const words = useWords(limitWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/messaging-pauses", { query: { status: ["active"], limit: 100 } });
  const pauses = read.data?.data ?? [];
  if (pauses.length === 0) return null;
  return (
    <Section title={words.paused}>
      <p className="soft">{words.pausedText}</p>
      <ul className="pauses">
        {pauses.map((pause) => (
          <li key={pause.id}>
            <PauseFacts pause={pause} />
            {here.may("settings") ? <Release pause={pause} route="POST /api/v1/projects/{projectId}/messaging-pauses/{id}/release" /> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What is paused, since when, and what was seen. */
export function PauseFacts({
  pause: { channel, prefix, cause, figures, paused_at },
}: {
  pause: Pick<Pause, "channel" | "prefix" | "cause" | "figures" | "paused_at">;
}) {
  const words = useWords(limitWords);
  return (
    <div>
      <p className="line">
        <strong>{words.pausedTitle(prefix)}</strong> <Badge tone="failed">{words.channels[channel]}</Badge>
      </p>
      <p className="soft">
        {words.causes[cause](figures)} · {words.pausedSince} <Ago at={paused_at} />
      </p>
    </div>
  );
}

/** Asks before messages go there again. */
export function Release({ pause: { id, prefix }, route }: { pause: Pick<Pause, "id" | "prefix">; route: string }) {
  const words = useWords(limitWords);
  const tell = useTell();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(route, { onRefused: () => true });
  const release = async () => {
    await act.mutateAsync({ path: { id }, body: {} });
    tell.done(words.released);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsking(true)} aria-label={words.releaseTitle(prefix)}>
        {words.release}
      </Button>
      <Ask title={words.releaseTitle(prefix)} open={isAsking} onClose={() => setAsking(false)} does={words.release} keeps={words.keep} onDo={release}>
        <p>{words.releaseText}</p>
      </Ask>
    </>
  );
}
