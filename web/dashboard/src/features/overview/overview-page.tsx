import { SegmentedControl } from "@mantine/core";
import { useEffect, useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Loaded, Page } from "../../parts/page.tsx";
import { useSearch } from "../../parts/search.ts";
import { SuspendedNote } from "../../parts/suspended-note.tsx";
import { useWords } from "../../words/language.tsx";
import { ChannelsCard, ReviewCard, SuccessCard, VolumeCard } from "./cards.tsx";
import type { Figures } from "./figures.ts";
import { FirstWeek } from "./first-week.tsx";
import "./overview.css";
import { overviewWords } from "./overview.words.ts";
import { Waits } from "./waits.tsx";

const ranges = [7, 30, 90];
const dayMs = 86_400_000;
const calmMs = 300;

/** How the till does: what waits, what came in, how well, and how fast. */
export default function OverviewPage() {
  const words = useWords(overviewWords);
  const here = useHere();
  const { values, set } = useSearch();
  const days = ranges.find((one) => String(one) === values["days"]) ?? 30;
  const { now, before } = useSpans(days);
  return (
    <Page
      title={words.title}
      acts={
        <SegmentedControl
          aria-label={words.range}
          value={String(days)}
          onChange={(value) => set({ days: value })}
          data={ranges.map((one) => ({ value: String(one), label: words.days(one) }))}
        />
      }
    >
      {here.livemode ? <SuspendedNote /> : <FirstWeek />}
      <Waits />
      <Loaded read={now}>{(figures) => <Cards figures={figures} before={before} days={days} />}</Loaded>
    </Page>
  );
}

/** The chosen days and as many before them. Days begin at the reader's midnight. */
function useSpans(days: number) {
  const [tomorrow] = useState(() => new Date(new Date().setHours(24, 0, 0, 0)).getTime());
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const at = (back: number) => new Date(tomorrow - back * dayMs).toISOString();
  const route = "GET /api/v1/projects/{projectId}/figures";
  const now = useApi(route, { query: { from: at(days), to: at(0), time_zone } });
  // After the others: nobody waits for the comparison, and it must hold up neither what it compares nor the range that is chosen next.
  const calm = useCalm(now.isSuccess && !now.isPlaceholderData, days);
  const before = useApi(route, { query: { from: at(2 * days), to: at(days), time_zone }, enabled: calm });
  return { now, before: before.isPlaceholderData ? undefined : before.data };
}

/** Whether this range has been shown for a moment. */
function useCalm(shown: boolean, days: number): boolean {
  const [calmDays, setCalmDays] = useState<number | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setCalmDays(days), calmMs);
    return () => clearTimeout(timer);
  }, [shown, days]);
  return shown && calmDays === days;
}

function Cards({ figures, before, days }: { figures: Figures; before: Figures | undefined; days: number }) {
  const here = useHere();
  const currency = leading(figures) ?? here.project.default_currency;
  return (
    <div className="figures">
      <VolumeCard figures={figures} before={before} currency={currency} days={days} />
      <SuccessCard figures={figures} before={before} />
      <ReviewCard figures={figures} before={before} />
      <ChannelsCard figures={figures} currency={currency} />
    </div>
  );
}

/** The currency of most payments; the others stand beside its number. */
function leading({ days }: Figures): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency, paid_count } of days) counts.set(currency, (counts.get(currency) ?? 0) + paid_count);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
