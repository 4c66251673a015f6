import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { useGatewayName } from "../../parts/filters/gateways.ts";
import { PickRow } from "../../parts/selection/selection.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import type { Group, Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

interface LineProps {
  group: Group;
  busy: boolean;
  /** False if the reader can only view. */
  may: boolean;
  onLink(): void;
  onAssign(receipt: Receipt): void;
  onIgnore(receipts: Receipt[]): void;
}

const shownOrders = 4;

/** One decision: incoming transfers on the left, the orders that they may be for on the right. */
export function WaitingLine({ group, busy, may, onLink, onAssign, onIgnore }: LineProps) {
  const words = useWords(receiptWords);
  const nameOf = useGatewayName();
  const [first] = group.receipts;
  if (first === undefined) return null;
  const count = group.receipts.length;
  const isOpen = group.action === "set" && group.approved.length < group.orders.length;
  const several = count > 1 && (group.action === "choose" || isOpen);
  return (
    <li className="waiting-line">
      <PickRow id={group.id} label={words.pick(count)} />
      <div className="waiting-came">
        <strong className="waiting-sum">
          {count > 1 ? <span className="soft">{count} × </span> : null}
          <Money minor={first.amount_minor} currency={first.currency} size={16} />
        </strong>
        <span className="soft"> {nameOf(first.channel)}</span>
        {group.receipts.map((receipt) => (
          <Transfer key={receipt.id} receipt={receipt} onAssign={several && may ? () => onAssign(receipt) : undefined} />
        ))}
      </div>
      <Fits group={group} />
      {may ? (
        <div className="waiting-actions">
          <Button variant="default" size="xs" onClick={() => onIgnore(group.receipts)}>
            {words.ignore}
          </Button>
          {group.action === "link" || group.action === "set" ? (
            <Button size="xs" loading={busy} onClick={onLink}>
              {group.action === "set" ? words.linkApproved(count) : count > 1 ? words.linkSet(count) : words.link}
            </Button>
          ) : several ? null : (
            <Button variant="default" size="xs" onClick={() => onAssign(first)}>
              {words.choose}
            </Button>
          )}
        </div>
      ) : null}
    </li>
  );
}

function Transfer({ receipt, onAssign }: { receipt: Receipt; onAssign: (() => void) | undefined }) {
  const words = useWords(receiptWords);
  const parts = [receipt.payer_hint, receipt.kind, receipt.remark].filter((part) => part !== null);
  return (
    <div className="waiting-one">
      <When at={receipt.occurred_at} />
      {receipt.state === "final" ? null : <Badge tone="failed">{words.states[receipt.state]}</Badge>}
      <span className="soft cut" title={parts.join(" · ")}>
        {parts.join(" · ")}
      </span>
      {onAssign === undefined ? null : (
        <Button variant="subtle" size="compact-xs" onClick={onAssign}>
          {words.choose}
        </Button>
      )}
    </div>
  );
}

function Fits({ group }: { group: Group }) {
  const words = useWords(receiptWords);
  const here = useHere();
  const elsewhere = group.receipts.some(({ suggestions }) => suggestions.some((one) => one.elsewhere));
  if (group.orders.length === 0) return <div className="waiting-fits soft">{elsewhere ? words.elsewhere : words.fitsNothing}</div>;
  const more = group.orders.length - shownOrders;
  return (
    <div className="waiting-fits">
      {group.orders.slice(0, shownOrders).map((order) => (
        <span key={order.id} className="waiting-order">
          <Link to={here.to(`/orders/${order.id}`)}>{order.reference ?? `…${order.id.slice(-6)}`}</Link>
          <span className="soft"> {words.fits[order.fits]}</span>
        </span>
      ))}
      {more > 0 ? <span className="soft">{words.moreOrders(more)}</span> : null}
      {group.action === "set" ? (
        <span className="soft">{words.setText(group.approved.length, group.orders.length - group.approved.length)}</span>
      ) : null}
      {group.action === "choose" && group.receipts.length > 1 ? (
        <span className="soft">{words.whyChoose(group.receipts.length, group.orders.length)}</span>
      ) : null}
    </div>
  );
}
