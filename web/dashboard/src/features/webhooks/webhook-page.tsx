import { IconArrowLeft, IconInfoCircle } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { type Fact, Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Attempts } from "./attempts.tsx";
import type { Webhook } from "./webhook.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { webhookWords } from "./webhooks.words.ts";
import { Health } from "./webhooks-page.tsx";
import "./webhooks.css";

export default function WebhookPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(webhookWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/webhooks/{id}", { path: { id } });
  const webhook = read.data;
  return (
    <Page
      title={webhook === undefined ? words.title : hostOf(webhook.url)}
      aside={webhook === undefined ? null : <Health webhook={webhook} />}
      actions={webhook === undefined || !here.may("webhooks") ? null : <WebhookActions webhook={webhook} />}
      back={
        <Link to={here.to("/webhooks")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <Loaded read={read}>{(loaded) => <Body webhook={loaded} />}</Loaded>
    </Page>
  );
}

function Body({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <State webhook={webhook} />
      <Facts facts={useFacts(webhook)} />
      <RawJson value={webhook} />
      <Attempts webhookId={webhook.id} />
    </>
  );
}

/** What prevents deliveries, and that nothing is lost. */
function State({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const { status, disabled_reason: reason, failing_since, paused_until, consecutive_failures } = webhook;
  if (status === "disabled")
    return <Note tone="plain">{words.disabledFor[(reason ?? "requested") as keyof typeof words.disabledFor] ?? reason}</Note>;
  if (failing_since === null) return null;
  if (paused_until !== null && Date.parse(paused_until) > Date.now())
    return (
      <Note>
        {all.inARow(words.pausedText, words.until)} <When at={paused_until} long />
      </Note>
    );
  return (
    <Note>
      {all.inARow(words.failingSince(consecutive_failures), words.since)} <When at={failing_since} long />
    </Note>
  );
}

function Note({ tone, children }: { tone?: "plain"; children: ReactNode }) {
  return (
    <div className="note" data-tone={tone} role="status">
      <IconInfoCircle size={20} stroke={1.5} aria-hidden />
      <p>{children}</p>
    </div>
  );
}

function useFacts(webhook: Webhook): (Fact | null)[] {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  return [
    { label: words.url, value: <Copyable text={webhook.url} /> },
    webhook.description === null ? null : { label: words.note, value: webhook.description },
    { label: words.events, value: <Names names={webhook.events} /> },
    { label: words.secret, value: <code translate="no">…{webhook.secret_last4}</code> },
    webhook.next_secret_last4 === null ? null : { label: words.nextSecret, value: <NextSecret webhook={webhook} /> },
    webhook.old_secret_until === null ? null : { label: words.oldSecretUntil, value: <When at={webhook.old_secret_until} long /> },
    { label: words.waiting, value: <Waiting webhook={webhook} /> },
    webhook.deliveries.recent_success_rate === null ? null : { label: words.successRate, value: <SuccessRate webhook={webhook} /> },
    webhook.deliveries.last_error === null ? null : { label: words.lastError, value: <LastError webhook={webhook} /> },
    { label: words.lastSuccess, value: <When at={webhook.last_success_at} long /> },
    { label: words.version, value: webhook.api_version },
    { label: all.id, value: <Copyable text={webhook.id} /> },
    { label: all.created, value: <When at={webhook.created_at} long /> },
  ];
}

/** The server counts up to ten thousand. */
function Waiting({ webhook: { deliveries } }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  return <span>{deliveries.waiting >= 10_000 ? words.waitingMost(deliveries.waiting) : deliveries.waiting}</span>;
}

function SuccessRate({ webhook: { deliveries } }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const percent = Math.floor((deliveries.recent_success_rate ?? 0) * 1_000) / 10;
  return (
    <span className="line">
      <span>{percent}%</span>
      <span className="soft">{words.ofNewest(deliveries.recent_attempts)}</span>
    </span>
  );
}

function LastError({ webhook: { deliveries } }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const error = deliveries.last_error;
  if (error === null) return null;
  const text = words.errors[error.error_code as keyof typeof words.errors] ?? error.error_code;
  return (
    <span className="line">
      <Link to="." search={{ attempt: error.attempt_id }}>
        {error.response_status === null ? text : `${text} ${error.response_status}`}
      </Link>
      <span className="soft">
        <When at={error.created_at} />
      </span>
    </span>
  );
}

function NextSecret({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  return (
    <span className="line">
      <code translate="no">…{webhook.next_secret_last4}</code>
      <span className="soft">
        {words.takesOver} <When at={webhook.next_secret_at} />
      </span>
    </span>
  );
}

function Names({ names }: { names: string[] }) {
  return (
    <span className="line">
      {names.map((name) => (
        <Badge key={name} tone="plain">
          {name}
        </Badge>
      ))}
    </span>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
