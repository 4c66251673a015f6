import { Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { fieldErrors, useNotify } from "../../../data/errors.tsx";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { RecipientField } from "../../../parts/fields/recipient-field.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import type { Sms } from "../shown/contact.tsx";
import { Length } from "./length.tsx";
import { sendWords } from "./send.words.ts";
import { useEstimate } from "./use-estimate.ts";

interface Given {
  to: string;
  from: string;
  body: string;
}

/** Sends a message manually, and shows what it needs while it is written. */
export function SendSms({ onClose }: { onClose(): void }) {
  const words = useWords(sendWords);
  const { language } = useLanguage();
  const here = useHere();
  const notify = useNotify();
  const navigate = useNavigate();
  const [given, setGiven] = useState<Given>({ to: "", from: "", body: "" });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const estimate = useEstimate(given.body);
  const action = useAction<Sms>("POST /v1/sms", { once: true, onRefused: () => true });
  const send = async () => {
    const [to, from] = [given.to.trim(), given.from.trim()];
    const sent = await action.mutateAsync({ body: { to, body: given.body, ...(from === "" ? {} : { from }) } }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(words.sent);
    await navigate({ to: here.to(`/sms/${sent.id}`) });
  };
  const isReady = given.to.trim() !== "" && given.body.trim() !== "" && estimate?.fits !== false;
  const give = (part: Partial<Given>) => setGiven((before) => ({ ...before, ...part }));
  return (
    <Ask title={words.title} open onClose={onClose} does={words.send} onDo={send} disabled={!isReady}>
      <Sides given={given} give={give} faults={faults} />
      <div className="sms-compose">
        <Textarea
          label={words.text}
          autosize
          minRows={3}
          maxRows={10}
          value={given.body}
          error={faults["body"]}
          onChange={(event) => give({ body: event.currentTarget.value })}
        />
        <Length estimate={estimate} />
      </div>
    </Ask>
  );
}

interface SidesProps {
  given: Given;
  give(part: Partial<Given>): void;
  faults: Record<string, string>;
}

/** The recipient and the sender. */
function Sides({ given, give, faults }: SidesProps) {
  const words = useWords(sendWords);
  const all = useWords(shared);
  const { livemode } = useHere();
  return (
    <>
      <RecipientField
        label={words.to}
        simulated={words.toTest}
        placeholder="+15005551000"
        value={given.to}
        error={faults["to"]}
        onWrite={(to) => give({ to })}
      />
      <TextInput
        label={livemode ? words.from : all.optionally(words.from)}
        description={livemode ? words.fromLive : undefined}
        placeholder={livemode ? undefined : words.fromTest}
        value={given.from}
        error={faults["from"]}
        onChange={(event) => give({ from: event.currentTarget.value })}
      />
    </>
  );
}
