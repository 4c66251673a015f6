import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { ShowSecret } from "../../parts/dialogs/show-secret.tsx";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Badge, Status } from "../../parts/shown/status.tsx";
import { Ago, When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { ApiKey } from "./api-key.ts";
import { keyWords } from "./keys.words.ts";
import { EditKey, NewKey } from "./new-key.tsx";
import { OldPaths } from "./old-paths.tsx";
import { RevokeKey, RotateKey } from "./rotate-key.tsx";

interface OpenDialog {
  key: ApiKey;
  what: "edit" | "rotate" | "revoke";
}

export default function KeysPage() {
  const words = useWords(keyWords);
  const here = useHere();
  const { values, set } = useSearch();
  const list = useList<ApiKey>("GET /api/v1/projects/{projectId}/api-keys");
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const [made, setMade] = useState<ApiKey | null>(null);
  const keys = list.data?.pages.flatMap(({ data }) => data) ?? [];
  // As it is now: a dialog follows someone else's change.
  const opened = openDialog === null ? null : (keys.find(({ id }) => id === openDialog.key.id) ?? openDialog.key);
  const create = here.may("keys") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.create}
    </Button>
  ) : null;
  return (
    <Page title={words.title} actions={create}>
      <p className="soft">{words.text}</p>
      <Rows
        list={list}
        label={words.title}
        idOf={(key) => key.id}
        columns={useColumns(setOpenDialog)}
        empty={
          <Empty title={words.emptyTitle} text={words.emptyText}>
            {create}
          </Empty>
        }
      />
      <OldPaths keys={keys} />
      <NewKey open={values["new"] !== undefined} onClose={() => set({ new: undefined })} onMade={setMade} />
      {opened !== null && openDialog?.what === "edit" ? <EditKey apiKey={opened} onClose={() => setOpenDialog(null)} /> : null}
      {opened !== null && openDialog?.what === "rotate" ? (
        <RotateKey apiKey={opened} onClose={() => setOpenDialog(null)} onMade={setMade} />
      ) : null}
      {opened !== null && openDialog?.what === "revoke" ? <RevokeKey apiKey={opened} onClose={() => setOpenDialog(null)} /> : null}
      <ShowSecret secret={made?.secret ?? null} title={words.made} onClose={() => setMade(null)} />
    </Page>
  );
}

function useColumns(onOpenDialog: (openDialog: OpenDialog) => void): Column<ApiKey>[] {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const here = useHere();
  return [
    { label: words.name, phone: "title", show: (key) => <strong className="cut">{key.name}</strong> },
    {
      label: words.key,
      phone: "note",
      show: (key) => (
        <code translate="no" className={key.livemode ? "" : "test-text"}>
          {key.prefix}…{key.last4}
        </code>
      ),
    },
    { label: words.permissions, show: (key) => <Permissions names={key.permissions} /> },
    {
      label: all.status,
      phone: "state",
      show: (key) => (
        <span className="line">
          <Status status={key.status} />
          {key.warnings.length > 0 ? <Badge tone="waiting">{words.unboundShort}</Badge> : null}
        </span>
      ),
    },
    {
      label: words.lastUsed,
      show: (key) => (key.last_used_at === null ? <span className="soft">{words.never_used}</span> : <Ago at={key.last_used_at} />),
    },
    { label: words.ends, show: (key) => (key.expires_at === null ? <span className="soft">–</span> : <When at={key.expires_at} />) },
    { label: all.created, show: (key) => <When at={key.created_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (key) => (key.status === "active" && here.may("keys") ? <KeyMenu apiKey={key} onOpenDialog={onOpenDialog} /> : null),
    },
  ];
}

function Permissions({ names }: { names: string[] }) {
  const shown = 2;
  return (
    <span className="line" title={names.join(", ")}>
      {names.slice(0, shown).map((name) => (
        <Badge key={name} tone="plain">
          {name}
        </Badge>
      ))}
      {names.length > shown ? <span className="soft">+{names.length - shown}</span> : null}
    </span>
  );
}

function KeyMenu({ apiKey, onOpenDialog }: { apiKey: ApiKey; onOpenDialog(openDialog: OpenDialog): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" className="quiet-icon" size={36} aria-label={all.about(all.actions, apiKey.name)}>
          <IconDots size={20} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpenDialog({ key: apiKey, what: "edit" })}>{words.edit}</Menu.Item>
        <Menu.Item onClick={() => onOpenDialog({ key: apiKey, what: "rotate" })}>{words.rotate}</Menu.Item>
        <Menu.Item onClick={() => onOpenDialog({ key: apiKey, what: "revoke" })}>{words.revoke}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
