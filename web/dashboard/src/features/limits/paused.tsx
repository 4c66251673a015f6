import { Button } from "@mantine/core";
import { IconShieldPause } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";

type Pause = Pick<Objects["MessagingPause"], "id" | "channel" | "prefix" | "cause" | "figures" | "paused_at">;

/** Ranges of numbers that the project's messages can't reach, why, and what to do about it; nothing while there are none. */
export function Paused() {
  const words = useWords(limitWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/messaging-pauses", { query: { status: ["active"], limit: 100 } });
  const pauses = read.data?.data ?? [];
  if (pauses.length === 0) return null;
  return (
    <Section title={words.paused}>
      <div className="note pause-note" data-tone="failed">
        <IconShieldPause size={20} stroke={1.5} aria-hidden />
        <p>
          {words.pausedText} {here.may("keys") ? <Link to={here.to("/keys")}>{words.keys}</Link> : null}
        </p>
      </div>
      <ul className="pauses">
        {pauses.map((pause) => (
          <li key={pause.id}>
            <Facts pause={pause} />
            {here.may("settings") ? (
              <Release pause={pause} route="POST /api/v1/projects/{projectId}/messaging-pauses/{id}/release" />
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What is paused, since when, and why. */
function Facts({ pause }: { pause: Pause }) {
  const words = useWords(limitWords);
  const seen = useSeen();
  return (
    <div>
      <p className="line">
        <strong>{words.pausedTitle(pause.prefix)}</strong> <Badge tone="waiting">{words.channels[pause.channel]}</Badge>
      </p>
      <p className="soft">
        {seen(pause)} · {words.pausedSince} <Ago at={pause.paused_at} />
      </p>
    </div>
  );
}

/** Returns a sentence about what was counted before a pause. */
export function useSeen(): (pause: Pick<Pause, "channel" | "cause" | "figures">) => string {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const number = (value: number) => value.toLocaleString(locale);
  return ({ channel, cause, figures: { messages, codes, approved, share_percent, sequential_percent } }) => {
    if (cause === "no_conversions") return words.causes.no_conversions(number(codes), number(approved));
    if (cause === "dominant_prefix") return words.causes.dominant_prefix[channel](`${share_percent}%`);
    return words.causes.sequential_numbers[channel](number(messages), `${sequential_percent}%`);
  };
}

/** Asks before messages are sent there again. */
export function Release({ pause, route }: { pause: Pause; route: string }) {
  const { id, channel, prefix } = pause;
  const words = useWords(limitWords);
  const seen = useSeen();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const action = useAction(route, { onRefused: () => true });
  const title = words.releaseTitle(`+${prefix}`, words.channels[channel]);
  const release = async () => {
    await action.mutateAsync({ path: { id }, body: {} });
    notify.done(words.released);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)} aria-label={title}>
        {words.release}
      </Button>
      <Ask title={title} open={isOpen} onClose={() => setOpen(false)} does={words.release} keeps={words.keep} onDo={release}>
        <p>
          <strong>{seen(pause)}</strong>
        </p>
        <p>{words.releaseText[channel]}</p>
      </Ask>
    </>
  );
}
