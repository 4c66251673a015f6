import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AskReason } from "../operator/ask-reason.tsx";
import { isTelephone, TermFields, type Terms, termsBody } from "./number-parts.tsx";
import { numberWords, operatorWords } from "./numbers.words.ts";

export type NumberOverview = Objects["NumberOverview"];

/** An operator's decisions about a number. */
export function OperatorActions({ number }: { number: NumberOverview }) {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const [openDialog, setOpenDialog] = useState<"approve" | "reject" | null>(null);
  const isApproved = number.status === "approved";
  const named = (action: string) => all.about(action, `${number.value}${all.comma}${number.project_name}`);
  const [approve, reject] = [isApproved ? words.change : words.approve, isApproved ? words.revoke : words.reject];
  return (
    <span className="line" style={{ flexWrap: "nowrap", justifyContent: "flex-end" }}>
      {number.status === "requested" ? (
        <Button size="xs" onClick={() => setOpenDialog("approve")} aria-label={named(words.approve)}>
          {words.approve}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" className="quiet-icon" size={36} aria-label={named(all.actions)}>
            <IconDots size={20} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpenDialog("approve")}>{approve}</Menu.Item>
          {number.status === "rejected" ? null : <Menu.Item onClick={() => setOpenDialog("reject")}>{reject}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {openDialog === "approve" ? <Approve number={number} does={approve} onClose={() => setOpenDialog(null)} /> : null}
      {openDialog === "reject" ? (
        <AskReason
          route="POST /api/admin/numbers/{id}/reject"
          id={number.id}
          title={all.about(reject, number.value)}
          text={(isApproved ? words.takeBackText : words.rejectText)(number.value, number.project_name)}
          does={reject}
          success={isApproved ? words.takenBack : words.rejected}
          onClose={() => setOpenDialog(null)}
        />
      ) : null}
    </span>
  );
}

/** Shows what was requested, and lets the operator reduce it. */
function Approve({ number, does, onClose }: { number: NumberOverview; does: string; onClose(): void }) {
  const words = useWords(operatorWords);
  const own = useWords(numberWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const notify = useNotify();
  const [terms, setTerms] = useState<Terms>({ channels: [...number.channels], countries: number.countries ?? [] });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction("POST /api/admin/numbers/{id}/approve", { onRefused: () => true });
  const approve = async () => {
    await action.mutateAsync({ path: { id: number.id }, body: termsBody(number.value, terms) }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(words.approved);
  };
  const isUseless = isTelephone(number.value) && terms.channels.length === 0;
  return (
    <Ask title={all.about(does, number.value)} open onClose={onClose} does={does} onDo={approve} disabled={isUseless}>
      {number.owner_project_name === null ? null : (
        <div className="note" role="status">
          <IconInfoCircle size={20} stroke={1.5} aria-hidden />
          <p>{words.owned(number.owner_project_name)}</p>
        </div>
      )}
      <Facts
        facts={[
          { label: words.merchant, value: number.merchant_name },
          { label: words.project, value: number.project_name },
          { label: own.about, value: number.purpose ?? <span className="soft">{words.noPurpose}</span> },
          number.rejection_reason === null ? null : { label: own.reason, value: number.rejection_reason },
        ]}
      />
      <TermFields value={number.value} terms={terms} faults={faults} onChange={setTerms} />
    </Ask>
  );
}
