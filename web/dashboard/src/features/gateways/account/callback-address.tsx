import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { type Account, accountRoute, type CredentialField, type Gateway } from "../parts/account.ts";
import { CredentialInput, useInLanguage } from "../parts/credential-fields.tsx";
import { gatewayWords } from "../parts/gateways.words.ts";
import { useRefusedForm } from "../parts/use-refused-form.ts";

interface Given {
  account: Account;
  gateway: Gateway;
}

/** Where the provider sends its callbacks, and how to configure it there. */
export function CallbackAddress({ account, gateway }: Given) {
  const words = useWords(gatewayWords);
  const inLanguage = useInLanguage();
  const name = useProviderName()(gateway.slug);
  const entry = gateway.callback_entry;
  const field = gateway.credential_fields?.find((one) => one.name === entry?.field);
  if (entry === null || field === undefined)
    return (
      <Section title={words.callbacks}>
        <p className="soft">{words.callbackEach(name)}</p>
        <Copyable text={account.webhook_url} block />
      </Section>
    );
  return (
    <Section title={words.callbacks}>
      <p className="soft">{words.callbackEnter(name)}</p>
      <ol className="callback-steps">
        <li>
          <h3>{words.stepCopy}</h3>
          <Copyable text={account.webhook_url} block />
        </li>
        <li>
          <h3>{words.stepEnter(name)}</h3>
          <p>{inLanguage(entry.hints)}</p>
        </li>
        <li>
          <h3>{words.stepSave(inLanguage(field.names))}</h3>
          <LastStep account={account} gateway={gateway} field={field} />
        </li>
      </ol>
    </Section>
  );
}

/** The field that the provider issues for the URL: saved, or to be saved here. */
function LastStep({ account, gateway, field }: Given & { field: CredentialField }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  const inLanguage = useInLanguage();
  if (account.fields[field.name] !== undefined)
    return (
      <p className="saved-field">
        <IconCheck size={16} stroke={2} aria-hidden /> {words.enteredText(inLanguage(field.names))}
      </p>
    );
  return here.may("gateways") ? <SaveField account={account} gateway={gateway} field={field} /> : <p className="soft">{words.readOnly}</p>;
}

/** The previous step says where to find it. */
function SaveField({ account, gateway, field }: Given & { field: CredentialField }) {
  const all = useWords(shared);
  const [value, setValue] = useState("");
  const { form, faults, message, clear, refused } = useRefusedForm();
  const action = useAction(`PATCH ${accountRoute}`, { success: all.saved, onRefused: refused });
  const save = (event: FormEvent) => {
    event.preventDefault();
    clear();
    // The previous credentials have no such field, so there is nothing that they could verify.
    const body = { fields: { [field.name]: value }, expire_old_in_seconds: 0 };
    action.mutate({ path: { slug: gateway.slug, id: account.id }, version: account.version, body });
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={save}>
      <CredentialInput
        field={{ ...field, required: true, hints: {} }}
        value={value}
        fault={faults[`fields.${field.name}`]}
        isOptional={false}
        onType={setValue}
      />
      {message === null ? null : (
        <p className="ask-error" role="alert">
          {message}
        </p>
      )}
      <div>
        <Button type="submit" loading={action.isPending} disabled={value.trim() === ""}>
          {all.save}
        </Button>
      </div>
    </form>
  );
}
