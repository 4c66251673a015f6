import { Button } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../../data/errors.tsx";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { RemoveBody } from "../../../parts/dialogs/remove-body.tsx";
import { Reschedule } from "../../../parts/dialogs/reschedule.tsx";
import { useWords } from "../../../words/language.tsx";
import type { Sms } from "../shown/contact.tsx";
import { smsWords } from "../shown/sms.words.ts";

/** What can be done with a message in its current state: cancel it while it waits, delete its text once it has ended. */
export function TextActions({ sms }: { sms: Sms }) {
  const words = useWords(smsWords);
  const here = useHere();
  const reschedule = useAction("PATCH /v1/sms/{id}", { onRefused: () => true });
  if (!here.may("sms")) return null;
  const waits = ["scheduled", "queued"].includes(sms.status) && sms.segments_sent === 0;
  const isOver = !["scheduled", "queued", "sending"].includes(sms.status);
  return (
    <>
      {waits && sms.attempts === 0 ? (
        <Reschedule
          scheduledAt={sms.scheduled_at}
          onReschedule={(scheduled_at) => reschedule.mutateAsync({ path: { id: sms.id }, version: sms.version, body: { scheduled_at } })}
        />
      ) : null}
      {waits ? <Cancel sms={sms} /> : null}
      {isOver && sms.body !== null ? <RemoveBody route="DELETE /v1/sms/{id}/body" id={sms.id} words={words} /> : null}
    </>
  );
}

function Cancel({ sms }: { sms: Sms }) {
  const words = useWords(smsWords);
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const action = useAction("POST /v1/sms/{id}/cancel", { onRefused: () => true });
  const cancel = async () => {
    await action.mutateAsync({ path: { id: sms.id }, body: {} });
    notify.done(words.canceled);
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.cancel}
      </Button>
      <Ask title={words.cancel} open={isOpen} onClose={() => setOpen(false)} does={words.cancel} keeps={words.keep} danger onDo={cancel}>
        <p>{words.cancelText}</p>
      </Ask>
    </>
  );
}
