import { IconArrowLeft, IconInfoCircle } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Copyable } from "../../parts/copy.tsx";
import { type Fact, Facts } from "../../parts/object-page.tsx";
import { Loaded, Page } from "../../parts/page.tsx";
import { RawJson } from "../../parts/raw-json.tsx";
import { Badge } from "../../parts/status.tsx";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Attempts } from "./attempts.tsx";
import { WebhookActs } from "./webhook-acts.tsx";
import { webhookWords } from "./webhooks.words.ts";
import { Health, type Webhook } from "./webhooks-page.tsx";
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
      beside={webhook === undefined ? null : <Health webhook={webhook} />}
      acts={webhook === undefined || !here.may("webhooks") ? null : <WebhookActs webhook={webhook} />}
      back={
        <Link to={here.to("/webhooks")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <Loaded read={read}>
        {(loaded) => (
          <>
            <State webhook={loaded} />
            <Facts facts={useFactsOf(loaded, words)} />
            <RawJson value={loaded} />
            <Attempts webhookId={loaded.id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
