import { SegmentedControl } from "@mantine/core";
import { memo, useEffect, useState } from "react";
import { useHere, useZone } from "../../data/here.tsx";
import { useAhead, useApi } from "../../data/queries.ts";
import { midnightOf, readerZone } from "../../data/zone.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { ChannelsCard, ConfirmationCard, SuccessCard, VolumeCard } from "./cards.tsx";
import type { Figures } from "./figures.ts";
import { FirstWeek } from "./first-week.tsx";
import "./overview.css";
import { overviewWords } from "./overview.words.ts";
import { useToday } from "./use-today.ts";
import { Waits } from "./waits.tsx";

const ranges = [7, 30, 90];
const calmMs = 300;
const route = "GET /api/v1/projects/{projectId}/figures";

/** The state of the business: what waits, what was received, how well, and how fast. */
export default function OverviewPage() {
  const words = useWords(overviewWords);
  const here = useHere();
  const { values, set } = useSearch();
  const days = ranges.find((one) => String(one) === values["days"]) ?? 30;
  const { now, before, readAhead } = useSpans(days);
  return (
    <Page
      title={words.title}
      actions={
        <SegmentedControl
          aria-label={words.range}
          value={String(days)}
          onChange={(value) => set({ days: value })}
          data={ranges.map((one) => ({ value: String(one), label: words.days(one) }))}
          // The request is already in progress when the press has become a click.
          onPointerDown={({ target }) => {
            const choice = (target as Element).closest("label")?.control;
            if (choice instanceof HTMLInputElement) readAhead(Number(choice.value));
          }}
        />
      }
    >
      {here.livemode ? <SuspendedNote /> : <FirstWeek />}
      <Waits />
      <Loaded read={now}>{(figures) => <Cards figures={figures} before={before} />}</Loaded>
    </Page>
  );
}

/** The chosen days and as many before them. Days begin at midnight in the project's time zone, or in the reader's. */
function useSpans(days: number) {
  const zone = useZone();
  const today = useToday(zone);
  const time_zone = zone ?? readerZone();
  const at = (back: number) => midnightOf(today, 1 - back, zone).toISOString();
  const span = (from: number, to: number) => ({ query: { from: at(from), to: at(to), time_zone } });
  const now = useApi(route, span(days, 0));
  // Loaded last: no one waits for the comparison, and it must not delay the compared data or the next range.
  const calm = useCalm(now.isSuccess && !now.isPlaceholderData, days);
  const before = useApi(route, { ...span(2 * days, days), enabled: calm });
  const ahead = useAhead(route);
  const fits = before.data?.to === now.data?.from;
  return { now, before: fits ? before.data : undefined, readAhead: (chosen: number) => ahead(span(chosen, 0)) };
}

/** True once this range has been shown for a moment. */
function useCalm(shown: boolean, days: number): boolean {
  const [calmDays, setCalmDays] = useState<number | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setCalmDays(days), calmMs);
    return () => clearTimeout(timer);
  }, [shown, days]);
  return shown && calmDays === days;
}

/** Drawn again when data arrives, not when a range is chosen. */
const Cards = memo(function CardsOf({ figures, before }: { figures: Figures; before: Figures | undefined }) {
  const here = useHere();
  const currency = leading(figures) ?? here.project.default_currency;
  return (
    <div className="figures">
      <VolumeCard figures={figures} before={before} currency={currency} />
      <SuccessCard figures={figures} before={before} />
      <ConfirmationCard figures={figures} before={before} />
      <ChannelsCard figures={figures} currency={currency} />
    </div>
  );
});

/** The currency of most payments; the others are shown next to its number. */
function leading({ days }: Figures): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency, paid_count } of days) counts.set(currency, (counts.get(currency) ?? 0) + paid_count);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
