import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import type { Filter } from "../../parts/filters/filters.tsx";
import { useChannelChoices, useGatewayName } from "../../parts/filters/gateways.ts";
import { periodOf } from "../../parts/filters/period.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty } from "../../parts/pages/page.tsx";
import { PickRow, SelectionContext, useSelection } from "../../parts/selection/selection.tsx";
import { SelectionBar } from "../../parts/selection/selection-bar.tsx";
import { Working } from "../../parts/selection/working.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { Badge, Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AssignReceipt } from "./assign-receipt.tsx";
import type { Receipt } from "./group-receipts.ts";
import { IgnoreReceipts, useSentences } from "./ignore-receipts.tsx";
import { receiptWords } from "./receipts.words.ts";
import { useReceiptActions } from "./use-receipt-actions.ts";

interface OpenDialog {
  what: "link" | "ignore" | "unlink";
  receipts: readonly Receipt[];
}

/** All transfers, with their result and what a person can still do, one by one and together. */
export function AllReceipts() {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const here = useHere();
  const { values } = useSearch();
  const list = useList<Receipt>("GET /api/v1/projects/{projectId}/receipts", {
    query: { status: values["status"], channel: values["channel"], limit: 100, ...periodOf(values, useZone()) },
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const selection = useSelection();
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const may = here.may("review");
  return (
    <SelectionContext value={may ? selection : null}>
      <Listing
        list={list}
        columns={useColumns(setOpenDialog)}
        filters={useFilters()}
        period={all.created}
        bar={may ? <Chosen rows={rows} picked={selection.picked} hasMore={list.hasNextPage} onOpenDialog={setOpenDialog} /> : null}
        label={words.title}
        idOf={(one) => one.id}
        empty={<Empty title={words.emptyTitle} text={words.emptyText} />}
      />
      {openDialog === null ? null : <Decide {...openDialog} onDone={selection.drop} onClose={() => setOpenDialog(null)} />}
    </SelectionContext>
  );
}

/** True for a transfer that waits for a person; what waits as an exception is decided there. */
function isWaiting({ status, exception_id }: Receipt): boolean {
  return status === "unmatched" && exception_id === null;
}

function canIgnore(receipt: Receipt): boolean {
  return isWaiting(receipt) || (receipt.status === "matched" && receipt.can_unlink);
}

interface ChosenProps {
  rows: readonly Receipt[];
  picked: ReadonlySet<string>;
  hasMore: boolean;
  onOpenDialog(openDialog: OpenDialog): void;
}

/** What can be done to all selected transfers: each button counts those that it can change. */
function Chosen({ rows, picked, hasMore, onOpenDialog }: ChosenProps) {
  const words = useWords(receiptWords);
  const ids = rows.filter((one) => one.can_unlink || canIgnore(one)).map(({ id }) => id);
  if (ids.length === 0) return null;
  const chosen = rows.filter(({ id }) => picked.has(id));
  const [undoable, ignorable] = [chosen.filter((one) => one.can_unlink), chosen.filter(canIgnore)];
  const label = hasMore ? words.selectShown(ids.length) : words.selectAll(ids.length);
  return (
    <SelectionBar label={words.together} choices={[{ label, ids }]} idle={undoable.length + ignorable.length === 0}>
      <Button
        variant="default"
        size="sm"
        disabled={undoable.length === 0}
        onClick={() => onOpenDialog({ what: "unlink", receipts: undoable })}
      >
        {words.unlinkMany(undoable.length)}
      </Button>
      <Button
        variant="default"
        size="sm"
        disabled={ignorable.length === 0}
        onClick={() => onOpenDialog({ what: "ignore", receipts: ignorable })}
      >
        {words.ignoreMany(ignorable.length)}
      </Button>
    </SelectionBar>
  );
}

interface DecideProps extends OpenDialog {
  onDone(receipts: readonly Receipt[]): void;
  onClose(): void;
}

/** The dialog of one decision. */
function Decide({ what, receipts, onDone, onClose }: DecideProps) {
  const words = useWords(receiptWords);
  const { sentences, sayReversed } = useSentences();
  const { assign, ignore, unlink, progress } = useReceiptActions();
  const [first] = receipts;
  if (first === undefined) return null;
  const done = () => onDone(receipts);
  if (what === "link") return <AssignReceipt receipt={first} onAssign={assign} onClose={onClose} />;
  if (what === "ignore")
    return (
      <IgnoreReceipts
        receipts={receipts}
        progress={progress}
        onIgnore={(some, reason) => ignore(some, reason).then(done)}
        onClose={onClose}
      />
    );
  const hasSets = receipts.some(({ set_id }) => set_id !== null);
  const says = [
    ...(hasSets && receipts.length === 1 ? [] : [words.unlinkText(receipts.length)]),
    ...(hasSets ? [words.unlinkSetText(receipts.length)] : []),
  ];
  return (
    <Ask title={words.unlinkTitle(receipts.length)} open onClose={onClose} does={words.unlink} onDo={() => unlink(receipts).then(done)}>
      <p>{sentences(...says, ...sayReversed(receipts))}</p>
      <Working progress={progress} text={words.working} />
    </Ask>
  );
}

function useColumns(onOpenDialog: (openDialog: OpenDialog) => void): Column<Receipt>[] {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const here = useHere();
  const nameOf = useGatewayName();
  const pick = usePickColumn();
  return useMemo(
    () => [
      ...pick,
      {
        label: all.paymentMethod,
        phone: "title",
        show: (one) => (
          <>
            <strong>{nameOf(one.channel)}</strong> <OnPhone>{isUnassigned(one) ? null : <OrderOf receipt={one} />}</OnPhone>
          </>
        ),
      },
      {
        label: all.amount,
        end: true,
        phone: "amount",
        show: (one) => (
          <>
            <Money minor={one.amount_minor} currency={one.currency} />{" "}
            <OnPhone>{here.may("review") ? <RowActions receipt={one} onOpenDialog={onOpenDialog} /> : null}</OnPhone>
          </>
        ),
      },
      { label: all.status, phone: "state", show: (one) => <Result receipt={one} /> },
      { label: words.order, show: (one) => <OrderOf receipt={one} /> },
      { label: words.payer, show: (one) => <span className="cut soft">{one.payer_hint ?? "–"}</span> },
      {
        label: words.remark,
        show: (one) => <span className="cut soft">{(one.status === "ignored" ? one.decision_reason : null) ?? one.remark ?? "–"}</span>,
      },
      { label: words.source, show: (one) => <span className="soft">{words.sources[one.source]}</span> },
      { label: words.arrived, end: true, phone: "note", show: (one) => <Arrived receipt={one} /> },
      {
        label: all.actions,
        end: true,
        show: (one) => (here.may("review") ? <RowActions receipt={one} onOpenDialog={onOpenDialog} /> : null),
      },
    ],
    [words, all, here, nameOf, pick, onOpenDialog],
  );
}

/** The checkboxes, for people who can decide. What can be neither undone nor ignored has none. */
function usePickColumn(): Column<Receipt>[] {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const may = useHere().may("review");
  return useMemo(() => {
    const show = (one: Receipt) =>
      one.can_unlink || canIgnore(one) ? <PickRow id={one.id} label={all.about(words.select, one.external_id ?? one.id)} /> : null;
    return may ? [{ label: words.select, phone: "pick", show }] : [];
  }, [words, all, may]);
}

/** A phone's row has four places: what has its own columns elsewhere is added to them. */
function OnPhone({ children }: { children: ReactNode }) {
  return children === null ? null : <span className="on-phone">{children}</span>;
}

function Arrived({ receipt }: { receipt: Receipt }) {
  return (
    <>
      <When at={receipt.occurred_at} />
      <OnPhone>{receipt.payer_hint === null ? null : ` · ${receipt.payer_hint}`}</OnPhone>
    </>
  );
}

function Result({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const here = useHere();
  // Money that was booked as an exception waits for a person there, until it is resolved.
  if (receipt.exception_status === "open") return <Link to={here.to("/exceptions")}>{words.exception}</Link>;
  if (receipt.state === "final" || receipt.status !== "unmatched") return <Status status={receipt.status} />;
  return <Badge tone="failed">{words.states[receipt.state]}</Badge>;
}

function isUnassigned(receipt: Receipt): boolean {
  return receipt.order_id === null && receipt.set_id === null && !receipt.elsewhere;
}

function OrderOf({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const here = useHere();
  if (receipt.order_id !== null)
    return <Link to={here.to(`/orders/${receipt.order_id}`)}>{receipt.order_reference ?? `…${receipt.order_id.slice(-6)}`}</Link>;
  if (receipt.set_id !== null) return <span className="soft">{words.inSet}</span>;
  return <span className="soft">{receipt.elsewhere ? words.elsewhere : "–"}</span>;
}

function RowActions({ receipt, onOpenDialog }: { receipt: Receipt; onOpenDialog(openDialog: OpenDialog): void }) {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const receipts = [receipt];
  const waits = isWaiting(receipt);
  if (!waits && !receipt.can_unlink) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className="quiet-icon"
          size={36}
          aria-label={all.about(all.actions, receipt.external_id ?? receipt.id)}
        >
          <IconDots size={20} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {waits ? <Menu.Item onClick={() => onOpenDialog({ what: "link", receipts })}>{words.choose}</Menu.Item> : null}
        {canIgnore(receipt) ? <Menu.Item onClick={() => onOpenDialog({ what: "ignore", receipts })}>{words.ignoreDots}</Menu.Item> : null}
        {receipt.can_unlink ? (
          <Menu.Item onClick={() => onOpenDialog({ what: "unlink", receipts })}>
            {receipt.status === "ignored" ? words.restore : words.unlinkDots}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function useFilters(): Filter[] {
  const all = useWords(shared);
  const text = useStatusText();
  return [
    {
      name: "status",
      label: all.status,
      options: ["unmatched", "matched", "linked", "ignored"].map((value) => ({ value, label: text(value) })),
    },
    {
      name: "channel",
      label: all.paymentMethod,
      options: useChannelChoices(),
    },
  ];
}
