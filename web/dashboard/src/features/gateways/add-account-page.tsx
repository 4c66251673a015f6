import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Field } from "../../parts/fields/field.tsx";
import { useProviderName, useProviders } from "../../parts/filters/gateways.ts";
import { Empty, Loaded, Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { type Account, accountsRoute, type Gateway } from "./parts/account.ts";
import { CredentialFields, type Typed, useInLanguage } from "./parts/credential-fields.tsx";
import { gatewayWords } from "./parts/gateways.words.ts";
import { useRefusedForm } from "./parts/use-refused-form.ts";
import "./parts/gateways.css";

export default function AddAccountPage() {
  const { slug = "" } = useParams({ strict: false }) as { slug?: string };
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const here = useHere();
  const name = useProviderName()(slug);
  const read = useProviders();
  return (
    <Page
      title={words.addTo(name)}
      back={
        <Link to={here.to("/gateways")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <Loaded read={read}>
        {(gateways) => {
          const gateway = gateways.find((one) => one.slug === slug);
          if (gateway === undefined) return <Empty title={all.notFound} />;
          return here.may("gateways") ? <Form gateway={gateway} name={name} /> : <Empty title={words.notSetUp} text={words.readOnly} />;
        }}
      </Loaded>
    </Page>
  );
}

function Form({ gateway, name }: { gateway: Gateway; name: string }) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const here = useHere();
  const navigate = useNavigate();
  const inLanguage = useInLanguage();
  const [typed, setTyped] = useState<Typed>({});
  const [label, setLabel] = useState("");
  const { form, faults, message, clear, refused } = useRefusedForm();
  const action = useAction<Account>(`POST ${accountsRoute}`, {
    success: words.added,
    onRefused: refused,
    onDone: ({ id }) => void navigate({ to: here.to(`/gateways/${gateway.slug}/${id}`) }),
  });
  const fields = gateway.credential_fields ?? [];
  // The provider issues it for the account's URL, which exists once the account is saved.
  const later = fields.find((field) => field.name === gateway.callback_entry?.field && !field.required);
  const save = (event: FormEvent) => {
    event.preventDefault();
    clear();
    action.mutate({ path: { slug: gateway.slug }, body: { fields: typed, ...(label.trim() === "" ? {} : { label: label.trim() }) } });
  };
  return (
    <form ref={form} className="form account-form" noValidate onSubmit={save}>
      <p className="soft">{here.livemode ? words.addLive : words.addTest}</p>
      <CredentialFields fields={fields.filter((field) => field !== later)} typed={typed} faults={faults} onType={setTyped} />
      <Field
        label={all.optionally(words.label)}
        description={words.labelHint}
        maxLength={100}
        value={label}
        error={faults["label"]}
        onWrite={setLabel}
      />
      {later === undefined ? null : <p className="soft">{words.laterField(inLanguage(later.names))}</p>}
      {message === null ? null : (
        <p className="ask-error" role="alert">
          {message}
        </p>
      )}
      <p className="soft">{words.checking(name)}</p>
      <div>
        <Button type="submit" loading={action.isPending}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}
