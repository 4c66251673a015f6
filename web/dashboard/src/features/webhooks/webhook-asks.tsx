import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { ShowSecret } from "../../parts/dialogs/show-secret.tsx";
import { useWords } from "../../words/language.tsx";
import { EditWebhook } from "./edit-webhook.tsx";
import type { Webhook } from "./webhook.ts";
import { webhookWords } from "./webhooks.words.ts";

export type OpenDialog = "edit" | "replay" | "roll" | "promote" | "remove";

interface DialogProps {
  webhook: Webhook;
  openDialog: OpenDialog | null;
  onClose(): void;
}

const one = "/api/v1/projects/{projectId}/webhooks/{id}";

/** The dialogs of an endpoint, one at a time. */
export function Dialogs({ webhook, openDialog, onClose }: DialogProps) {
  const words = useWords(webhookWords);
  const here = useHere();
  const navigate = useNavigate();
  const remove = useAction(`DELETE ${one}`, { onRefused: () => true });
  const leave = async () => {
    await remove.mutateAsync({ path: { id: webhook.id } });
    queueMicrotask(() => void navigate({ to: here.to("/webhooks") }));
  };
  return (
    <>
      {openDialog === "edit" ? <EditWebhook webhook={webhook} onClose={onClose} /> : null}
      {openDialog === "replay" ? <Replay webhook={webhook} onClose={onClose} /> : null}
      <Secrets webhook={webhook} openDialog={openDialog} onClose={onClose} />
      <Ask title={words.remove} open={openDialog === "remove"} onClose={onClose} does={words.remove} danger onDo={leave}>
        <p>{words.removeText}</p>
      </Ask>
    </>
  );
}

function Secrets({ webhook, openDialog, onClose }: DialogProps) {
  const words = useWords(webhookWords);
  const notify = useNotify();
  const [rolled, setRolled] = useState<string | null>(null);
  const shown = { onRefused: () => true };
  const roll = useAction<Webhook>(`POST ${one}/roll-secret`, shown);
  const promote = useAction(`POST ${one}/promote-secret`, shown);
  const given = { path: { id: webhook.id }, body: {} };
  const begin = async () => setRolled((await roll.mutateAsync(given)).secret);
  const finish = async () => {
    await promote.mutateAsync(given);
    notify.done(words.promoted);
  };
  return (
    <>
      <Ask title={words.roll} open={openDialog === "roll"} onClose={onClose} does={words.roll} onDo={begin}>
        <p>{words.rollText}</p>
      </Ask>
      <Ask title={words.promote} open={openDialog === "promote"} onClose={onClose} does={words.promote} onDo={finish}>
        <p>{words.promoteText}</p>
      </Ask>
      <ShowSecret secret={rolled} title={words.made} onClose={() => setRolled(null)} />
    </>
  );
}

const hourMs = 3_600_000;
const spans = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, month: 719 * hourMs };

type Span = keyof typeof spans;

function Replay({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const words = useWords(webhookWords);
  const notify = useNotify();
  const [span, setSpan] = useState<Span>("day");
  const action = useAction<Objects["WebhookReplay"]>(`POST ${one}/replay`, { onRefused: () => true });
  const replay = async () => {
    const since = new Date(Date.now() - spans[span]).toISOString();
    const { scheduled, has_more } = await action.mutateAsync({ path: { id: webhook.id }, body: { since } });
    notify.done(words.replayed(scheduled, has_more));
  };
  return (
    <Ask title={words.replay} open onClose={onClose} does={words.replay} onDo={replay}>
      <p>{words.replayText}</p>
      <Select
        label={words.replayRange}
        value={span}
        onChange={(value) => setSpan((value ?? "day") as Span)}
        allowDeselect={false}
        data={(Object.keys(spans) as Span[]).map((value) => ({ value, label: words.spans[value] }))}
      />
    </Ask>
  );
}
