import { Link } from "@tanstack/react-router";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useApi } from "../../../data/queries.ts";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { type Fact, Facts } from "../../../parts/pages/object-page.tsx";
import { Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Money } from "../../../parts/shown/money.tsx";
import { Badge, Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { providerPaymentWords } from "./provider-payments.words.ts";

type Payment = Objects["GatewayPayment"];

/** The order's payments as their providers have them. */
export function ProviderPayments({ order }: { order: Objects["Order"] }) {
  const words = useWords(providerPaymentWords);
  const enabled = (order.payment_sessions ?? []).some(({ method_data }) => method_data.type === "gateway");
  const payments =
    useApi("GET /api/v1/projects/{projectId}/orders/{id}/gateway-payments", { path: { id: order.id }, enabled }).data?.data ?? [];
  if (!enabled || payments.length === 0) return null;
  return (
    <Section title={words.title}>
      <ul className="provider-payments">
        {payments.map((payment) => (
          <li key={payment.id}>
            <ProviderPayment payment={payment} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ProviderPayment({ payment }: { payment: Payment }) {
  const words = useWords(providerPaymentWords);
  const name = useProviderName()(payment.gateway);
  return (
    <>
      <span className="line">
        <h3>{name}</h3>
        {payment.demo ? <Badge tone="test">{words.demo}</Badge> : null}
        <Status status={payment.status} />
        <Money minor={payment.amount_minor} currency={payment.currency} />
      </span>
      <Facts facts={useFacts(payment)} />
    </>
  );
}

function useFacts(payment: Payment): (Fact | null)[] {
  const words = useWords(providerPaymentWords);
  const here = useHere();
  const {
    gateway,
    account,
    gateway_payment_id: id,
    gateway_transaction_id: transaction,
    gateway_status,
    fee,
    paid_at,
    failure_code,
    failure_message,
  } = payment;
  const page = here.to(`/gateways/${gateway}/${account}`);
  const why = failure_code === null ? null : (words.failures[failure_code] ?? failure_message ?? failure_code);
  const code = (text: string) => <Copyable text={text} />;
  return [
    id === null ? null : { label: words.providerId, value: code(id) },
    transaction === null || transaction === id ? null : { label: words.transaction, value: code(transaction) },
    gateway_status === null ? null : { label: words.providerStatus, value: <code translate="no">{gateway_status}</code> },
    fee === null ? null : { label: words.fee, value: <Money minor={fee.amount_minor} currency={fee.currency} /> },
    paid_at === null ? null : { label: words.paidAt, value: <When at={paid_at} long /> },
    why === null ? null : { label: words.failure, value: why },
    here.may("accounts")
      ? {
          label: words.requests,
          value: (
            <Link to={page} search={{ reference: payment.payment_session_id } as never}>
              {words.seeRequests}
            </Link>
          ),
        }
      : null,
  ];
}
