import { Button, TagsInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { Objects } from "../../data/client.ts";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { CountryField } from "../../parts/fields/country-field.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { reachWords } from "./reach.words.ts";

type Policy = Objects["MessagingPolicy"];

const fields = ["allowed_countries", "denied_countries", "denied_prefixes", "opened_prefixes"] as const;

/** Where messages of all projects may go. */
export function PolicyForm({ policy }: { policy: Policy }) {
  const words = useWords(reachWords);
  const edit = useEdit(policy, ({ allowed_countries, denied_countries, denied_prefixes, opened_prefixes }) => ({
    ...{ allowed_countries: allowed_countries ?? [], denied_countries, denied_prefixes, opened_prefixes },
  }));
  const { action, form, faultOf } = useSave<Policy>("PUT /api/admin/messaging-policy", { success: words.saved, fields, edit });
  const { given } = edit;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate({
      body: { ...given, allowed_countries: given.allowed_countries.length === 0 ? null : given.allowed_countries },
      version: edit.version,
    });
  };
  /** The props of a field of the form, by its name. */
  const field = (name: (typeof fields)[number]) => ({
    value: given[name],
    error: faultOf(name),
    onChange: (written: string[]) => edit.set({ [name]: written }),
  });
  const ranges = (name: "denied_prefixes" | "opened_prefixes") => ({
    ...field(name),
    description: words.prefixHint,
    inputMode: "numeric" as const,
    acceptValueOnBlur: true,
    splitChars: [",", " "],
    onChange: (written: string[]) => edit.set({ [name]: [...new Set(written.map((one) => one.replace(/[\s+]/g, "")))] }),
  });
  return (
    <Section title={words.policy}>
      <p className="soft">{words.policyText}</p>
      <form ref={form} className="policy-form" onSubmit={submit}>
        <CountryField label={words.allowed} description={words.allowedHint} {...field("allowed_countries")} />
        <CountryField label={words.denied} description={words.deniedHint} {...field("denied_countries")} />
        <TagsInput label={words.deniedPrefixes} {...ranges("denied_prefixes")} />
        <TagsInput label={words.opened} {...ranges("opened_prefixes")} />
        <div>
          <Button type="submit" loading={action.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
