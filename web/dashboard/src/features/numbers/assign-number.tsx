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
  const [given, setGiven] = useState(blank);
  const { faults, assign, clearFaults } = useAssign();
  const [value, project_id] = [given.value.trim(), given.project_id.trim()];
  const change = (fields: Partial<Given>) => {
    setGiven({ ...given, ...fields });
    clearFaults();
  };
  const isUseless = isTelephone(value) && given.channels.length === 0;
  return (
    <Ask
      title={words.assign}
      open={open}
      onClose={onClose}
      does={words.assign}
      onDo={() => assign({ project_id, value, ...termsBody(value, given) }).then(() => setGiven(blank))}
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

/** Assigns the number, and keeps what is wrong with which field. */
function useAssign() {
  const words = useWords(operatorWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction("POST /api/admin/numbers", { onRefused: () => true });
  const assign = async (body: Record<string, unknown>) => {
    await action.mutateAsync({ body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setFaults({});
    notify.done(words.assigned);
  };
  return { faults, assign, clearFaults: () => setFaults({}) };
}
