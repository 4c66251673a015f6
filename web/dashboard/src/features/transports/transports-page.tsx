import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { SetAsideNote } from "../../parts/notes/operator-notes.tsx";
import { Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { Waited } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { transportWords } from "./transports.words.ts";
import { WayCard } from "./way-card.tsx";
import "./transports.css";

type Channel = Objects["TransportHealth"]["channels"][number];

const everyMs = 5_000;

export default function TransportsPage() {
  const words = useWords(transportWords);
  const read = useApi("GET /api/admin/transports", { every: everyMs });
  return (
    <Page title={words.title}>
      <p className="soft">{words.text}</p>
      <Loaded read={read}>{({ channels }) => channels.map((channel) => <ChannelSection key={channel.channel} channel={channel} />)}</Loaded>
    </Page>
  );
}

function ChannelSection({ channel: { channel, queue, transports } }: { channel: Channel }) {
  const words = useWords(transportWords);
  return (
    <Section title={words.channels[channel]}>
      <Figures queue={queue} />
      {queue.set_aside > 0 ? <SetAsideNote /> : null}
      {transports.length === 0 ? (
        <None channel={channel} />
      ) : (
        <ul className="ways">
          {transports.map((transport) => (
            <WayCard key={transport.name} channel={channel} transport={transport} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What waits for the channel's transports. */
function Figures({ queue }: Pick<Channel, "queue">) {
  const words = useWords(transportWords);
  const { locale } = useLanguage();
  const number = (value: number) => value.toLocaleString(locale);
  return (
    <dl className="queue-figures">
      <Figure label={words.figures.waiting} value={number(queue.waiting)} />
      <div>
        <dt>{words.figures.oldest}</dt>
        <dd>{queue.oldest_due_at === null ? <span className="soft">{words.onTime}</span> : <Waited since={queue.oldest_due_at} />}</dd>
      </div>
      <Figure label={words.figures.under_way} value={number(queue.under_way)} />
      <Figure label={words.figures.scheduled} value={number(queue.scheduled)} />
      <div>
        <dt>{words.figures.set_aside}</dt>
        <dd>{queue.set_aside === 0 ? "0" : <Badge tone="failed">{number(queue.set_aside)}</Badge>}</dd>
      </div>
    </dl>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function None({ channel }: Pick<Channel, "channel">) {
  const words = useWords(transportWords);
  const [how, guide] = words.noneHow[channel];
  return (
    <div className="no-way">
      <p>{words.none[channel]}</p>
      <p className="soft">
        {how} <code translate="no">{guide}</code>
      </p>
      <p className="soft">{words.noneWorker}</p>
    </div>
  );
}
