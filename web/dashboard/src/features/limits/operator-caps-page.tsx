import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Objects } from "../../data/client.ts";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { useHere } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { CapFields } from "./cap-fields.tsx";
import { operatorCapWords } from "./operator-caps.words.ts";
import { Spend } from "./spend.tsx";
import { capsOf, capTexts, type Limits, readCap } from "./values/given.ts";
import "./limits.css";

/** Single messages have no events here. */
const everyMs = 15_000;

export default function OperatorCapsPage() {
  const { id = "", projectId = "" } = useParams({ strict: false }) as { id?: string; projectId?: string };
  const words = useWords(operatorCapWords);
  const here = useHere();
  const merchant = useApi("GET /api/admin/merchants/{id}", { path: { id } });
  const projects = useList<Objects["Project"]>("GET /api/admin/merchants/{id}/projects", { path: { id } });
  const name = projects.data?.pages.flatMap(({ data }) => data).find((one) => one.id === projectId)?.name;
  const limits = useApi("GET /api/admin/projects/{id}/messaging-limits", { path: { id: projectId } });
  const spend = useApi("GET /api/admin/projects/{id}/messaging-spend", { path: { id: projectId }, every: everyMs });
  return (
    <Page
      title={name === undefined ? words.title : words.titleOf(name)}
      back={
        <Link to={here.to(`/operator/merchants/${id}`)} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {merchant.data?.display_name ?? id}
        </Link>
      }
    >
      <Loaded read={limits}>
        {(caps) => (
          <>
            <p className="soft">{words.text}</p>
            <Loaded read={spend}>{(loaded) => <Spend spend={loaded} />}</Loaded>
            <CapsForm limits={caps} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The operator's caps for one project. */
function CapsForm({ limits }: { limits: Limits }) {
  const words = useWords(operatorCapWords);
  const edit = useEdit(limits, ({ operator_caps }) => ({ caps: capTexts(operator_caps) }));
  const names = capsOf(limits);
  const { action, form, faultOf } = useSave<Limits>("PATCH /api/admin/projects/{id}/messaging-limits", {
    success: words.saved,
    fields: names.map((name) => `operator_caps.${name}`),
    edit,
  });
  const { caps } = edit.given;
  const read = names.map((name) => [name, readCap(name, caps[name])] as const);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate({ path: { id: limits.project_id }, body: { operator_caps: Object.fromEntries(read) }, version: edit.version });
  };
  return (
    <form ref={form} className="limits-form" onSubmit={submit} noValidate>
      <CapFields
        {...{ limits, names, caps, locked: false }}
        text={words.capsText}
        faultOf={(name) => faultOf(`operator_caps.${name}`)}
        onChange={(next) => edit.set({ caps: next })}
      />
      <div>
        <Button type="submit" loading={action.isPending} disabled={read.some(([, value]) => value === undefined)}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
