import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction, useList } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { teamWords } from "./team.words.ts";
import "./team.css";

type ApiKey = Objects["ApiKey"];

/**
 * Asks before a member is removed. Keys that they created remain, so they are listed, and the selected ones are revoked in the same step.
 */
export function RemoveMember({ member, onClose }: { member: Objects["Member"]; onClose(): void }) {
  const words = useWords(teamWords);
  const notify = useNotify();
  const [picked, setPicked] = useState<string[]>([]);
  const remove = useAction("DELETE /api/v1/merchant/members/{id}", { onRefused: () => true });
  // The screen is reloaded afterwards: a removed person has no keys to list.
  const enabled = !remove.isPending && !remove.isSuccess;
  const keys = useList<ApiKey>("GET /api/v1/merchant/members/{id}/api-keys", {
    path: { id: member.id },
    query: { limit: undefined },
    enabled,
  });
  const made = keys.data?.pages.flatMap(({ data }) => data) ?? [];
  const pick = (id: string, on: boolean) => setPicked(on ? [...picked, id] : picked.filter((one) => one !== id));
  const run = async () => {
    await remove.mutateAsync({ path: { id: member.id }, ...(picked.length === 0 ? {} : { query: { revoke_api_keys: picked } }) });
    notify.done(words.removed(member.name, picked.length));
  };
  return (
    <Ask title={words.remove} open onClose={onClose} does={words.removeAnd(picked.length)} danger disabled={keys.isPending} onDo={run}>
      <p>{words.removeText(member.name)}</p>
      {keys.isError ? <p role="alert">{words.keysUnknown}</p> : null}
      {made.length === 0 ? null : (
        <fieldset className="member-keys">
          <legend>{words.keysLeft(made.length)}</legend>
          <p className="soft">{words.keysLeftText(member.name)}</p>
          {made.map((key) => (
            <Checkbox
              key={key.id}
              checked={picked.includes(key.id)}
              onChange={(event) => pick(key.id, event.currentTarget.checked)}
              label={key.name}
              description={<KeyFacts apiKey={key} />}
            />
          ))}
        </fieldset>
      )}
    </Ask>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const words = useWords(teamWords);
  const here = useHere();
  const project = here.me.projects.find(({ id }) => id === apiKey.project_id)?.name ?? apiKey.project_id;
  return (
    <>
      {project} · <code translate="no">{`${apiKey.prefix}…${apiKey.last4}`}</code> ·{" "}
      {apiKey.last_used_at === null ? (
        words.keyUnused
      ) : (
        <>
          {words.keyUsed} <Ago at={apiKey.last_used_at} />
        </>
      )}
    </>
  );
}
