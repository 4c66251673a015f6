import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { useSessionName } from "../../parts/filters/gateways.ts";
import { type Fact, Facts, Metadata, Timeline, TwoSides } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Badge, Status } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { moneyBackWords } from "./money-back/money-back.words.ts";
import { OrderDisputes } from "./money-back/order-disputes.tsx";
import { OrderRefunds } from "./money-back/order-refunds.tsx";
import { OrderActions } from "./order-actions.tsx";
import { OrderClaim } from "./order-claim.tsx";
import { OrderHeld } from "./order-held.tsx";
import { OrderLink } from "./order-link.tsx";
import { OrderProofs } from "./order-proofs.tsx";
import { OrderWarnings } from "./order-warnings.tsx";
import { orderWords } from "./orders.words.ts";
import { ProviderPayments } from "./providers/provider-payments.tsx";
import { useMoments } from "./use-moments.ts";
import { usualFlags } from "./usual-flags.ts";

type Order = Objects["Order"];

export default function OrderPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(orderWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}", {
    path: { id },
    query: { "expand[]": ["payment_sessions", "vouchers", "refunds"] },
  });
  const order = read.data;
  return (
    <Page
      title={order?.reference ?? words.order}
      aside={order === undefined ? null : <Status status={order.status} />}
      actions={order === undefined ? null : <OrderActions order={order} />}
      back={
        <Link to={here.to("/orders")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <Loaded read={read}>{(loaded) => <Body order={loaded} />}</Loaded>
    </Page>
  );
}

function Body({ order }: { order: Order }) {
  const moments = useMoments(order);
  const back = useWords(moneyBackWords);
  return (
    <>
      <div className="big-sum">
        <Money minor={order.amount_minor} currency={order.currency} size={40} />
      </div>
      <OrderWarnings order={order} />
      <OrderClaim order={order} />
      <OrderHeld order={order} />
      {order.flags.includes("payment_reversed") ? <p className="note">{back.reversedNote}</p> : null}
      <TwoSides
        left={
          <>
            <OrderLink order={order} />
            <Facts facts={useFacts(order)} />
            <Metadata metadata={order.metadata} />
            <ProviderPayments order={order} />
            <OrderRefunds refunds={order.refunds ?? []} />
            <OrderDisputes order={order} />
            <OrderProofs vouchers={order.vouchers ?? []} />
            <RawJson value={order} />
          </>
        }
        right={<Timeline moments={moments} />}
      />
    </>
  );
}

function useFacts(order: Order): (Fact | null)[] {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const { name, email, phone } = order.customer;
  const customer = [name, email, phone].filter((part) => part !== null);
  const nameOf = useSessionName();
  const paidThrough = (order.payment_sessions ?? []).filter(({ status }) => status === "succeeded").map(nameOf);
  const differs = order.amount_received_minor !== 0 && order.amount_received_minor !== order.amount_minor;
  return [
    { label: all.id, value: <Copyable text={order.id} /> },
    order.description === null ? null : { label: words.description, value: order.description },
    customer.length === 0 ? null : { label: words.buyer, value: <Lines lines={customer} /> },
    differs ? { label: words.received, value: <Money minor={order.amount_received_minor} currency={order.currency} /> } : null,
    order.amount_refunded_minor === 0
      ? null
      : { label: words.refunded, value: <Money minor={order.amount_refunded_minor} currency={order.currency} /> },
    order.amount_disputed_minor === 0
      ? null
      : { label: words.disputed, value: <Money minor={order.amount_disputed_minor} currency={order.currency} /> },
    order.amount_held_minor === 0
      ? null
      : { label: words.heldAside, value: <Money minor={order.amount_held_minor} currency={order.currency} /> },
    order.flags.length === 0 ? null : { label: words.flags, value: <Flags flags={order.flags} /> },
    { label: all.created, value: <When at={order.created_at} long /> },
    order.paid_at === null
      ? { label: words.expires, value: <When at={order.expires_at} long /> }
      : { label: words.paidAt, value: <When at={order.paid_at} long /> },
    paidThrough.length === 0 ? null : { label: words.paidBy, value: [...new Set(paidThrough)].join(all.comma) },
  ];
}

function Lines({ lines }: { lines: string[] }) {
  return lines.map((line) => (
    <div key={line}>
      <bdi>{line}</bdi>
    </div>
  ));
}

function Flags({ flags }: { flags: Order["flags"] }) {
  const words = useWords(orderWords);
  return (
    <span className="line">
      {flags.map((flag) => (
        <Badge key={flag} tone={usualFlags.has(flag) ? "plain" : "waiting"}>
          {words.flag[flag] ?? flag}
        </Badge>
      ))}
    </span>
  );
}
