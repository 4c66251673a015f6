import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { addPasskey, knowsPasskeys, passkeyFault } from "../../data/passkeys.ts";
import { useAction, useList } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Ago, When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { browserOf } from "./browser-of.ts";
import { securityWords } from "./security.words.ts";

type Passkey = Objects["Passkey"];

/** Keys stored on a device: each signs in on its own, including the second step. */
export function Passkeys() {
  const words = useWords(securityWords);
  const list = useList<Passkey>("GET /api/profile/passkeys", { query: { limit: 20 } });
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const add = knowsPasskeys() ? (
    <Button variant="default" size="xs" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setAdding(true)}>
      {words.addPasskey}
    </Button>
  ) : null;
  return (
    <Section title={words.passkeys} actions={add}>
      <p className="soft">{words.passkeysText}</p>
      {add === null ? <p className="note">{words.noPasskeys}</p> : null}
      <Rows list={list} label={words.passkeys} idOf={(passkey) => passkey.id} columns={useColumns(setRemoving)} empty={null} />
      {adding ? <Add onClose={() => setAdding(false)} onMade={() => void list.refetch()} /> : null}
      {removing === null ? null : <Remove passkey={removing} onClose={() => setRemoving(null)} />}
    </Section>
  );
}

function useColumns(onRemove: (passkey: Passkey) => void): Column<Passkey>[] {
  const words = useWords(securityWords);
  const all = useWords(shared);
  return [
    { label: words.passkeyName, phone: "title", show: (passkey) => <strong className="cut">{passkey.name}</strong> },
    {
      label: words.lastUsed,
      phone: "note",
      show: ({ last_used_at }) => (last_used_at === null ? <span className="soft">{words.neverUsed}</span> : <Ago at={last_used_at} />),
    },
    { label: words.added, show: (passkey) => <When at={passkey.created_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (passkey) => (
        <Button variant="default" size="xs" aria-label={all.about(all.remove, passkey.name)} onClick={() => onRemove(passkey)}>
          {all.remove}
        </Button>
      ),
    },
  ];
}

function Add({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const words = useWords(securityWords);
  const notify = useNotify();
  const [name, setName] = useState(() => browserOf(navigator.userAgent));
  const say = (error: unknown) => {
    const fault = passkeyFault(error);
    return fault === null ? null : words.passkeyFaults[fault];
  };
  const add = async () => {
    await addPasskey(name.trim());
    notify.done(words.passkeyAdded);
    onMade();
  };
  return (
    <Ask title={words.addPasskey} open onClose={onClose} does={words.goOn} onDo={add} disabled={name.trim() === ""} say={say}>
      <p>{words.addPasskeyText}</p>
      <TextInput
        label={words.passkeyName}
        description={words.passkeyNameHint}
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Ask>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const words = useWords(securityWords);
  const all = useWords(shared);
  const notify = useNotify();
  const action = useAction("DELETE /api/profile/passkeys/{id}", { onRefused: () => true });
  const remove = async () => {
    await action.mutateAsync({ path: { id: passkey.id } });
    notify.done(words.passkeyRemoved);
  };
  return (
    <Ask title={all.about(all.remove, passkey.name)} open onClose={onClose} does={all.remove} danger onDo={remove}>
      <p>{words.removePasskeyText}</p>
    </Ask>
  );
}
