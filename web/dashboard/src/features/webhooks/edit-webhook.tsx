import { TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldErrors } from "../../data/errors.tsx";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ChooseEvents } from "./choose-events.tsx";
import type { Webhook } from "./webhook.ts";
import { webhookWords } from "./webhooks.words.ts";

interface Given {
  url: string;
  description: string;
  events: string[];
}

const blank: Given = { url: "", description: "", events: ["order.paid", "order.failed", "order.payment_pending_verify"] };

/** A new endpoint; its secret is shown once. */
export function NewWebhook({ open, onClose, onMade }: { open: boolean; onClose(): void; onMade(made: Webhook): void }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const [given, setGiven] = useState(blank);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction<Webhook>("POST /api/v1/projects/{projectId}/webhooks", { onRefused: () => true });
  const create = async () => {
    const made = await action.mutateAsync({ body: bodyOf(given) }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setGiven(blank);
    setFaults({});
    onMade(made);
  };
  return (
    <Ask title={words.create} open={open} onClose={onClose} does={all.create} onDo={create} disabled={isBlank(given)}>
      <Fields given={given} faults={faults} onChange={setGiven} />
    </Ask>
  );
}

/** Address, note and events of an endpoint; refuses to overwrite someone else's change in the meantime. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const edit = useEdit(webhook, ({ url, description, events }): Given => ({ url, description: description ?? "", events }));
  const action = useAction("PATCH /api/v1/projects/{projectId}/webhooks/{id}", { success: all.saved, onRefused: () => true });
  const save = () =>
    action.mutateAsync({ path: { id: webhook.id }, version: edit.version, body: bodyOf(edit.given) }).catch((error: unknown) => {
      edit.refused(error);
      setFaults(fieldErrors(error, language));
      throw error;
    });
  return (
    <Ask title={words.edit} open onClose={onClose} does={all.save} onDo={save} disabled={isBlank(edit.given)}>
      <Fields given={edit.given} faults={faults} onChange={edit.set} />
    </Ask>
  );
}

function Fields({ given, faults, onChange }: { given: Given; faults: Record<string, string>; onChange(given: Given): void }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  return (
    <>
      <TextInput
        label={words.url}
        description={words.urlHint}
        type="url"
        placeholder="https://shop.example.com/hooks/tillpost"
        data-autofocus
        value={given.url}
        error={faults["url"]}
        onChange={(event) => onChange({ ...given, url: event.currentTarget.value })}
      />
      <TextInput
        label={all.optionally(words.note)}
        maxLength={500}
        value={given.description}
        error={faults["description"]}
        onChange={(event) => onChange({ ...given, description: event.currentTarget.value })}
      />
      <ChooseEvents value={given.events} onChange={(events) => onChange({ ...given, events })} />
    </>
  );
}

function isBlank({ url, events }: Given): boolean {
  return url.trim() === "" || events.length === 0;
}

/** With `*`, the names it covers aren't needed; only the noisy ones are added to it. */
function bodyOf({ url, description, events }: Given) {
  const noisy = events.filter((name) => name.startsWith("email."));
  return {
    url: url.trim(),
    description: description.trim() === "" ? null : description.trim(),
    events: events.includes("*") ? ["*", ...noisy] : events,
  };
}
