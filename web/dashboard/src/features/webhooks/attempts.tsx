import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction, useApi, useList } from "../../data/queries.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { useSearch, useSearchText } from "../../parts/filters/search.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Empty, Loaded, Section } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { Took, When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { webhookWords } from "./webhooks.words.ts";

type Attempt = Objects["WebhookAttempt"];

const triggers = ["automatic", "manual", "replay", "test"] as const;
const one = "/api/v1/projects/{projectId}/webhooks/{id}/attempts";

/** Everything that was sent to an endpoint, the newest first; one of them opens over the page. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const text = useStatusText();
  const here = useHere();
  const { values, set } = useSearch();
  const opened = useSearchText("attempt");
  const list = useList<Attempt>(`GET ${one}`, { path: { id: webhookId }, query: { status: values["status"], trigger: values["trigger"] } });
  return (
    <Section title={words.attempts}>
      <Listing
        list={list}
        label={words.attempts}
        filters={[
          {
            name: "status",
            label: all.status,
            options: ["succeeded", "failed", "started"].map((value) => ({ value, label: text(value) })),
          },
          { name: "trigger", label: words.why, options: triggers.map((value) => ({ value, label: words.trigger[value] })) },
        ]}
        idOf={(attempt) => attempt.id}
        hrefOf={(attempt) => `${here.to(`/webhooks/${webhookId}`)}?attempt=${attempt.id}`}
        columns={useColumns()}
        empty={<Empty title={words.noAttempts} text={words.noAttemptsText} />}
      />
      <Dialog opened={opened !== undefined} onClose={() => set({ attempt: undefined })} title={words.attempts} size="lg">
        {opened === undefined ? null : <Opened webhookId={webhookId} attemptId={opened} />}
      </Dialog>
    </Section>
  );
}

function useColumns(): Column<Attempt>[] {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  return [
    { label: words.event, phone: "title", show: (attempt) => <code translate="no">{attempt.event}</code> },
    { label: all.status, phone: "state", show: (attempt) => <Status status={attempt.status} /> },
    { label: words.answer, phone: "amount", show: (attempt) => <AnswerText attempt={attempt} /> },
    { label: words.attempt, show: (attempt) => <span className="soft">{words.nth(attempt.attempt)}</span> },
    { label: words.why, show: (attempt) => <span className="soft">{words.trigger[attempt.trigger]}</span> },
    { label: words.duration, end: true, show: (attempt) => <Took ms={attempt.duration_ms} /> },
    { label: all.time, end: true, phone: "note", show: (attempt) => <When at={attempt.created_at} long /> },
  ];
}

function AnswerText({ attempt: { response, error_code } }: { attempt: Attempt }) {
  const words = useWords(webhookWords);
  if (response !== null) return <span>{response.status}</span>;
  if (error_code === null) return <span className="soft">–</span>;
  return <span className="soft">{words.errors[error_code as keyof typeof words.errors] ?? error_code}</span>;
}

function Opened({ webhookId, attemptId }: { webhookId: string; attemptId: string }) {
  const read = useApi("GET /api/v1/projects/{projectId}/webhooks/{id}/attempts/{attemptId}", { path: { id: webhookId, attemptId } });
  return <Loaded read={read}>{(attempt) => <Exchange attempt={attempt} />}</Loaded>;
}

function Exchange({ attempt }: { attempt: Attempt }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const here = useHere();
  const { request, response, error_code } = attempt;
  const retry = useAction(`POST ${one}/{attemptId}/retry`, { success: words.retried });
  return (
    <div className="attempt">
      <Facts
        facts={[
          { label: words.event, value: <code translate="no">{attempt.event}</code> },
          { label: all.status, value: <Status status={attempt.status} /> },
          error_code === null ? null : { label: words.error, value: words.errors[error_code as keyof typeof words.errors] ?? error_code },
          { label: words.attempt, value: `${words.nth(attempt.attempt)} · ${words.trigger[attempt.trigger]}` },
          { label: words.duration, value: <Took ms={attempt.duration_ms} /> },
          { label: all.time, value: <When at={attempt.created_at} long /> },
          attempt.next_attempt_at === null ? null : { label: words.next, value: <When at={attempt.next_attempt_at} long /> },
          { label: `${words.event} ${all.id}`, value: <Copyable text={attempt.event_id} /> },
        ]}
      />
      {here.may("webhooks") ? (
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.5} />}
            loading={retry.isPending}
            onClick={() => retry.mutate({ path: { id: attempt.webhook_id, attemptId: attempt.id }, body: {} })}
          >
            {words.retry}
          </Button>
        </div>
      ) : null}
      <Section title={response === null ? words.answer : `${words.answer} ${response.status}`}>
        {response === null ? <p className="soft">{words.noAnswer}</p> : <Message headers={response.headers} body={response.body} />}
        {response?.truncated === true ? <p className="soft">{words.truncated}</p> : null}
      </Section>
      <Section title={words.request}>
        <code translate="no">POST {request.url}</code>
        <Message headers={request.headers} body={request.body} />
      </Section>
    </div>
  );
}

function Message({ headers, body }: { headers: Record<string, string>; body: string }) {
  const words = useWords(webhookWords);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {body === "" ? <p className="soft">{words.empty}</p> : <CodeBlock label={words.body} text={indented(body)} />}
      {lines.length === 0 ? null : (
        <details className="raw">
          <summary>{words.headers}</summary>
          <CodeBlock label={words.headers} text={lines.join("\n")} />
        </details>
      )}
    </>
  );
}

/** JSON on several lines; anything else unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
