import { Button } from "@mantine/core";
import { useState } from "react";
import { ApiError, type Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction, useList } from "../../data/queries.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ownAddress } from "../../parts/own-address.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Money, moneyText } from "../../parts/shown/money.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AskApprove, Odd } from "../review/ask-approve.tsx";
import { OtherAmountLink } from "../review/other-amount.tsx";
import { approvalOf, expectedFrom, isOdd, usualSum, type Weighed } from "../review/queue/expected.ts";
import { Reject } from "../review/reject.tsx";
import { reviewWords } from "../review/review.words.ts";
import { operatorWords } from "./operator.words.ts";
import "./operator.css";

type Proof = Objects["WaitingProof"];

export default function ProofsPage() {
  const words = useWords(operatorWords);
  const list = useList<Proof>("GET /api/admin/proofs");
  const [opened, setOpened] = useState<Proof | null>(null);
  return (
    <Page title={words.proofs}>
      <p className="soft">{words.proofsText}</p>
      <Rows
        list={list}
        label={words.proofs}
        idOf={(proof) => proof.id}
        columns={useColumns(setOpened)}
        empty={<Empty title={words.noProofs} />}
      />
      <Dialog opened={opened !== null} onClose={() => setOpened(null)} title={words.picture} size="lg">
        {opened === null ? null : <Opened proof={opened} onDone={() => setOpened(null)} />}
      </Dialog>
    </Page>
  );
}

function useColumns(onOpen: (proof: Proof) => void): Column<Proof>[] {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  return [
    {
      label: words.reference,
      phone: "title",
      show: (proof) => (
        <button type="button" className="link-button plain-button" onClick={() => onOpen(proof)}>
          {proof.order_reference ?? `…${proof.order_id.slice(-6)}`}
        </button>
      ),
    },
    {
      label: words.merchant,
      phone: "note",
      show: (proof) => <span className="cut">{`${proof.merchant_name}${all.comma}${proof.project_name}`}</span>,
    },
    {
      label: all.amount,
      end: true,
      phone: "amount",
      show: (proof) => <Money minor={proof.order_amount_minor} currency={proof.currency} />,
    },
    { label: all.created, end: true, phone: "state", show: (proof) => <Ago at={proof.created_at} /> },
  ];
}

/** What was sent and what to decide about it. Anything unusual needs a confirmation, as on the merchant's own page. */
function Opened({ proof, onDone }: { proof: Proof; onDone(): void }) {
  const words = useWords(operatorWords);
  const review = useWords(reviewWords);
  const { locale } = useLanguage();
  const payment = weighedFrom(proof);
  const [openDialog, setOpenDialog] = useState<"reject" | "odd" | "other" | null>(null);
  const { decide, isSending } = useDecide({ proof, isAsked: openDialog !== null, onDone });
  const approve = (body: Record<string, unknown>) => decide(body, words.approved);
  const sum = usualSum(payment.expected);
  const approveOrAsk = () => (isOdd(payment) ? setOpenDialog("odd") : void approve(approvalOf(payment.expected, sum)).catch(() => {}));
  return (
    <div className="opened-mail">
      <Odd flags={payment.flags} />
      {proof.asset_url === null ? null : <img className="picture" src={ownAddress(proof.asset_url)} alt={words.picture} />}
      <ProofFacts proof={proof} />
      <OtherAmountLink onOpenDialog={() => setOpenDialog("other")} />
      <div className="ask-actions">
        <Button variant="default" onClick={() => setOpenDialog("reject")}>
          {words.reject}
        </Button>
        <Button loading={isSending} {...(isOdd(payment) ? { variant: "default" } : {})} onClick={approveOrAsk}>
          {isOdd(payment) ? review.approveAnyway : review.approveSum(moneyText(locale, sum, proof.currency))}
        </Button>
      </div>
      <Reject
        order={payment}
        open={openDialog === "reject"}
        onClose={() => setOpenDialog(null)}
        onReject={(body) => decide(body, words.proofRejected)}
      />
      {openDialog === "odd" || openDialog === "other" ? (
        <AskApprove
          payment={payment}
          other={openDialog === "other"}
          onClose={() => setOpenDialog(null)}
          onReject={() => setOpenDialog("reject")}
          onApprove={approve}
        />
      ) : null}
    </div>
  );
}

/** Sends a decision. If the proof can't be decided anymore, says why and is done as well: a new proof is never decided unseen. */
function useDecide({ proof, isAsked, onDone }: { proof: Proof; isAsked: boolean; onDone(): void }) {
  const notify = useNotify();
  const overText = useOverText(proof.order_reference ?? proof.order_id);
  const action = useAction("POST /api/admin/proofs/{id}/review", { onRefused: (error) => isAsked || overText(error) !== null });
  const decide = async (body: Record<string, unknown>, success: string) => {
    const refused = (error: unknown) => {
      const text = overText(error);
      if (text === null) throw error;
      notify.failed(text);
    };
    await action.mutateAsync({ path: { id: proof.id }, body }).then(() => notify.done(success), refused);
    onDone();
  };
  return { decide, isSending: action.isPending };
}

/** Says that someone else decided a proof, or that the buyer withdrew or replaced it; null for any other refusal. */
function useOverText(reference: string): (error: unknown) => string | null {
  const review = useWords(reviewWords);
  return (error) => {
    if (!(error instanceof ApiError)) return null;
    if (error.code === "review_exists" || error.code === "order_already_paid") return review.taken(reference);
    if (error.code !== "order_state_conflict") return null;
    return error.fields["reason"] === "payment_changed" ? review.changedSince(reference) : review.notWaiting(reference);
  };
}

function weighedFrom(proof: Proof): Weighed {
  const {
    order_reference,
    order_id,
    currency,
    risk_flags: flags,
    amount_minor: reportedMinor,
    expected_minor: requestedMinor,
    owed_minor: owedMinor,
  } = proof;
  return { reference: order_reference ?? order_id, currency, flags, expected: expectedFrom({ requestedMinor, owedMinor, reportedMinor }) };
}

function ProofFacts({ proof }: { proof: Proof }) {
  const words = useWords(operatorWords);
  return (
    <Facts
      facts={[
        { label: words.merchant, value: proof.merchant_name },
        { label: words.project, value: proof.project_name },
        { label: words.reference, value: proof.order_reference ?? proof.order_id },
        { label: words.expected, value: <Money minor={proof.expected_minor} currency={proof.currency} /> },
        proof.amount_minor === null
          ? null
          : { label: words.reported, value: <Money minor={proof.amount_minor} currency={proof.currency} /> },
        proof.transaction_reference === null ? null : { label: words.transfer, value: proof.transaction_reference },
        proof.payer_name === null ? null : { label: words.payer, value: proof.payer_name },
        proof.note === null ? null : { label: words.note, value: proof.note },
      ]}
    />
  );
}
