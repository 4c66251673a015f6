import { Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { RecipientField } from "../../parts/fields/recipient-field.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { placeWords } from "./place.words.ts";

interface Given {
  to: string;
  from: string;
  text: string;
}

/** The number that every project may call from in TEST. */
const testNumber = "+15005550006";

/** Places a call manually that speaks a text. */
export function PlaceCall({ onClose }: { onClose(): void }) {
  const words = useWords(placeWords);
  const { language } = useLanguage();
  const here = useHere();
  const notify = useNotify();
  const navigate = useNavigate();
  const [given, setGiven] = useState<Given>({ to: "", from: here.livemode ? "" : testNumber, text: "" });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction<Objects["Call"]>("POST /v1/calls", { once: true, onRefused: () => true });
  const [to, from] = [given.to.trim(), given.from.trim()];
  const place = async () => {
    const call = await action.mutateAsync({ body: { to, from, text: given.text } }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(words.placed);
    await navigate({ to: here.to(`/calls/${call.id}`) });
  };
  const isReady = to !== "" && from !== "" && given.text.trim() !== "";
  return (
    <Ask title={words.title} open onClose={onClose} does={words.place} onDo={place} disabled={!isReady}>
      <Fields given={given} give={(part) => setGiven({ ...given, ...part })} faults={faults} />
    </Ask>
  );
}

interface FieldsProps {
  given: Given;
  give(part: Partial<Given>): void;
  faults: Record<string, string>;
}

function Fields({ given, give, faults }: FieldsProps) {
  const words = useWords(placeWords);
  const { livemode } = useHere();
  return (
    <>
      <RecipientField
        label={words.to}
        simulated={words.toTest}
        placeholder="+15005552000"
        value={given.to}
        error={faults["to"]}
        onWrite={(to) => give({ to })}
      />
      <TextInput
        label={words.from}
        description={livemode ? words.fromLive : undefined}
        type="tel"
        value={given.from}
        error={faults["from"]}
        onChange={(event) => give({ from: event.currentTarget.value })}
      />
      <Textarea
        label={words.text}
        description={words.textHint}
        autosize
        minRows={3}
        maxRows={10}
        value={given.text}
        error={faults["text"]}
        onChange={(event) => give({ text: event.currentTarget.value })}
      />
    </>
  );
}
