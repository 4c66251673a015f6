import { Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import type { Role } from "../../data/session.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { NoMailNote, useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { roleWords } from "../../words/roles.ts";
import { teamWords } from "./team.words.ts";

const below: Role[] = ["admin", "developer", "reviewer", "accountant", "viewer"];

export function Invite({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(teamWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [email, setEmail] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const [role, setRole] = useState<Role>("reviewer");
  const sendsMail = useSendsMail();
  const action = useAction("POST /api/v1/merchant/invitations", { onRefused: () => true });
  const send = async () => {
    await action.mutateAsync({ body: { email: email.trim(), role, language } }).catch((error: unknown) => {
      setFault(fieldErrors(error, language)["email"]);
      throw error;
    });
    setEmail("");
    setFault(undefined);
    notify.done(sendsMail === false ? words.invited : words.sent);
  };
  return (
    <Ask title={words.invite} open={open} onClose={onClose} does={words.invite} onDo={send} disabled={!email.includes("@")}>
      {sendsMail === false ? <NoMailNote need="invite" /> : <p className="soft">{words.inviteText}</p>}
      <TextInput
        label={words.email}
        type="email"
        data-autofocus
        value={email}
        error={fault}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Roles value={role} changes onChange={setRole} />
    </Ask>
  );
}

export function ChangeRole({ member, onClose }: { member: Objects["Member"]; onClose(): void }) {
  const words = useWords(teamWords);
  const notify = useNotify();
  const edit = useEdit(member, (one): { role: Role } => ({ role: one.role }));
  const { role } = edit.given;
  const action = useAction("PATCH /api/v1/merchant/members/{id}", { onRefused: () => true });
  const change = async () => {
    await action.mutateAsync({ path: { id: member.id }, version: edit.version, body: { role } }).catch((error: unknown) => {
      edit.refused(error);
      throw error;
    });
    notify.done(words.changed);
  };
  return (
    <Ask title={member.name} open onClose={onClose} does={words.change} onDo={change} disabled={role === member.role}>
      <Roles value={role} changes={role !== member.role} onChange={(next) => edit.set({ role: next })} />
    </Ask>
  );
}

/** Only an owner can add another one. */
function Roles({ value, changes, onChange }: { value: Role; changes: boolean; onChange(role: Role): void }) {
  const words = useWords(teamWords);
  const names = useWords(roleWords);
  const here = useHere();
  const offered: Role[] = here.role === "owner" ? ["owner", ...below] : below;
  return (
    <Radio.Group label={words.role} value={value} onChange={(next) => onChange(next as Role)}>
      <div className="form" style={{ paddingTop: 6 }}>
        {offered.map((role) => (
          <Radio key={role} value={role} label={names[role]} description={words.roles[role]} />
        ))}
        {value === "owner" && changes ? <p className="soft">{words.newOwnerText}</p> : null}
      </div>
    </Radio.Group>
  );
}
