import { Button } from "@mantine/core";
import type { FormEvent } from "react";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { useHere } from "../../data/here.tsx";
import { CountryField } from "../../parts/fields/country-field.tsx";
import { TwoSides } from "../../parts/pages/object-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { CapFields } from "./cap-fields.tsx";
import { limitWords } from "./limits.words.ts";
import { QuietFields } from "./quiet-fields.tsx";
import { Pace, Reachable } from "./reach.tsx";
import { capsOf, givenOf, type Limits, quietKinds, readCap } from "./values/given.ts";

/** The merchant's own countries, caps and quiet hours, saved together. */
export function LimitsForm({ limits }: { limits: Limits }) {
  const words = useWords(limitWords);
  const locked = !useHere().may("settings");
  const edit = useEdit(limits, givenOf);
  const names = capsOf(limits);
  const { action, form, faultOf } = useSave<Limits>("PATCH /api/v1/projects/{projectId}/messaging-limits", {
    success: words.saved,
    fields: ["countries", ...names.map((name) => `caps.${name}`), ...quietKinds.map((kind) => `quiet_hours.${kind}`)],
    edit,
  });
  const { countries, caps, quiet_hours } = edit.given;
  const read = names.map((name) => [name, readCap(name, caps[name])] as const);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { countries: countries.length === 0 ? null : countries, caps: Object.fromEntries(read), quiet_hours };
    action.mutate({ body, version: edit.version });
  };
  return (
    <form ref={form} className="limits-form" onSubmit={submit} noValidate>
      <TwoSides
        left={
          <>
            <Countries limits={limits} chosen={countries} fault={faultOf("countries")} onChange={(next) => edit.set({ countries: next })} />
            <QuietFields quiet={quiet_hours} faultOf={faultOf} locked={locked} onChange={(next) => edit.set({ quiet_hours: next })} />
          </>
        }
        right={
          <>
            <CapFields
              {...{ limits, names, caps, locked }}
              text={words.capsText}
              faultOf={(name) => faultOf(`caps.${name}`)}
              onChange={(next) => edit.set({ caps: next })}
            />
            <Pace pace={limits.recipient_pace} />
          </>
        }
      />
      {locked ? null : (
        <div>
          <Button type="submit" loading={action.isPending} disabled={read.some(([, value]) => value === undefined)}>
            {words.save}
          </Button>
        </div>
      )}
    </form>
  );
}

interface CountriesProps {
  limits: Limits;
  chosen: readonly string[];
  fault: string | undefined;
  onChange(codes: string[]): void;
}

function Countries({ limits, chosen, fault, onChange }: CountriesProps) {
  const words = useWords(limitWords);
  const locked = !useHere().may("settings");
  return (
    <Section title={words.countries}>
      <CountryField
        label={words.countriesLabel}
        description={words.countriesHint}
        readOnly={locked}
        value={chosen}
        error={fault}
        onChange={onChange}
      />
      <Reachable limits={limits} />
    </Section>
  );
}
