import { Button, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Objects } from "../../data/client.ts";
import { currencies } from "../../data/currencies.ts";
import { useEdit } from "../../data/forms/use-edit.ts";
import { type Editing, useSave } from "../../data/forms/use-save.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { meQuery } from "../../data/session.ts";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Branding } from "./branding.tsx";
import { BusinessForm } from "./business-form.tsx";
import { settingsWords } from "./settings.words.ts";
import { ZoneField } from "./zone-field.tsx";

type Project = Objects["Project"];

export default function SettingsPage() {
  const words = useWords(settingsWords);
  const here = useHere();
  const project = useApi("GET /api/v1/projects/{projectId}");
  const merchant = useApi("GET /api/v1/merchant");
  return (
    <Page title={words.title}>
      {here.may("settings") ? null : <p className="note">{words.readOnly}</p>}
      <Loaded read={project}>
        {(loaded) => (
          <div className="two-sides">
            <div className="side-left">
              <ProjectForm project={loaded} />
              <Loaded read={merchant}>{(found) => <BusinessForm merchant={found} />}</Loaded>
            </div>
            <div className="side-right">
              <Branding project={loaded} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Saves the project, and updates the page's URL if the slug changed. */
function useSaveProject(edit: Editing<Project>) {
  const words = useWords(settingsWords);
  const here = useHere();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useSave<Project>("PATCH /api/v1/projects/{projectId}", {
    success: words.saved,
    fields: ["name", "slug", "settings.time_zone"],
    edit,
    async onDone(saved) {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      if (saved.slug !== here.project.slug)
        void navigate({ to: `/${saved.slug}/${here.livemode ? "live" : "test"}/settings`, replace: true });
    },
  });
}

function ProjectForm({ project }: { project: Project }) {
  const words = useWords(settingsWords);
  const all = useWords(shared);
  const locked = !useHere().may("settings");
  const edit = useEdit(project, givenOf);
  const { given } = edit;
  const { action, form, faults } = useSaveProject(edit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate({ body: bodyOf(given, edit.base), version: edit.version });
  };
  return (
    <Section title={words.project}>
      <form ref={form} className="form" onSubmit={submit}>
        <TextInput
          label={words.name}
          maxLength={80}
          readOnly={locked}
          value={given.name}
          error={faults["name"]}
          onChange={(event) => edit.set({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.slug}
          maxLength={40}
          readOnly={locked}
          value={given.slug}
          error={faults["slug"]}
          onChange={(event) => edit.set({ slug: event.currentTarget.value })}
        />
        <Select
          label={words.currency}
          disabled={locked}
          data={[...new Set([given.default_currency, ...currencies])]}
          value={given.default_currency}
          onChange={(value) => edit.set({ default_currency: value ?? given.default_currency })}
          allowDeselect={false}
        />
        <ZoneField
          zone={given.zone}
          currency={given.default_currency}
          error={faults["settings.time_zone"]}
          onChoose={(zone) => edit.set({ zone })}
        />
        {locked ? null : <Save isPending={action.isPending} />}
      </form>
      <Facts facts={[{ label: all.id, value: <Copyable text={project.id} /> }]} />
    </Section>
  );
}

function givenOf({ name, slug, default_currency, settings }: Project) {
  return { name, slug, default_currency, zone: (settings as { time_zone?: string }).time_zone };
}

/** Settings are replaced as a whole; the others have their own form. */
function bodyOf({ zone, ...fields }: ReturnType<typeof givenOf>, base: Project) {
  const { time_zone: _, ...rest } = base.settings;
  return { ...fields, settings: zone === undefined ? rest : { ...rest, time_zone: zone } };
}

function Save({ isPending }: { isPending: boolean }) {
  const all = useWords(shared);
  return (
    <div>
      <Button type="submit" variant="default" loading={isPending}>
        {all.save}
      </Button>
    </div>
  );
}
