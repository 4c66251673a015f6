import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { Facts } from "../../../parts/pages/object-page.tsx";
import { Loaded, Page, Section } from "../../../parts/pages/page.tsx";
import { Badge } from "../../../parts/shown/status.tsx";
import { DayBars, Meter, shareOf } from "../../../parts/shown/used.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { tierWords } from "../../../words/tiers.ts";
import { usageWords } from "./usage.words.ts";
import "./usage.css";

type Usage = Objects["Usage"];

/** Single messages have no events here, so the number is refetched. */
const everyMs = 15_000;

export default function UsagePage() {
  const words = useWords(usageWords);
  const tiers = useWords(tierWords);
  const read = useApi("GET /v1/usage", { every: everyMs });
  const tier = read.data?.messaging_tier;
  return (
    <Page title={words.title} aside={tier === undefined ? null : <Badge tone="plain">{words.tier(tiers[tier])}</Badge>}>
      <SuspendedNote />
      <p className="soft">{words.text}</p>
      <Loaded read={read}>
        {(usage) => (
          <>
            <div className="usage-channels">
              {(["emails", "sms", "calls"] as const).map((channel) => (
                <Channel key={channel} channel={channel} used={usage[channel]} />
              ))}
            </div>
            <Limits usage={usage} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Channels = "emails" | "sms" | "calls";

interface ChannelProps {
  channel: Channels;
  used: Usage[Channels];
}

/** What was sent through one channel: today's number next to its quota, and the days before. */
function Channel({ channel, used: { quota, used, remaining, resets_at, days } }: ChannelProps) {
  const words = useWords(usageWords);
  const { locale } = useLanguage();
  const number = (value: number) => value.toLocaleString(locale);
  return (
    <section className="usage-today" aria-label={words.today[channel]}>
      <h2>{words.today[channel]}</h2>
      <p className="usage-line">
        <span className="usage-number">{number(used)}</span>
        <span className="soft">{words.of(number(quota))}</span>
      </p>
      <Meter share={shareOf(used, quota)} />
      <p className="soft usage-left">
        {remaining === 0 ? words.usedUp : words.left[channel](number(remaining))} <When at={resets_at} zoned />
      </p>
      <DayBars days={days} words={words} text={number} />
    </section>
  );
}

function Limits({ usage: { limits } }: { usage: Usage }) {
  const words = useWords(usageWords);
  const { locale } = useLanguage();
  const per = (name: keyof typeof limits, unit: (count: string) => string) => ({
    label: words.limits[name],
    value: unit(limits[name].toLocaleString(locale)),
  });
  return (
    <Section title={words.limitsTitle}>
      <p className="soft">{words.limitsText}</p>
      <Facts
        facts={[
          per("emails_per_minute", words.perMinute),
          per("sms_per_minute", words.perMinute),
          per("calls_per_minute", words.perMinute),
          per("reads_per_minute", words.perMinute),
          per("general_per_minute", words.perMinute),
          per("batches_per_hour", words.perHour),
          per("sms_batches_per_hour", words.perHour),
          per("changes_per_hour", words.perHour),
          per("burst", words.atOnce),
        ]}
      />
    </Section>
  );
}
