import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Reason } from "../../parts/fields/reason.tsx";
import { useWords } from "../../words/language.tsx";
import { orderWords } from "./orders.words.ts";

/** A buyer's claim that a canceled order was paid: it changes nothing, so the card says where to look, and a reviewer dismisses it. */
export function OrderClaim({ order }: { order: Objects["Order"] }) {
  const words = useWords(orderWords);
  const here = useHere();
  const [openDialog, setOpen] = useState(false);
  if (order.claimed_at === null) return null;
  return (
    <div className="note claim">
      <IconAlertCircle size={20} stroke={1.5} aria-hidden />
      <span>
        {words.claimed} <Link to={here.to("/receipts")}>{words.toReceipts}</Link>
      </span>
      {here.may("review") ? (
        <Button variant="default" onClick={() => setOpen(true)}>
          {words.dismissClaim}
        </Button>
      ) : null}
      {openDialog ? <DismissClaim id={order.id} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function DismissClaim({ id, onClose }: { id: string; onClose(): void }) {
  const words = useWords(orderWords);
  const [reason, setReason] = useState("");
  const dismiss = useAction("POST /api/v1/projects/{projectId}/orders/{id}/claim/dismiss", {
    onRefused: () => true,
    success: words.claimDismissed,
  });
  return (
    <Ask
      title={words.dismissTitle}
      open
      onClose={onClose}
      does={words.dismissClaim}
      disabled={reason === ""}
      onDo={() => dismiss.mutateAsync({ path: { id }, body: { reason } })}
    >
      <p className="soft">{words.dismissText}</p>
      <Reason label={words.dismissReason} reasons={words.dismissReasons} ownLabel={words.dismissOwn} onChange={setReason} />
    </Ask>
  );
}
