import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { Facts } from "../../../parts/pages/object-page.tsx";
import { Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Money } from "../../../parts/shown/money.tsx";
import { Badge, type Tone } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { moneyBackWords } from "./money-back.words.ts";

type Dispute = Objects["Dispute"];

const tones: Record<Dispute["status"], Tone> = { inquiry: "waiting", opened: "waiting", won: "paid", lost: "failed" };

/** The disputes of an order's payments; none until they are loaded. */
export function useDisputes(order: Pick<Objects["Order"], "id" | "payment_sessions">): Dispute[] {
  // Money of an order that doesn't count as paid can be disputed as well.
  const enabled = (order.payment_sessions ?? []).some(({ method_data }) => method_data.type === "gateway");
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}/disputes", { path: { id: order.id }, query: { limit: 100 }, enabled });
  return enabled ? (read.data?.data ?? []) : [];
}

/** What the buyer disputes at their bank or provider, and its status there. */
export function OrderDisputes({ order }: { order: Pick<Objects["Order"], "id" | "payment_sessions"> }) {
  const words = useWords(moneyBackWords);
  const disputes = useDisputes(order);
  if (disputes.length === 0) return null;
  return (
    <Section title={words.disputes}>
      <ul className="provider-payments">
        {disputes.map((dispute) => (
          <li key={dispute.id}>
            <DisputeText dispute={dispute} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function DisputeText({ dispute }: { dispute: Dispute }) {
  const words = useWords(moneyBackWords);
  const name = useProviderName()(dispute.gateway);
  const { status, amount_minor, currency, reason, provider_dispute_id: id, fee_minor: fee, fee_currency, told_at, created_at } = dispute;
  return (
    <>
      <span className="line">
        <h3>{name}</h3>
        <Badge tone={tones[status]}>{words.disputeStates[status]}</Badge>
        <Money minor={amount_minor} currency={currency} />
      </span>
      <p>{dispute.in_books ? words.disputeTexts[status] : words.disputeUnbooked}</p>
      <Facts
        facts={[
          { label: words.disputeId, value: <Copyable text={id} /> },
          reason === null ? null : { label: words.disputeReason, value: <code translate="no">{reason}</code> },
          fee === null ? null : { label: words.disputeFee, value: <Money minor={fee} currency={fee_currency ?? currency} /> },
          { label: words.disputeSince, value: <When at={created_at} long /> },
          { label: words.disputeReported, value: <When at={told_at} long /> },
        ]}
      />
    </>
  );
}
