import type { Objects } from "../../data/client.ts";
import { actionWords } from "../../words/actions.ts";
import { useWords } from "../../words/language.tsx";

type Entry = Objects["AuditEntry"];

/** The action in words, with its name in the API and the file. */
export function ActionName({ entry: { action } }: { entry: Entry }) {
  const label = (useWords(actionWords).action as Record<string, string>)[action];
  return (
    <span className="action">
      {label === undefined ? null : <span>{label}</span>}
      <code className="soft" translate="no">
        {action}
      </code>
    </span>
  );
}

/** The person's address, or the kind of an actor without one. */
export function Doer({ entry: { actor_email, actor_kind } }: { entry: Entry }) {
  const { kind } = useWords(actionWords);
  return <span className="cut">{actor_email ?? kind[actor_kind]}</span>;
}

/** What it was done to, with the end of its id. */
export function DoneTo({ entry: { object_type, object_id } }: { entry: Entry }) {
  const name = (useWords(actionWords).object as Record<string, string>)[object_type] ?? object_type;
  return (
    <span className="soft">
      {name} <IdTail id={object_id} />
    </span>
  );
}

export function IdTail({ id }: { id: string | null }) {
  return id === null ? null : <code translate="no">…{id.slice(-6)}</code>;
}
