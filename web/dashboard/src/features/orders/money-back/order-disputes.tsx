import type { Objects } from "../../../data/client.ts";
import { useApi } from "../../../data/queries.ts";
import { useGatewayName } from "../../../parts/gateways.ts";
import { Money } from "../../../parts/money.tsx";
import { Section } from "../../../parts/page.tsx";
import { Badge, type Tone } from "../../../parts/status.tsx";
import { When } from "../../../parts/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { moneyBackWords } from "./money-back.words.ts";

type Dispute = Objects["Dispute"];

const tones: Record<Dispute["status"], Tone> = { inquiry: "waiting", opened: "waiting", won: "paid", lost: "failed" };

/** What the buyer disputes at their bank or provider, and how it stands there. */
export function OrderDisputes({ order }: { order: Pick<Objects["Order"], "id" | "paid_at"> }) {
  const words = useWords(moneyBackWords);
  const path = { id: order.id };
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}/disputes", { path, query: { limit: 100 }, enabled: order.paid_at !== null });
  const disputes = read.data?.data ?? [];
  if (disputes.length === 0) return null;
  return (
    <Section title={words.disputes}>
      <ul className="order-proofs">
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
  const nameOf = useGatewayName();
  const told = [nameOf(dispute.gateway), dispute.provider_dispute_id, dispute.reason].filter((part) => part !== null);
  return (
    <div>
      <span className="line">
        <Badge tone={tones[dispute.status]}>{words.disputeStates[dispute.status]}</Badge>
        <Money minor={dispute.amount_minor} currency={dispute.currency} />
        <When at={dispute.told_at} long />
      </span>
      <span>{told.join(" · ")}</span>
      <span className="soft">{dispute.in_books ? words.disputeTexts[dispute.status] : words.disputeUnbooked}</span>
    </div>
  );
}
