import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction, useList } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Page, Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { roleWords } from "../../words/roles.ts";
import { shared } from "../../words/shared.ts";
import { ChangeRole, Invite } from "./invite.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { teamWords } from "./team.words.ts";

type Member = Objects["Member"];
type Invitation = Objects["Invitation"];

interface OpenDialog {
  member: Member;
  what: "role" | "remove";
}

export default function TeamPage() {
  const words = useWords(teamWords);
  const here = useHere();
  const { values, set } = useSearch();
  const members = useList<Member>("GET /api/v1/merchant/members");
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  // As it is now: a dialog follows someone else's change.
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? [];
  const opened = openDialog === null ? null : (rows.find(({ id }) => id === openDialog.member.id) ?? openDialog.member);
  return (
    <Page
      title={words.title}
      actions={
        here.may("members") ? (
          <Button leftSection={<IconUserPlus size={16} stroke={1.5} />} onClick={() => set({ invite: "1" })}>
            {words.invite}
          </Button>
        ) : null
      }
    >
      <Rows list={members} label={words.title} idOf={(member) => member.id} columns={useColumns(setOpenDialog)} empty={null} />
      {here.may("members") ? <Invitations /> : null}
      <Invite open={values["invite"] !== undefined} onClose={() => set({ invite: undefined })} />
      {opened !== null && openDialog?.what === "role" ? <ChangeRole member={opened} onClose={() => setOpenDialog(null)} /> : null}
      {opened !== null && openDialog?.what === "remove" ? <RemoveMember member={opened} onClose={() => setOpenDialog(null)} /> : null}
    </Page>
  );
}

function useColumns(onOpenDialog: (openDialog: OpenDialog) => void): Column<Member>[] {
  const words = useWords(teamWords);
  const roles = useWords(roleWords);
  const all = useWords(shared);
  const here = useHere();
  const isNew = ({ role, new_owner_until }: Member) =>
    role === "owner" && new_owner_until !== null && new Date(new_owner_until) > new Date();
  const isYou = (member: Member) => member.person_id === here.me.id;
  return [
    {
      label: words.name,
      phone: "title",
      show: (member) => (
        <span className="cut">
          <strong>{member.name}</strong> {isYou(member) ? <span className="soft">{words.you}</span> : null}
        </span>
      ),
    },
    { label: words.email, phone: "note", show: (member) => <span className="cut soft">{member.email}</span> },
    {
      label: words.role,
      phone: "state",
      show: (member) => <Badge tone={isNew(member) ? "waiting" : "plain"}>{isNew(member) ? words.newOwner : roles[member.role]}</Badge>,
    },
    {
      label: words.secondStep,
      show: (member) => (
        <Badge tone={member.two_factor_enabled ? "paid" : "expired"}>{member.two_factor_enabled ? words.on : words.off}</Badge>
      ),
    },
    { label: words.since, show: (member) => <When at={member.created_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (member) => (here.may("members") && !isYou(member) ? <MemberActions member={member} onOpenDialog={onOpenDialog} /> : null),
    },
  ];
}

function MemberActions({ member, onOpenDialog }: { member: Member; onOpenDialog(openDialog: OpenDialog): void }) {
  const words = useWords(teamWords);
  const all = useWords(shared);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" className="quiet-icon" size={36} aria-label={all.about(all.actions, member.name)}>
          <IconDots size={20} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpenDialog({ member, what: "role" })}>{words.change}</Menu.Item>
        <Menu.Item onClick={() => onOpenDialog({ member, what: "remove" })}>{words.remove}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Invitations() {
  const words = useWords(teamWords);
  const roles = useWords(roleWords);
  const all = useWords(shared);
  const list = useList<Invitation>("GET /api/v1/merchant/invitations");
  const [openDialog, setOpenDialog] = useState<Invitation | null>(null);
  const withdraw = useAction("DELETE /api/v1/merchant/invitations/{id}", { onRefused: () => true });
  if ((list.data?.pages[0]?.data.length ?? 0) === 0) return null;
  const columns: Column<Invitation>[] = [
    { label: words.email, phone: "title", show: (one) => <strong className="cut">{one.email}</strong> },
    { label: words.role, phone: "state", show: (one) => <Badge tone="plain">{roles[one.role]}</Badge> },
    { label: words.expires, phone: "note", show: (one) => <When at={one.expires_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (one) => (
        <Button variant="default" size="xs" onClick={() => setOpenDialog(one)}>
          {words.withdraw}
        </Button>
      ),
    },
  ];
  return (
    <Section title={words.invitations}>
      <Rows list={list} label={words.invitations} idOf={(one) => one.id} columns={columns} empty={null} />
      {openDialog === null ? null : (
        <Ask
          title={words.withdraw}
          open
          onClose={() => setOpenDialog(null)}
          does={words.withdraw}
          danger
          onDo={() => withdraw.mutateAsync({ path: { id: openDialog.id } })}
        >
          <p>{words.withdrawText(openDialog.email)}</p>
        </Ask>
      )}
    </Section>
  );
}
