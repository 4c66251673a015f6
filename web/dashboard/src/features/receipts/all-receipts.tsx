import { ActionIcon, Menu } from "@mantine/core";
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
import { Money } from "../../parts/shown/money.tsx";
import { Badge, Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AssignReceipt } from "./assign-receipt.tsx";
import type { Receipt } from "./group-receipts.ts";
import { IgnoreReceipts } from "./ignore-receipts.tsx";
import { receiptWords } from "./receipts.words.ts";
import { useReceiptActions } from "./use-receipt-actions.ts";

interface OpenDialog {
  what: "link" | "ignore" | "unlink";
  receipt: Receipt;
}

/** All transfers, with their result and what a person can still do. */
export function AllReceipts() {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const { values } = useSearch();
  const list = useList<Receipt>("GET /api/v1/projects/{projectId}/receipts", {
    query: { status: values["status"], channel: values["channel"], ...periodOf(values, useZone()) },
  });
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const actions = useReceiptActions();
  const close = () => setOpenDialog(null);
  return (
    <>
      <Listing
        list={list}
        columns={useColumns(setOpenDialog)}
        filters={useFilters()}
        period={all.created}
        label={words.title}
        idOf={(one) => one.id}
        empty={<Empty title={words.emptyTitle} text={words.emptyText} />}
      />
      {openDialog?.what === "link" ? <AssignReceipt receipt={openDialog.receipt} onAssign={actions.assign} onClose={close} /> : null}
      {openDialog?.what === "ignore" ? <IgnoreReceipts receipts={[openDialog.receipt]} onIgnore={actions.ignore} onClose={close} /> : null}
      {openDialog?.what === "unlink" ? (
        <Ask title={words.unlinkTitle} open onClose={close} does={words.unlink} onDo={() => actions.unlink([openDialog.receipt.id])}>
          <p>{openDialog.receipt.set_id === null ? words.unlinkText : words.unlinkSetText}</p>
        </Ask>
      ) : null}
    </>
  );
}

function useColumns(onOpenDialog: (openDialog: OpenDialog) => void): Column<Receipt>[] {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const here = useHere();
  const nameOf = useGatewayName();
  return useMemo(
    () => [
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
    [words, all, here, nameOf, onOpenDialog],
  );
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
  const waits = receipt.status === "unmatched" && receipt.exception_id === null;
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
        {waits ? <Menu.Item onClick={() => onOpenDialog({ what: "link", receipt })}>{words.choose}</Menu.Item> : null}
        {waits || receipt.status === "matched" ? (
          <Menu.Item onClick={() => onOpenDialog({ what: "ignore", receipt })}>{words.ignoreDots}</Menu.Item>
        ) : null}
        {receipt.can_unlink ? (
          <Menu.Item onClick={() => onOpenDialog({ what: "unlink", receipt })}>
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
