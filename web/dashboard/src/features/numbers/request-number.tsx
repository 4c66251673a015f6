import { Textarea } from "@mantine/core";
import { useState } from "react";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { isName, isTelephone, type ProjectNumber, TermFields, type Terms, termsBody } from "./number-parts.tsx";
import { numberWords } from "./numbers.words.ts";

interface Given extends Terms {
  value: string;
  purpose: string;
}

const blank: Given = { value: "", purpose: "", channels: ["sms", "call"], countries: [] };

interface RequestProps {
  open: boolean;
  /** A rejected number that is requested again. */
  again?: ProjectNumber | undefined;
  onClose(): void;
}

/** Requests a number or a sender name from the operator. */
export function RequestNumber({ open, again, onClose }: RequestProps) {
  const words = useWords(numberWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [given, setGiven] = useState<Given>(again === undefined ? blank : givenOf(again));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction<ProjectNumber>("POST /v1/numbers", { onRefused: () => true });
  const send = async () => {
    const value = given.value.trim();
    const purpose = given.purpose.trim();
    const body = { value, ...termsBody(value, given), ...(purpose === "" ? {} : { purpose }) };
    const { status } = await action.mutateAsync({ body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setGiven(blank);
    setFaults({});
    if (status !== "rejected") notify.done(status === "approved" ? words.approvedDone : words.requestDone);
  };
  const change = (fields: Partial<Given>) => {
    setGiven({ ...given, ...fields });
    setFaults({});
  };
  const isUseless = isTelephone(given.value) && given.channels.length === 0;
  return (
    <Ask
      title={again === undefined ? words.request : words.askAgain}
      open={open}
      onClose={onClose}
      does={again === undefined ? words.request : words.askAgain}
      onDo={send}
      disabled={given.value.trim() === "" || isUseless}
    >
      <Fields given={given} faults={faults} isFixed={again !== undefined} onChange={change} />
    </Ask>
  );
}

function givenOf({ value, channels, countries, purpose }: ProjectNumber): Given {
  return { value, channels: [...channels], countries: countries ?? [], purpose: purpose ?? "" };
}

interface FieldsProps {
  given: Given;
  faults: Record<string, string>;
  /** The number itself can't be changed. */
  isFixed: boolean;
  onChange(change: Partial<Given>): void;
}

function Fields({ given, faults, isFixed, onChange }: FieldsProps) {
  const words = useWords(numberWords);
  const all = useWords(shared);
  const { livemode } = useHere();
  return (
    <>
      <Field
        label={words.value}
        description={isName(given.value) ? words.ownName : words.valueHint}
        placeholder="+14155550100"
        maxLength={32}
        readOnly={isFixed}
        data-autofocus={!isFixed}
        value={given.value}
        error={faults["value"]}
        onWrite={(value) => onChange({ value })}
      />
      <TermFields value={given.value} terms={given} faults={faults} onChange={onChange} />
      {livemode ? (
        <Textarea
          label={all.optionally(words.purpose)}
          description={words.purposeHint}
          autosize
          minRows={2}
          maxLength={1_000}
          value={given.purpose}
          error={faults["purpose"]}
          onChange={(event) => onChange({ purpose: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}
