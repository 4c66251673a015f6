import { useState } from "react";
import { ApiError } from "../../data/client.ts";
import { errorText, useNotify } from "../../data/errors.tsx";
import { useApi } from "../../data/queries.ts";
import { useSearchText } from "../../parts/filters/search.ts";
import { Empty, Loaded, Page, RowSkeletons } from "../../parts/pages/page.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import "./review.css";
import { OutboxBar } from "./outbox-bar.tsx";
import { type Decision, useOutbox } from "./queue/use-outbox.ts";
import { type Queue, reportedAt, useQueue, type Waiting } from "./queue/use-queue.ts";
import { reviewWords } from "./review.words.ts";
import { ReviewPane } from "./review-pane.tsx";

export default function ReviewPage() {
  const words = useWords(reviewWords);
  const { decided, back, outgoing, decide } = useDecisions();
  const queue = useQueue((order) => decided.has(nameOf(order)));
  const oldest = queue.begins === 0 ? queue.waiting[0] : undefined;
  return (
    <Page
      title={words.title}
      aside={
        queue.count === 0 ? null : (
          <span className="soft">
            {words.waiting(queue.count)}
            {oldest === undefined ? null : (
              <>
                {" "}
                · {words.oldest} <Ago at={reportedAt(oldest)} />
              </>
            )}
          </span>
        )
      }
    >
      <Loaded read={queue.read}>
        {() => <Line key={back.count} queue={queue} decided={decided} back={back.order} onDecide={decide} />}
      </Loaded>
      {outgoing === null ? null : <OutboxBar outgoing={outgoing} />}
    </Page>
  );
}

interface LineProps {
  queue: Queue;
  decided: ReadonlySet<string>;
  /** A payment whose decision was undone or refused. */
  back: Waiting | undefined;
  onDecide(decision: Decision): void;
}

/** The payment in the URL, decided or not, and never another one instead; without one in the URL, the oldest. */
function Line({ queue, decided, back, onDecide }: LineProps) {
  const words = useWords(reviewWords);
  const { waiting } = queue;
  const wanted = useSearchText("order");
  const [named, setNamed] = useState(
    back === undefined && [...decided].every((name) => name.split(" ")[0] !== wanted) ? wanted : undefined,
  );
  const known = waiting.find(({ id }) => id === named);
  const [isElsewhere] = useState(named !== undefined && known === undefined);
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}", {
    path: { id: named ?? "" },
    query: { "expand[]": ["payment_sessions", "vouchers"] },
    enabled: isElsewhere && named !== undefined,
  });
  if (isElsewhere && named !== undefined) {
    const decide = (decision: Decision) => {
      setNamed(undefined);
      onDecide(decision);
    };
    return <Loaded read={read}>{(order) => <ReviewPane queue={queue} first={order} onDecide={decide} />}</Loaded>;
  }
  const first = waiting.find(({ id }) => id === back?.id) ?? known ?? waiting[0];
  if (first === undefined && queue.count > 0) return <RowSkeletons count={6} />;
  if (first === undefined) return <Empty title={words.emptyTitle} text={words.emptyText} />;
  return <ReviewPane queue={queue} first={first} onDecide={onDecide} />;
}

/** An order that is reported again later waits again. */
function nameOf({ id, version }: Waiting): string {
  return `${id} ${version}`;
}

/** Decisions made here that are being sent, and those that came back. */
function useDecisions() {
  const words = useWords(reviewWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [back, setBack] = useState<{ order: Waiting | undefined; count: number }>({ order: undefined, count: 0 });
  const take = (order: Waiting) => setDecided((before) => new Set([...before, nameOf(order)]));
  const give = (order: Waiting) => {
    setDecided((before) => new Set([...before].filter((name) => name !== nameOf(order))));
    setBack(({ count }) => ({ order, count: count + 1 }));
  };
  const { outgoing, decide } = useOutbox({
    onDone: ({ order, body }) =>
      notify.done(body["decision"] === "approve" ? words.approved(order.reference) : words.rejected(order.reference)),
    onRefused({ order }, error) {
      // If someone else was faster, it isn't an error: the reader is notified, and the other decision counts.
      if (error instanceof ApiError && (error.code === "review_exists" || error.code === "order_already_paid") && error.param === undefined)
        return notify.done(words.taken(order.reference));
      const hasChanged = error instanceof ApiError && error.fields["reason"] === "payment_changed";
      // The reader may be on another page by now.
      if (hasChanged) notify.failed(words.changedSince(order.reference));
      else notify.failed(`${words.notDecided(order.reference)} ${errorText(error, language)}`);
      give(order);
    },
    onUndone: ({ order }) => give(order),
  });
  return {
    decided,
    back,
    outgoing,
    decide(decision: Decision) {
      take(decision.order);
      decide(decision);
    },
  };
}
