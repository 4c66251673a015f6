import { Button, Menu, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useHere, useZone } from "../../data/here.tsx";
import { useAct } from "../../data/queries.ts";
import { instantOf, minuteOf } from "../../data/zone.ts";
import { Ask } from "../../parts/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { messageWords } from "./messages.words.ts";

type Email = Objects["Email"];

const inbounds = ["reply", "complaint", "bounce", "unsubscribe"] as const;

/** What can be done with a message as it stands: called back, moved, and in TEST answered. */
export function MessageActs({ email }: { email: Email }) {
  const words = useWords(messageWords);
  const here = useHere();
  const [asking, setAsking] = useState<"cancel" | "move" | null>(null);
  const cancel = useAct("POST /v1/emails/{id}/cancel", { onRefused: () => true });
  const waits = ["scheduled", "queued", "delivery_delayed"].includes(email.status);
  // Who never got a message cannot answer it.
  const reached = email.recipients.find(({ status }) => status === "sent" || status === "delivered");
  return (
    <>
      {here.livemode || reached === undefined ? null : <Play email={email} recipient={reached.address} />}
      {email.status === "scheduled" ? (
        <Button variant="default" onClick={() => setAsking("move")}>
          {words.move}
        </Button>
      ) : null}
      {waits ? (
        <Button variant="default" onClick={() => setAsking("cancel")}>
          {words.cancel}
        </Button>
      ) : null}
      <Ask
        title={words.cancel}
        open={asking === "cancel"}
        onClose={() => setAsking(null)}
        does={words.cancel}
        keeps={words.keep}
        danger
        onDo={() => cancel.mutateAsync({ path: { id: email.id }, body: {} })}
      >
        <p>{words.cancelText}</p>
      </Ask>
      {asking === "move" ? <Move email={email} onClose={() => setAsking(null)} /> : null}
    </>
  );
}

function Play({ email, recipient }: { email: Email; recipient: string }) {
  const words = useWords(messageWords);
  const act = useAct("POST /v1/test/inbound");
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="light" color="test" loading={act.isPending} rightSection={<IconChevronDown size={16} stroke={1.5} />}>
          {words.play}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.playText}</Menu.Label>
        {inbounds.map((type) => (
          <Menu.Item key={type} onClick={() => act.mutate({ body: { type, email_id: email.id, recipient } })}>
            {words.inbound[type]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Move({ email, onClose }: { email: Email; onClose(): void }) {
  const words = useWords(messageWords);
  const tell = useTell();
  const zone = useZone();
  const [at, setAt] = useState(() => minuteOf(email.scheduled_at === null ? new Date() : new Date(email.scheduled_at), zone));
  const act = useAct("PATCH /v1/emails/{id}", { onRefused: () => true });
  const move = async () => {
    await act.mutateAsync({ path: { id: email.id }, version: email.version, body: { scheduled_at: instantOf(at, zone).toISOString() } });
    tell.done(words.moved);
  };
  return (
    <Ask title={words.move} open onClose={onClose} does={words.move} onDo={move} disabled={Number.isNaN(Date.parse(at))}>
      <TextInput type="datetime-local" label={words.moment} data-autofocus value={at} onChange={(event) => setAt(event.currentTarget.value)} />
    </Ask>
  );
}
