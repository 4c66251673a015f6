import { Button, Checkbox } from "@mantine/core";
import { useMemo, useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi, useList } from "../../data/queries.ts";
import { Empty, RowSkeletons, Trouble } from "../../parts/pages/page.tsx";
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
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [assigning, setAssigning] = useState<Receipt | null>(null);
  const [ignoring, setIgnoring] = useState<Receipt[] | null>(null);
  const { busy, link, assign, ignore } = useReceiptActions();
  if (list.data === undefined)
    return list.error === null ? <RowSkeletons count={6} /> : <Trouble error={list.error} again={() => void list.refetch()} />;
  if (groups.length === 0) return <Nothing />;
  const chosen = groups.filter(({ id }) => picked.has(id));
  const may = here.may("review");
  const pick = (ids: readonly string[], on: boolean) =>
    setPicked(new Set(on ? [...picked, ...ids] : [...picked].filter((id) => !ids.includes(id))));
  const ignorePicked: typeof ignore = async (ids, reason) => {
    await ignore(ids, reason);
    setPicked(new Set());
  };
  return (
    <>
      {may ? (
        <Chosen groups={groups} chosen={chosen} busy={busy} onPick={pick} onLink={(some) => void link(some)} onIgnore={setIgnoring} />
      ) : null}
      <ul className="waiting" aria-label={words.waiting}>
        {groups.map((group) => (
          <WaitingLine
            key={group.id}
            group={group}
            picked={picked.has(group.id)}
            busy={busy}
            onPick={may ? (on) => pick([group.id], on) : undefined}
            onLink={() => void link([group])}
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
      {ignoring === null ? null : <IgnoreReceipts receipts={ignoring} onIgnore={ignorePicked} onClose={() => setIgnoring(null)} />}
    </>
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
  onPick(ids: readonly string[], on: boolean): void;
  onLink(groups: readonly Group[]): void;
  onIgnore(receipts: Receipt[]): void;
}

/** What one click does for all selected lines. */
function Chosen({ groups, chosen, busy, onPick, onLink, onIgnore }: ChosenProps) {
  const words = useWords(receiptWords);
  const ready = chosen.filter(({ action }) => action === "link" || action === "set");
  const count = (some: readonly Group[]) => some.reduce((sum, { receipts }) => sum + receipts.length, 0);
  // A set that other orders keep open is closed with its own button, because a person has to check it.
  const fitting = groups
    .filter(({ action, approved, orders }) => action === "link" || (action === "set" && approved.length === orders.length))
    .map(({ id }) => id);
  const stray = groups.filter(({ action }) => action === "none").map(({ id }) => id);
  const isAll = (ids: readonly string[]) => ids.length > 0 && ids.every((id) => chosen.some((group) => group.id === id));
  return (
    <div className="waiting-bar" role="toolbar" aria-label={words.together}>
      {fitting.length === 0 ? null : (
        <Checkbox
          label={words.allFitting(fitting.length)}
          checked={isAll(fitting)}
          onChange={(event) => onPick(fitting, event.currentTarget.checked)}
        />
      )}
      {stray.length === 0 ? null : (
        <Checkbox
          label={words.allStray(stray.length)}
          checked={isAll(stray)}
          onChange={(event) => onPick(stray, event.currentTarget.checked)}
        />
      )}
      <span className="waiting-bar-actions" data-idle={chosen.length === 0}>
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
      </span>
    </div>
  );
}
