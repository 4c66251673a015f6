import { Button } from "@mantine/core";
import { IconPhoneOff } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { RemoveBody } from "../../parts/dialogs/remove-body.tsx";
import { Reschedule } from "../../parts/dialogs/reschedule.tsx";
import { useWords } from "../../words/language.tsx";
import { callWords } from "./calls.words.ts";

type Call = Objects["Call"];

/**
 * What can be done with a call in its current state: reschedule or cancel it while it waits, hang up once it is placed, delete its texts
 * and keys once it has ended.
 */
export function CallActions({ call, isOver }: { call: Call; isOver: boolean }) {
  const words = useWords(callWords);
  const reschedule = useAction("PATCH /v1/calls/{id}", { onRefused: () => true });
  if (isOver) return hasTexts(call) ? <RemoveBody route="DELETE /v1/calls/{id}/body" id={call.id} words={words} /> : null;
  if (call.status !== "queued" && call.status !== "scheduled")
    return (
      <End call={call} does={words.hangUp} asks={words.hangUpText} done={words.hangingUp} icon={<IconPhoneOff size={16} stroke={1.5} />} />
    );
  return (
    <>
      <Reschedule
        scheduledAt={call.scheduled_at}
        onReschedule={(scheduled_at) => reschedule.mutateAsync({ path: { id: call.id }, version: call.version, body: { scheduled_at } })}
      />
      <End call={call} does={words.cancel} asks={words.cancelText} done={words.canceled} />
    </>
  );
}

function hasTexts({ text, audio_url, actions, answer_url, steps, digits }: Call): boolean {
  return [text, audio_url, actions, answer_url].some((content) => content !== null) || steps.length > 0 || digits !== "";
}

interface EndProps {
  call: Call;
  does: string;
  asks: string;
  done: string;
  icon?: ReactNode;
}

function End({ call, does, asks, done, icon }: EndProps) {
  const words = useWords(callWords);
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const action = useAction("POST /v1/calls/{id}/hangup", { onRefused: () => true });
  const isHangingUp = call.hangup_requested_at !== null;
  const end = async () => {
    await action.mutateAsync({ path: { id: call.id }, body: {} });
    notify.done(done);
  };
  return (
    <>
      <Button variant="light" color="failed" leftSection={icon} disabled={isHangingUp} onClick={() => setOpen(true)}>
        {isHangingUp ? words.hangingUp : does}
      </Button>
      <Ask title={does} open={isOpen} onClose={() => setOpen(false)} does={does} keeps={words.keep} danger onDo={end}>
        <p>{asks}</p>
      </Ask>
    </>
  );
}
