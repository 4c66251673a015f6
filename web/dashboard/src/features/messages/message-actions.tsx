import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Reschedule } from "../../parts/dialogs/reschedule.tsx";
import { useWords } from "../../words/language.tsx";
import { messageWords } from "./messages.words.ts";

type Email = Objects["Email"];

const inbounds = ["reply", "complaint", "bounce", "unsubscribe"] as const;

/** What can be done with a message in its current state: cancel it, reschedule it, and in TEST answer it. */
export function MessageActions({ email }: { email: Email }) {
  const words = useWords(messageWords);
  const here = useHere();
  const [isOpen, setOpen] = useState(false);
  const reschedule = useAction("PATCH /v1/emails/{id}", { onRefused: () => true });
  const cancel = useAction("POST /v1/emails/{id}/cancel", { onRefused: () => true });
  const waits = ["scheduled", "queued", "delivery_delayed"].includes(email.status);
  // Someone who never got a message can't answer it.
  const reached = email.recipients.find(({ status }) => status === "sent" || status === "delivered");
  return (
    <>
      {here.livemode || reached === undefined ? null : <Play email={email} recipient={reached.address} />}
      {email.status === "scheduled" ? (
        <Reschedule
          scheduledAt={email.scheduled_at}
          onReschedule={(scheduled_at) =>
            reschedule.mutateAsync({ path: { id: email.id }, version: email.version, body: { scheduled_at } })
          }
        />
      ) : null}
      {waits ? (
        <Button variant="default" onClick={() => setOpen(true)}>
          {words.cancel}
        </Button>
      ) : null}
      <Ask
        title={words.cancel}
        open={isOpen}
        onClose={() => setOpen(false)}
        does={words.cancel}
        keeps={words.keep}
        danger
        onDo={() => cancel.mutateAsync({ path: { id: email.id }, body: {} })}
      >
        <p>{words.cancelText}</p>
      </Ask>
    </>
  );
}

function Play({ email, recipient }: { email: Email; recipient: string }) {
  const words = useWords(messageWords);
  const action = useAction("POST /v1/test/inbound");
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="light" color="test" loading={action.isPending} rightSection={<IconChevronDown size={16} stroke={1.5} />}>
          {words.play}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.playText}</Menu.Label>
        {inbounds.map((type) => (
          <Menu.Item key={type} onClick={() => action.mutate({ body: { type, email_id: email.id, recipient } })}>
            {words.inbound[type]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
