import { useState } from "react";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { isTelephone, TermFields, type Terms, termsBody } from "./number-parts.tsx";
import { numberWords, operatorWords } from "./numbers.words.ts";

interface Given extends Terms {
  project_id: string;
  value: string;
}

const blank: Given = { project_id: "", value: "", channels: ["sms", "call"], countries: [] };

/** Gives a project a number, even without a request. */
export function AssignNumber({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(operatorWords);
  const own = useWords(numberWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [given, setGiven] = useState(blank);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction("POST /api/admin/numbers", { onRefused: () => true });
  const [value, project_id] = [given.value.trim(), given.project_id.trim()];
  const assign = async () => {
    await action.mutateAsync({ body: { project_id, value, ...termsBody(value, given) } }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setGiven(blank);
    setFaults({});
    notify.done(words.assigned);
  };
  const change = (fields: Partial<Given>) => {
    setGiven({ ...given, ...fields });
    setFaults({});
  };
  const isUseless = isTelephone(value) && given.channels.length === 0;
  return (
    <Ask
      title={words.assign}
      open={open}
      onClose={onClose}
      does={words.assign}
      onDo={assign}
      disabled={value === "" || project_id === "" || isUseless}
    >
      <p>{words.assignText}</p>
      <Field
        label={words.projectId}
        description={words.projectIdHint}
        placeholder="prj_…"
        maxLength={100}
        data-autofocus
        value={given.project_id}
        error={faults["project_id"]}
        onWrite={(text) => change({ project_id: text })}
      />
      <Field
        label={own.value}
        description={own.valueHint}
        placeholder="+14155550100"
        maxLength={32}
        value={given.value}
        error={faults["value"]}
        onWrite={(text) => change({ value: text })}
      />
      <TermFields value={given.value} terms={given} faults={faults} onChange={change} />
    </Ask>
  );
}
