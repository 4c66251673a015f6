import { Button, TagsInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useHere } from "../../data/here.tsx";
import { useEdit } from "../../data/use-edit.ts";
import { useSave } from "../../data/use-save.ts";
import { Section } from "../../parts/page.tsx";
import { useWords } from "../../words/language.tsx";
import { CapFields } from "./cap-fields.tsx";
import { capsOf, givenOf, type Limits, readCap } from "./given.ts";
import { limitWords } from "./limits.words.ts";
import { QuietFields } from "./quiet-fields.tsx";

/** The merchant's own countries, caps and quiet hours, saved together. */
export function LimitsForm({ limits }: { limits: Limits }) {
  const words = useWords(limitWords);
  const locked = !useHere().may("settings");
  const edit = useEdit(limits, givenOf);
  const names = capsOf(limits);
  const { act, form, faults } = useSave<Limits>("PATCH /api/v1/projects/{projectId}/messaging-limits", {
    says: words.saved,
    fields: names.map((name) => `caps.${name}`),
    edit,
  });
  const { countries, caps, quiet_hours } = edit.given;
  const read = names.map((name) => [name, readCap(name, caps[name])] as const);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { countries: countries.length === 0 ? null : countries, caps: Object.fromEntries(read), quiet_hours };
    act.mutate({ body, version: edit.version });
  };
  return (
    <form ref={form} className="limits-form" onSubmit={submit}>
      <Section title={words.countries}>
        <TagsInput
          label={words.countriesLabel}
          description={words.countriesHint}
          readOnly={locked}
          value={countries}
          error={Object.entries(faults).find(([param]) => param.startsWith("countries"))?.[1]}
          onChange={(written) => edit.set({ countries: written.map((one) => one.trim().toUpperCase()) })}
        />
      </Section>
      <CapFields limits={limits} names={names} caps={caps} faults={faults} locked={locked} onChange={(next) => edit.set({ caps: next })} />
      <QuietFields quiet={quiet_hours} locked={locked} onChange={(next) => edit.set({ quiet_hours: next })} />
      {locked ? null : (
        <div>
          <Button type="submit" loading={act.isPending} disabled={read.some(([, value]) => value === undefined)}>
            {words.save}
          </Button>
        </div>
      )}
    </form>
  );
}
