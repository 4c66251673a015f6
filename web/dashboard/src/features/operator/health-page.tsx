import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { OperatorMailNote, SetAsideNote } from "../../parts/notes/operator-notes.tsx";
import { type Fact, Facts, TwoSides } from "../../parts/pages/object-page.tsx";
import { Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { Ago, spanText, Waited, When } from "../../parts/shown/when.tsx";
import { type Language, useLanguage, useWords } from "../../words/language.tsx";
import { operatorWords } from "./operator.words.ts";
import "./operator.css";

type Health = Objects["SystemHealth"];
type Queue = Health["queues"][number];

const lookMs = 5_000;

export default function HealthPage() {
  const words = useWords(operatorWords);
  const read = useApi("GET /api/admin/health", { every: lookMs });
  return (
    <Page title={words.health}>
      <OperatorMailNote />
      <Loaded read={read}>{(health) => <Body health={health} />}</Loaded>
    </Page>
  );
}

function Body({ health }: { health: Health }) {
  return <TwoSides left={<Queues queues={health.queues} />} right={<Facts facts={useFacts(health)} />} />;
}

function Queues({ queues }: { queues: Queue[] }) {
  const words = useWords(operatorWords);
  return (
    <Section title={words.queues}>
      <table className="queues" aria-label={words.queues}>
        <thead>
          <tr>
            {[words.queue, words.waiting, words.oldest, words.dead, words.setAside].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting, oldest_due_at, dead, set_aside }) => (
            <tr key={name}>
              <td>{(words.names as Record<string, string>)[name] ?? <code translate="no">{name}</code>}</td>
              <td>{waiting}</td>
              <td>{oldest_due_at === null ? <Badge tone="paid">{words.onTime}</Badge> : <Waited since={oldest_due_at} />}</td>
              <td>
                <Count count={dead} />
              </td>
              <td>
                <Count count={set_aside} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {queues.some(({ set_aside }) => set_aside > 0) && <SetAsideNote />}
    </Section>
  );
}

function Count({ count }: { count: number }) {
  return count === 0 ? <span className="soft">0</span> : <Badge tone="failed">{String(count)}</Badge>;
}

function useFacts(health: Health): Fact[] {
  const words = useWords(operatorWords);
  const { locale } = useLanguage();
  const size = (bytes: number | null) => (bytes === null ? "–" : sizeText(locale, bytes));
  return [
    { label: words.database, value: size(health.database_bytes) },
    { label: words.connections, value: health.database_connections },
    { label: words.disk, value: size(health.disk_free_bytes) },
    { label: words.memory, value: size(health.memory_bytes) },
    { label: words.mailTransport, value: words.mailTransports[health.mail_transport] },
    ...backupFacts(health, words),
    { label: words.uptime, value: spanText(locale, health.uptime_seconds * 1000) },
    { label: words.runtime, value: health.version },
    { label: words.seen, value: <When at={health.at} long /> },
  ];
}

const lateMs = 36 * 3_600_000;

/** A missed night, plus half a day to notice it, counts as late. */
function backupFacts(health: Health, words: (typeof operatorWords)[Language]): Fact[] {
  const { backups, backup_at, backup_verified_at, backup_failed_at, backup_failure } = health;
  if (backups === "elsewhere") return [{ label: words.backup, value: words.backupsElsewhere }];
  const isLate = backup_at !== null && Date.parse(health.at) - Date.parse(backup_at) > lateMs;
  return [
    {
      label: words.backup,
      value: (
        <>
          {backup_at === null ? words.noBackup : <Ago at={backup_at} />}{" "}
          {isLate && backups === "nightly" && <Badge tone="failed">{words.backupLate}</Badge>}
        </>
      ),
    },
    { label: words.backupTried, value: backup_verified_at === null ? words.neverTried : <Ago at={backup_verified_at} /> },
    ...(backup_failed_at === null
      ? []
      : [
          {
            label: words.backupFailed,
            value: (
              <>
                <Ago at={backup_failed_at} />
                <br />
                {backup_failure}
              </>
            ),
          },
        ]),
  ];
}

const mega = 1_000_000;
const giga = 1_000 * mega;

function sizeText(locale: string, bytes: number): string {
  const [value, unit] = bytes < giga ? [bytes / mega, "megabyte"] : [bytes / giga, "gigabyte"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
