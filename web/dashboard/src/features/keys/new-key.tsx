import { useState } from "react";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { ApiKey } from "./api-key.ts";
import { blankKey, bodyOf, changesOf, givenOf, isUnfinished, KeyFields } from "./key-fields.tsx";
import { keyWords } from "./keys.words.ts";

/** A key with a preset or single permissions; its secret is shown once. */
export function NewKey({ open, onClose, onMade }: { open: boolean; onClose(): void; onMade(key: ApiKey): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const here = useHere();
  const zone = useZone();
  const { language } = useLanguage();
  const [given, setGiven] = useState(blankKey);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction<ApiKey>("POST /api/v1/projects/{projectId}/api-keys", { onRefused: () => true });
  const create = async () => {
    const body = { ...bodyOf(given, zone), environment: here.livemode ? "live" : "test" };
    const made = await action.mutateAsync({ body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setGiven(blankKey);
    setFaults({});
    onMade(made);
  };
  return (
    <Ask title={words.create} open={open} onClose={onClose} does={all.create} onDo={create} disabled={isUnfinished(given)}>
      <KeyFields given={given} faults={faults} onChange={setGiven} />
    </Ask>
  );
}

/** Name, permissions, addresses and expiry of a key; refuses to overwrite someone else's change in the meantime. */
export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const notify = useNotify();
  const { language } = useLanguage();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const zone = useZone();
  const edit = useEdit(apiKey, (key) => givenOf(key, zone));
  const action = useAction<ApiKey>("PATCH /api/v1/projects/{projectId}/api-keys/{id}", { onRefused: () => true });
  const save = async () => {
    const body = changesOf(edit.given, givenOf(edit.base, zone), zone);
    await action.mutateAsync({ path: { id: apiKey.id }, version: edit.version, body }).catch((error: unknown) => {
      edit.refused(error);
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(all.saved);
  };
  return (
    <Ask title={all.about(words.edit, apiKey.name)} open onClose={onClose} does={all.save} onDo={save} disabled={isUnfinished(edit.given)}>
      <KeyFields given={edit.given} faults={faults} onChange={edit.set} />
    </Ask>
  );
}
