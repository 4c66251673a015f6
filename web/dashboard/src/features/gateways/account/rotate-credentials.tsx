import { Select } from "@mantine/core";
import { useState } from "react";
import { fieldErrors } from "../../../data/errors.tsx";
import { useClosing } from "../../../data/forms/use-closing.ts";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { type Account, accountRoute, type CredentialField, type Gateway } from "../parts/account.ts";
import { CredentialFields, type Typed } from "../parts/credential-fields.tsx";
import { gatewayWords } from "../parts/gateways.words.ts";

const overlaps = { none: 0, hour: 3_600, day: 86_400, week: 604_800 };

type Overlap = keyof typeof overlaps;

/** New credentials that replace the old ones, which still verify callbacks for a while. */
export function RotateCredentials({ account: current, gateway, onClose }: { account: Account; gateway: Gateway; onClose(): void }) {
  const [account] = useState(current);
  const closing = useClosing();
  const words = useWords(gatewayWords);
  const { language } = useLanguage();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [overlap, setOverlap] = useState<Overlap>("day");
  const fields = gateway.credential_fields ?? [];
  const [typed, setTyped] = useState<Typed>(() => shownOf(account, fields));
  const changed = changedIn(account, typed);
  const action = useAction(`PATCH ${accountRoute}`, { success: words.rotated, onRefused: () => true });
  const rotate = () =>
    action
      .mutateAsync({
        path: { slug: gateway.slug, id: account.id },
        version: account.version,
        body: { fields: changed, expire_old_in_seconds: overlaps[overlap] },
      })
      .catch((error: unknown) => {
        setFaults(fieldErrors(error, language));
        throw error;
      });
  const placeholderOf = ({ name, secret }: CredentialField) => {
    const held = account.fields[name];
    if (!secret || held === undefined) return undefined;
    return held.last4 === null ? words.secretUnchangedShort : words.secretUnchanged(held.last4);
  };
  return (
    <Ask
      title={words.rotate}
      open
      onClose={onClose}
      does={words.rotate}
      disabled={Object.keys(changed).length === 0}
      onDo={() => rotate().catch(closing)}
    >
      <p>{words.rotateText}</p>
      <CredentialFields fields={fields} typed={typed} faults={faults} placeholderOf={placeholderOf} onType={setTyped} />
      <Select
        label={words.overlap}
        value={overlap}
        onChange={(value) => setOverlap((value ?? "day") as Overlap)}
        allowDeselect={false}
        data={(Object.keys(overlaps) as Overlap[]).map((value) => ({ value, label: words.overlaps[value] }))}
      />
    </Ask>
  );
}

/** Non-secret fields are shown in the form as they are. */
function shownOf({ fields }: Account, form: readonly CredentialField[]): Typed {
  return Object.fromEntries(form.flatMap(({ name, secret }) => (secret ? [] : [[name, fields[name]?.value ?? ""]])));
}

/** The newly entered values. An empty secret isn't changed; another field that was emptied is removed. */
function changedIn({ fields }: Account, typed: Typed): Record<string, string | null> {
  const entries = Object.entries(typed).flatMap(([name, value]): [string, string | null][] => {
    const held = fields[name];
    if (value.trim() === "") return held === undefined || held.secret ? [] : [[name, null]];
    return held?.secret !== true && value === (held?.value ?? "") ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
