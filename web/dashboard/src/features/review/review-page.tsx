import { Button } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAct } from "../../data/queries.ts";
import { ownAddress } from "../../parts/own-address.ts";
import { Empty, Loaded, Page } from "../../parts/page.tsx";
import { useSearchText } from "../../parts/search.ts";
import { Ago } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import "./review.css";
import { Evidence, useReceiptFor } from "./evidence.tsx";
import { OtherAmount, OtherAmountLink } from "./other-amount.tsx";
import { Reject } from "./reject.tsx";
import { reviewWords } from "./review.words.ts";
import { useCurrent, useDeskKeys } from "./use-desk.ts";
import { proofOf, reportedAt, useQueue, type Waiting } from "./use-queue.ts";
import { ZoomPicture } from "./zoom-picture.tsx";

export default function ReviewPage() {
  const words = useWords(reviewWords);
  const read = useQueue();
  const wanted = useSearchText("order");
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const waiting = (read.data ?? []).filter(({ id }) => !decided.has(id));
  const oldest = waiting[0];
  return (
    <Page
      title={words.title}
      beside={
        oldest === undefined ? null : (
          <span className="soft">
            {words.waiting(waiting.length)} · {words.oldest} <Ago at={reportedAt(oldest)} />
          </span>
        )
      }
    >
      <Loaded read={read}>
        {() =>
          waiting.length === 0 ? (
            <Empty title={words.emptyTitle} text={words.emptyText} />
          ) : (
            <Desk waiting={waiting} wanted={wanted} onDecided={(id) => setDecided((before) => new Set([...before, id]))} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface DeskProps {
  waiting: Waiting[];
  wanted: string | undefined;
  onDecided(id: string): void;
}

/** One payment at a time; when it is decided the next one lies there. */
function Desk({ waiting, wanted, onDecided }: DeskProps) {
  const words = useWords(reviewWords);
  const here = useHere();
  const { order, index, next, show } = useCurrent(waiting, wanted);
  const [asking, setAsking] = useState<"reject" | "other" | null>(null);
  const receipt = useReceiptFor(order);
  const decide = useDecision(order, (id) => {
    show(next);
    onDecided(id);
  });
  const isGone = index < 0;
  const may = here.may("review") && !isGone;
  const external = receipt?.external_id == null ? {} : { external_transaction_id: receipt.external_id };
  const approve = () => !decide.busy && may && decide.send({ decision: "approve", ...external });
  const ask = (what: "reject" | "other") => may && setAsking(what);
  useDeskKeys({ a: approve, r: () => ask("reject"), j: () => show(isGone ? next : waiting[index + 1]), k: () => show(waiting[index - 1]) });
  return (
    <>
      <div className="desk">
        <Proof key={order.id} order={order} />
        <div className="desk-side">
          <div className="spread">
            <h2>{order.reference}</h2>
            {isGone ? null : <Steps index={index} count={waiting.length} onStep={(by) => show(waiting[index + by])} />}
          </div>
          {isGone ? <Gone order={order} onNext={() => show(next)} /> : null}
          <Evidence key={order.id} order={order} receipt={receipt} />
          {may ? <OtherAmountLink onAsk={() => ask("other")} /> : null}
        </div>
      </div>
      {may ? <DeskActs busy={decide.busy} onReject={() => ask("reject")} onApprove={approve} /> : null}
      {here.may("review") ? null : <p className="note">{words.readOnly}</p>}
      <Reject order={order} open={asking === "reject"} onClose={() => setAsking(null)} onReject={decide.sendAndWait} />
      {asking === "other" ? <OtherAmount order={order} onClose={() => setAsking(null)} onApprove={decide.sendAndWait} /> : null}
    </>
  );
}

/** Decided by somebody else while it lay here: said in its place, and nothing moves under the reader's hand. */
function Gone({ order, onNext }: { order: Waiting; onNext(): void }) {
  const words = useWords(reviewWords);
  return (
    <div className="note spread" data-tone="plain" role="status">
      <p>{words.gone(order.reference)}</p>
      <Button variant="default" size="compact-sm" onClick={onNext}>
        {words.next}
      </Button>
    </div>
  );
}

function Proof({ order }: { order: Waiting }) {
  const words = useWords(reviewWords);
  const proof = proofOf(order);
  return (
    <div className="desk-picture" ref={toTop}>
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

function DeskActs({ busy, onReject, onApprove }: { busy: boolean; onReject(): void; onApprove(): void }) {
  const words = useWords(reviewWords);
  return (
    <div className="desk-acts">
      <Button size="lg" variant="default" onClick={onReject} disabled={busy}>
        {words.reject} <kbd>{words.rejectKey}</kbd>
      </Button>
      {/* The second press of a double one would meet the next payment. */}
      <Button size="lg" onClick={({ detail }) => detail < 2 && onApprove()} loading={busy}>
        {words.approve} <kbd>{words.approveKey}</kbd>
      </Button>
      <p className="soft">{words.undo}</p>
    </div>
  );
}

/** Each payment begins at its picture. */
function toTop(desk: HTMLElement | null): void {
  if (desk !== null) window.scrollTo({ top: 0 });
}

function Steps({ index, count, onStep }: { index: number; count: number; onStep(by: number): void }) {
  const words = useWords(reviewWords);
  if (count < 2) return null;
  return (
    <span className="line">
      <Button variant="subtle" size="compact-sm" color="gray" disabled={index === 0} onClick={() => onStep(-1)}>
        {words.previous}
      </Button>
      <span className="soft">
        {index + 1} / {count}
      </span>
      <Button variant="subtle" size="compact-sm" color="gray" disabled={index === count - 1} onClick={() => onStep(1)}>
        {words.next}
      </Button>
    </span>
  );
}

/** Sends a decision. Somebody quicker is no fault: the reader is told and goes on with the next. */
function useDecision(order: Waiting, onDecided: (id: string) => void) {
  const words = useWords(reviewWords);
  const tell = useTell();
  const act = useAct("POST /api/v1/projects/{projectId}/orders/{id}/verification", {
    onRefused(error) {
      if (!(error instanceof ApiError) || error.status !== 409) return false;
      tell.done(words.taken(order.reference));
      onDecided(order.id);
      return true;
    },
  });
  const sendAndWait = async (body: Record<string, unknown>) => {
    await act.mutateAsync({ path: { id: order.id }, body });
    tell.done(body["decision"] === "approve" ? words.approved(order.reference) : words.rejected(order.reference));
    onDecided(order.id);
  };
  return { busy: act.isPending, sendAndWait, send: (body: Record<string, unknown>) => void sendAndWait(body).catch(() => {}) };
}
