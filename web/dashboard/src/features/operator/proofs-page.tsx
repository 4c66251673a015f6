import { Button } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useAct, useList } from "../../data/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { type Column, Rows } from "../../parts/list-page.tsx";
import { Money } from "../../parts/money.tsx";
import { Facts } from "../../parts/object-page.tsx";
import { ownAddress } from "../../parts/own-address.ts";
import { Empty, Page } from "../../parts/page.tsx";
import { Badge } from "../../parts/status.tsx";
import { Ago } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Reject } from "../review/reject.tsx";
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
      <Rows list={list} label={words.proofs} idOf={(proof) => proof.id} columns={useColumns(setOpened)} empty={<Empty title={words.noProofs} />} />
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
    { label: words.merchant, phone: "note", show: (proof) => <span className="cut">{`${proof.merchant_name}, ${proof.project_name}`}</span> },
    { label: all.amount, end: true, phone: "amount", show: (proof) => <Money minor={proof.order_amount_minor} currency={proof.currency} /> },
    { label: all.created, end: true, phone: "state", show: (proof) => <Ago at={proof.created_at} /> },
  ];
}

function Opened({ proof, onDone }: { proof: Proof; onDone(): void }) {
  const words = useWords(operatorWords);
  const tell = useTell();
  const [rejecting, setRejecting] = useState(false);
  const act = useAct("POST /api/admin/proofs/{id}/review");
  const decide = async (body: Record<string, unknown>, says: string) => {
    await act.mutateAsync({ path: { id: proof.id }, body });
    tell.done(says);
    onDone();
  };
  return (
    <div className="opened-mail">
      {proof.asset_url === null ? null : <img className="picture" src={ownAddress(proof.asset_url)} alt={words.picture} />}
      <ProofFacts proof={proof} />
      <div className="ask-acts">
        <Button variant="default" onClick={() => setRejecting(true)}>
          {words.reject}
        </Button>
        <Button loading={act.isPending} onClick={() => void decide({ decision: "approve" }, words.approved).catch(() => {})}>
          {words.approve}
        </Button>
      </div>
      <Reject
        order={{ reference: proof.order_reference ?? "" }}
        open={rejecting}
        onClose={() => setRejecting(false)}
        onReject={(body) => decide(body, words.proofRejected)}
      />
    </div>
  );
}

function ProofFacts({ proof }: { proof: Proof }) {
  const words = useWords(operatorWords);
  return (
    <Facts
      facts={[
        { label: words.merchant, value: proof.merchant_name },
        { label: words.project, value: proof.project_name },
        { label: words.reference, value: proof.order_reference ?? proof.order_id },
        { label: words.expected, value: <Money minor={proof.order_amount_minor} currency={proof.currency} /> },
        proof.amount_minor === null ? null : { label: words.reported, value: <Money minor={proof.amount_minor} currency={proof.currency} /> },
        proof.transaction_reference === null ? null : { label: words.transfer, value: proof.transaction_reference },
        proof.payer_name === null ? null : { label: words.payer, value: proof.payer_name },
        proof.note === null ? null : { label: words.note, value: proof.note },
        proof.risk_flags.length === 0
          ? null
          : {
              label: words.flags,
              value: (
                <span className="line">
                  {proof.risk_flags.map((flag) => (
                    <Badge key={flag} tone="waiting">
                      {flag}
                    </Badge>
                  ))}
                </span>
              ),
            },
      ]}
    />
  );
}
