import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useClosing } from "../../data/forms/use-closing.ts";
import { useZone } from "../../data/here.tsx";
import { instantOf, minuteOf } from "../../data/zone.ts";
import { defineWords, useWords } from "../../words/language.tsx";
import { Ask } from "./ask.tsx";

const rescheduleWords = defineWords({
  en: { reschedule: "Reschedule", time: "New time", help: "At most 30 days ahead", done: "Rescheduled" },
  zh: { reschedule: "更改时间", time: "新的时间", help: "最晚可设为 30 天后", done: "时间已更改" },
});

interface RescheduleProps {
  /** The scheduled time; null if it is to be sent right away. */
  scheduledAt: string | null;
  /** A thrown refusal is shown in the dialog, which stays open. */
  onReschedule(scheduledAt: string): Promise<unknown>;
}

const hourMs = 3_600_000;

/** A button that asks for another time and reschedules a message or call. */
export function Reschedule({ scheduledAt, onReschedule }: RescheduleProps) {
  const words = useWords(rescheduleWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.reschedule}
      </Button>
      {isOpen ? <NewTime scheduledAt={scheduledAt} onReschedule={onReschedule} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function NewTime({ scheduledAt, onReschedule, onClose }: RescheduleProps & { onClose(): void }) {
  const words = useWords(rescheduleWords);
  const notify = useNotify();
  const zone = useZone();
  const [at, setAt] = useState(() => minuteOf(scheduledAt === null ? new Date(Date.now() + hourMs) : new Date(scheduledAt), zone));
  // It is based on the version at its opening, like the time in the field.
  const [reschedule] = useState(() => onReschedule);
  const closing = useClosing();
  const move = async () => {
    await reschedule(instantOf(at, zone).toISOString());
    notify.done(words.done);
  };
  return (
    <Ask
      title={words.reschedule}
      open
      onClose={onClose}
      does={words.reschedule}
      onDo={() => move().catch(closing)}
      disabled={Number.isNaN(Date.parse(at))}
    >
      <TextInput
        type="datetime-local"
        label={words.time}
        description={words.help}
        data-autofocus
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
    </Ask>
  );
}
