import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { type Fact, Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { useCountryName } from "../../parts/shown/country.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { tierWords } from "../../words/tiers.ts";
import { MerchantActions } from "./merchant-actions.tsx";
import { MerchantProjects } from "./merchant-projects.tsx";
import { MerchantState } from "./merchant-state.tsx";
import { operatorWords } from "./operator.words.ts";
import { SendingCard } from "./sending-card.tsx";

type Merchant = Objects["MerchantOverview"];

/** There is no event for another operator's decision. */
const lookMs = 10_000;

export default function MerchantPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(operatorWords);
  const here = useHere();
  const read = useApi("GET /api/admin/merchants/{id}", { path: { id }, every: lookMs });
  const merchant = read.data;
  return (
    <Page
      title={merchant?.display_name ?? words.merchant}
      aside={merchant === undefined ? null : <MerchantState status={merchant.verification_status} />}
      actions={merchant === undefined ? null : <MerchantActions merchant={merchant} />}
      back={
        <Link to={here.to("/operator/merchants")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.merchants}
        </Link>
      }
    >
      <Loaded read={read}>{(loaded) => <Body merchant={loaded} />}</Loaded>
    </Page>
  );
}

function Body({ merchant }: { merchant: Merchant }) {
  return (
    <>
      <SendingCard merchant={merchant} />
      <Facts facts={useFacts(merchant)} />
      <MerchantProjects merchantId={merchant.id} />
    </>
  );
}

function useFacts(merchant: Merchant): (Fact | null)[] {
  const words = useWords(operatorWords);
  const tiers = useWords(tierWords);
  const all = useWords(shared);
  const nameOf = useCountryName();
  const { country, rejection_reason, verified_at, owner_email } = merchant;
  return [
    { label: words.owner, value: owner_email === null ? "–" : <Copyable text={owner_email} /> },
    country === null ? null : { label: words.country, value: nameOf(country) },
    verified_at === null ? null : { label: words.verifiedAt, value: <When at={verified_at} long /> },
    rejection_reason === null ? null : { label: words.rejectedFor, value: rejection_reason },
    { label: words.tier, value: tiers[merchant.messaging_tier] },
    { label: words.projects, value: merchant.projects },
    { label: words.members, value: merchant.members },
    { label: all.id, value: <Copyable text={merchant.id} /> },
    { label: all.created, value: <When at={merchant.created_at} long /> },
  ];
}
