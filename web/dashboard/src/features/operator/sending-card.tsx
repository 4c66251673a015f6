import { Button } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { AskReason } from "./ask-reason.tsx";
import { operatorWords } from "./operator.words.ts";

type Merchant = Objects["MerchantOverview"];

/** Whether the merchant's LIVE messages are sent; if suspended, since when, why and by whom. */
export function SendingCard({ merchant }: { merchant: Merchant }) {
  const words = useWords(operatorWords);
  const [openDialog, setOpen] = useState(false);
  const { sending_suspended_at: since, sending_suspended_reason: reason, sending_suspended_by: by } = merchant;
  const isSuspended = since !== null;
  return (
    <section className="card" aria-label={words.sending}>
      <div className="page-head">
        <div className="page-title">
          <h2>{words.sending}</h2>
          <Badge tone={isSuspended ? "failed" : "paid"}>{isSuspended ? words.suspended : words.sendingOn}</Badge>
        </div>
        <div className="page-actions">
          <Button variant="default" onClick={() => setOpen(true)}>
            {isSuspended ? words.resume : words.suspend}
          </Button>
        </div>
      </div>
      {isSuspended ? (
        <Facts
          facts={[
            { label: words.reason, value: reason },
            { label: words.since, value: <When at={since} long /> },
            by === null ? null : { label: words.by, value: by },
          ]}
        />
      ) : null}
      <p className="soft">{isSuspended ? words.suspendedText : words.sendingOnText}</p>
      {openDialog && !isSuspended ? (
        <AskReason
          route="POST /api/admin/merchants/{id}/suspend-sending"
          id={merchant.id}
          title={words.suspend}
          text={words.suspendText(merchant.display_name)}
          does={words.suspend}
          success={words.suspendedDone}
          onClose={() => setOpen(false)}
        />
      ) : null}
      {openDialog && isSuspended ? <Resume merchant={merchant} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function Resume({ merchant, onClose }: { merchant: Merchant; onClose(): void }) {
  const words = useWords(operatorWords);
  const notify = useNotify();
  const action = useAction("POST /api/admin/merchants/{id}/resume-sending", { onRefused: () => true });
  const resume = async () => {
    await action.mutateAsync({ path: { id: merchant.id } });
    notify.done(words.resumedDone);
  };
  return (
    <Ask title={words.resume} open onClose={onClose} does={words.resume} onDo={resume}>
      <p>{words.resumeText}</p>
    </Ask>
  );
}
