import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { Empty, RowSkeletons, Trouble } from "../../parts/pages/page.tsx";
import { SelectionContext, useSelection } from "../../parts/selection/selection.tsx";
import { SelectionBar } from "../../parts/selection/selection-bar.tsx";
import { type Progress, Working } from "../../parts/selection/working.tsx";
import { useWords } from "../../words/language.tsx";
import { AssignReceipt } from "./assign-receipt.tsx";
import { type Group, groupReceipts, type Receipt } from "./group-receipts.ts";
import { IgnoreReceipts } from "./ignore-receipts.tsx";
import { receiptWords } from "./receipts.words.ts";
import { useReceiptActions } from "./use-receipt-actions.ts";
import { WaitingLine } from "./waiting-line.tsx";
import "./receipts.css";

/** Undecided transfers: those with an order first, one line for all that compete for the same orders. */
export function Waiting() {
  const words = useWords(receiptWords);
  const here = useHere();
  const list = useList<Receipt>("GET /api/v1/projects/{projectId}/receipts", { query: { status: "unmatched", limit: 100 } });
  const groups = useMemo(() => sorted(groupReceipts(list.data?.pages.flatMap(({ data }) => data) ?? [])), [list.data]);
  const selection = useSelection();
  const [assigning, setAssigning] = useState<Receipt | null>(null);
  const [ignoring, setIgnoring] = useState<Receipt[] | null>(null);
  const { busy, progress, link, assign, ignore } = useReceiptActions();
  if (list.data === undefined)
    return list.error === null ? <RowSkeletons count={6} /> : <Trouble error={list.error} again={() => void list.refetch()} />;
  if (groups.length === 0) return <Nothing />;
  const chosen = groups.filter(({ id }) => selection.picked.has(id));
  const may = here.may("review");
  const run = (some: readonly Group[]) => void link(some);
  return (
    <SelectionContext value={may ? selection : null}>
      {may ? <Chosen groups={groups} chosen={chosen} busy={busy} progress={progress} onLink={run} onIgnore={setIgnoring} /> : null}
      <ul className="waiting" aria-label={words.waiting}>
        {groups.map((group) => (
          <WaitingLine
            key={group.id}
            group={group}
            busy={busy}
            may={may}
            onLink={() => run([group])}
            onAssign={setAssigning}
            onIgnore={setIgnoring}
          />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      ) : null}
      {assigning === null ? null : <AssignReceipt receipt={assigning} onAssign={assign} onClose={() => setAssigning(null)} />}
      {ignoring === null ? null : (
        <IgnoreReceipts
          receipts={ignoring}
          progress={progress}
          onIgnore={(receipts, reason) => ignore(receipts, reason).then(() => selection.drop(receipts))}
          onClose={() => setIgnoring(null)}
        />
      )}
    </SelectionContext>
  );
}

/** Nothing waits: because everything is decided, or because nothing ever arrived. */
function Nothing() {
  const words = useWords(receiptWords);
  const any = useApi("GET /api/v1/projects/{projectId}/receipts", { query: { limit: 1 } });
  if (any.data?.data.length === 0) return <Empty title={words.emptyTitle} text={words.emptyText} />;
  return <Empty title={words.nothingWaits} text={words.nothingWaitsText} />;
}

const ranks: Record<Group["action"], number> = { link: 0, set: 1, choose: 2, none: 3 };

function sorted(groups: Group[]): Group[] {
  const at = (group: Group) => group.receipts[0]?.occurred_at ?? "";
  return groups.toSorted((one, other) => ranks[one.action] - ranks[other.action] || at(one).localeCompare(at(other)));
}

interface ChosenProps {
  groups: readonly Group[];
  chosen: readonly Group[];
  busy: boolean;
  progress: Progress | null;
  onLink(groups: readonly Group[]): void;
  onIgnore(receipts: Receipt[]): void;
}

/** What one click does for all selected lines. */
function Chosen({ groups, chosen, busy, progress, onLink, onIgnore }: ChosenProps) {
  const words = useWords(receiptWords);
  const ready = chosen.filter(({ action }) => action === "link" || action === "set");
  const count = (some: readonly Group[]) => some.reduce((sum, { receipts }) => sum + receipts.length, 0);
  // A set that other orders keep open is closed with its own button, because a person has to check it.
  const fitting = groups
    .filter(({ action, approved, orders }) => action === "link" || (action === "set" && approved.length === orders.length))
    .map(({ id }) => id);
  const stray = groups.filter(({ action }) => action === "none").map(({ id }) => id);
  const choices = [
    { label: words.allFitting(fitting.length), ids: fitting },
    { label: words.allStray(stray.length), ids: stray },
  ];
  return (
    <SelectionBar label={words.together} choices={choices} idle={chosen.length === 0}>
      <Working progress={busy ? progress : null} text={words.working} />
      <Button
        variant="default"
        size="sm"
        disabled={chosen.length === 0}
        onClick={() => onIgnore(chosen.flatMap(({ receipts }) => receipts))}
      >
        {words.ignoreMany(count(chosen))}
      </Button>
      <Button size="sm" disabled={ready.length === 0} loading={busy} onClick={() => onLink(ready)}>
        {words.linkMany(count(ready))}
      </Button>
    </SelectionBar>
  );
}
