import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { ShowSecret } from "../../parts/dialogs/show-secret.tsx";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { CallbackSecret } from "./callback-secret.tsx";
import { NewWebhook } from "./edit-webhook.tsx";
import { isSwitchedOff, type Webhook } from "./webhook.ts";
import { webhookWords } from "./webhooks.words.ts";
import "./webhooks.css";

export default function WebhooksPage() {
  const words = useWords(webhookWords);
  const here = useHere();
  const { values, set } = useSearch();
  const list = useList<Webhook>("GET /api/v1/projects/{projectId}/webhooks");
  const [made, setMade] = useState<Webhook | null>(null);
  const create = here.may("webhooks") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.create}
    </Button>
  ) : null;
  return (
    <Page title={words.title} actions={create}>
      <p className="soft">{words.text}</p>
      <Rows
        list={list}
        label={words.title}
        idOf={(webhook) => webhook.id}
        hrefOf={(webhook) => here.to(`/webhooks/${webhook.id}`)}
        columns={useColumns()}
        empty={
          <Empty title={words.emptyTitle} text={words.emptyText}>
            {create}
          </Empty>
        }
      />
      {here.may("events") ? <CallbackSecret /> : null}
      <NewWebhook open={values["new"] !== undefined} onClose={() => set({ new: undefined })} onMade={setMade} />
      <ShowSecret secret={made?.secret ?? null} title={words.made} onClose={() => setMade(null)} />
    </Page>
  );
}

function useColumns(): Column<Webhook>[] {
  const words = useWords(webhookWords);
  return [
    {
      label: words.url,
      phone: "title",
      show: (webhook) => (
        <code translate="no" className="cut">
          {webhook.url}
        </code>
      ),
    },
    { label: words.note, show: (webhook) => <span className="cut soft">{webhook.description ?? "–"}</span> },
    {
      label: words.events,
      phone: "note",
      show: ({ events }) => (
        <span className="cut soft" title={events.join(", ")}>
          {events.slice(0, 2).join(", ")}
          {events.length > 2 ? ` +${events.length - 2}` : ""}
        </span>
      ),
    },
    { label: words.health, phone: "state", show: (webhook) => <Health webhook={webhook} /> },
    {
      label: words.lastSuccess,
      end: true,
      show: ({ last_success_at }) => (last_success_at === null ? <span className="soft">–</span> : <Ago at={last_success_at} />),
    },
  ];
}

/** An endpoint's state in one word. */
export function Health({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  if (isSwitchedOff(webhook)) return <Badge tone="failed">{words.switchedOff}</Badge>;
  if (webhook.status === "disabled") return <Badge tone="expired">{words.disabled}</Badge>;
  if (webhook.paused_until !== null && Date.parse(webhook.paused_until) > Date.now()) return <Badge tone="waiting">{words.paused}</Badge>;
  if (webhook.failing_since !== null) return <Badge tone="waiting">{words.failing}</Badge>;
  return webhook.last_success_at === null ? <Badge tone="plain">{words.never}</Badge> : <Badge tone="paid">{words.healthy}</Badge>;
}
