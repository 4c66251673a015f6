import { Button } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { ownAddress } from "../../parts/own-address.ts";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { AskApprove } from "./ask-approve.tsx";
import { ChangedNote } from "./changed-note.tsx";
import { DecidedNote } from "./decided-note.tsx";
import { Particulars, Weighing } from "./evidence.tsx";
import { OtherAmountLink } from "./other-amount.tsx";
import { approvalOf, isOdd, usualSum, type Weighed, weighedOf } from "./queue/expected.ts";
import type { Decision } from "./queue/use-outbox.ts";
import { proofOf, type Queue, seenName, seenOf, type Waiting } from "./queue/use-queue.ts";
import { type Found, useReceiptFor } from "./queue/use-receipt-for.ts";
import { useCurrent, useReviewKeys } from "./queue/use-review-pane.ts";
import { Reject } from "./reject.tsx";
import { reviewWords } from "./review.words.ts";
import { ZoomPicture } from "./zoom-picture.tsx";

export interface ReviewPaneProps {
  queue: Queue;
  first: Waiting;
  onDecide(decision: Decision): void;
}

/** One payment at a time; when it is decided the next one replaces it. */
export function ReviewPane({ queue, first, onDecide }: ReviewPaneProps) {
  const here = useHere();
  const words = useWords(reviewWords);
  const { waiting, begins, count } = queue;
  const { order, state, latest, index, next, show } = useCurrent(queue, first);
  const isGone = state === "gone";
  const may = here.may("review") && state === "waiting";
  const send = (decision: Decision) => {
    show(next);
    onDecide(decision);
  };
  const steps = { j: () => show(index < 0 ? next : waiting[index + 1]), k: () => show(waiting[index - 1]) };
  return (
    <>
      <Payment key={seenName(order)} order={order} isGone={isGone} may={may} steps={steps} onDecide={send}>
        <div className="spread">
          <h2>{order.reference}</h2>
          {index < 0 ? null : (
            <Steps
              place={Math.min(begins + index + 1, count)}
              count={count}
              back={waiting[index - 1]}
              onward={waiting[index + 1]}
              onShow={show}
            />
          )}
        </div>
        {state === "changed" ? <ChangedNote order={order} onShow={() => show(latest)} /> : null}
        {isGone ? <DecidedNote order={order} onNext={next === undefined ? null : () => show(next)} /> : null}
      </Payment>
      {here.may("review") ? null : <p className="note">{words.readOnly}</p>}
    </>
  );
}

interface PaymentProps {
  order: Waiting;
  /** It is already decided: shows what the decision was based on. */
  isGone: boolean;
  may: boolean;
  steps: { j(): void; k(): void };
  onDecide(decision: Decision): void;
  children: React.ReactNode;
}

const nothing: Found = { transfers: 0, orders: 0, unsettled: 0 };

function Payment({ order, isGone, may, steps, onDecide, children }: PaymentProps) {
  const [openDialog, setOpenDialog] = useState<"reject" | "other" | "odd" | null>(null);
  const fitting = useReceiptFor(order);
  const found = isGone ? nothing : fitting;
  const { receipt } = found;
  const [number, setNumber] = useState<string | null>(null);
  const payment = weighedOf(order);
  const decide = (body: Record<string, unknown>) => {
    // The found transfer is only included if its amount is what is approved.
    const offered = receipt !== undefined && receipt.amount_minor === body["received_amount_minor"] ? receipt.external_id : null;
    const external = (number ?? offered ?? "").trim();
    const numbered = body["decision"] === "approve" && external !== "" ? { external_transaction_id: external } : {};
    if (may) onDecide({ order, body: { ...body, ...seenOf(order), ...numbered } });
  };
  const approve = () => may && (isOdd(payment) ? setOpenDialog("odd") : decide(approvalOf(payment.expected, usualSum(payment.expected))));
  const ask = (what: "reject" | "other") => may && setOpenDialog(what);
  useReviewKeys({ a: approve, r: () => ask("reject"), ...steps });
  return (
    <>
      <div className="review-pane">
        <div className="review-pane-head">
          {children}
          <Weighing order={order} found={found} />
        </div>
        <Proof order={order} />
        <div className="review-pane-rest">
          <Particulars order={order} number={may ? { value: number ?? receipt?.external_id ?? "", onWrite: setNumber } : null} />
          {may ? <OtherAmountLink onOpenDialog={() => ask("other")} /> : null}
        </div>
      </div>
      {may ? <OperatorActions payment={payment} onReject={() => ask("reject")} onApprove={approve} /> : null}
      <Reject order={order} open={may && openDialog === "reject"} onClose={() => setOpenDialog(null)} onReject={decide} />
      {may && (openDialog === "odd" || openDialog === "other") ? (
        <AskApprove
          payment={payment}
          other={openDialog === "other"}
          onClose={() => setOpenDialog(null)}
          onReject={() => setOpenDialog("reject")}
          onApprove={decide}
        />
      ) : null}
    </>
  );
}

function Proof({ order }: { order: Waiting }) {
  const words = useWords(reviewWords);
  const proof = proofOf(order);
  return (
    <div className="review-pane-picture" ref={toTop}>
      {proof?.asset_url == null ? (
        <div className="no-picture">
          <IconPhotoOff size={32} stroke={1.5} aria-hidden />
          {proof === undefined ? words.reportedOnly : words.noImage}
        </div>
      ) : (
        <ZoomPicture src={ownAddress(proof.asset_url)} />
      )}
    </div>
  );
}

function OperatorActions({ payment, onReject, onApprove }: { payment: Weighed; onReject(): void; onApprove(): void }) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const sum = moneyText(locale, usualSum(payment.expected), payment.currency);
  return (
    <div className="review-pane-actions">
      <Button size="lg" variant="default" onClick={onReject}>
        {words.reject} <kbd>{words.rejectKey}</kbd>
      </Button>
      {/* The second press of a double one would meet the next payment. */}
      <Button size="lg" {...(isOdd(payment) ? { variant: "default" } : {})} onClick={({ detail }) => detail < 2 && onApprove()}>
        {isOdd(payment) ? words.approveAnyway : words.approveSum(sum)} <kbd>{words.approveKey}</kbd>
      </Button>
    </div>
  );
}

/** Each payment begins at its top. */
function toTop(pane: HTMLElement | null): void {
  if (pane !== null) window.scrollTo({ top: 0 });
}

interface StepsProps {
  place: number;
  count: number;
  /** The neighbors; absent at an end of the queue, and while their page is loading. */
  back: Waiting | undefined;
  onward: Waiting | undefined;
  onShow(order: Waiting | undefined): void;
}

function Steps({ place, count, back, onward, onShow }: StepsProps) {
  const words = useWords(reviewWords);
  if (count < 2) return null;
  return (
    <span className="line">
      <Button variant="subtle" size="compact-sm" color="gray" disabled={back === undefined} onClick={() => onShow(back)}>
        {words.previous}
      </Button>
      <span className="soft">
        {place} / {count}
      </span>
      <Button variant="subtle" size="compact-sm" color="gray" disabled={onward === undefined} onClick={() => onShow(onward)}>
        {words.next}
      </Button>
    </span>
  );
}
