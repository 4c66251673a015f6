import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { tierWords } from "../../words/tiers.ts";
import { MerchantActions } from "./merchant-actions.tsx";
import { MerchantState } from "./merchant-state.tsx";
import { operatorWords } from "./operator.words.ts";

type Merchant = Objects["MerchantOverview"];

export default function MerchantsPage() {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const { values } = useSearch();
  const list = useList<Merchant>("GET /api/admin/merchants", { query: { q: values["q"], status: values["status"] } });
  const here = useHere();
  const states = Object.entries(words.states).map(([value, label]) => ({ value, label }));
  return (
    <Page title={words.merchants}>
      <p className="soft">{words.merchantsText}</p>
      <Listing
        list={list}
        label={words.merchants}
        search={words.search}
        filters={[{ name: "status", label: all.status, options: states }]}
        idOf={(merchant) => merchant.id}
        hrefOf={(merchant) => here.to(`/operator/merchants/${merchant.id}`)}
        columns={useColumns()}
        empty={<Empty title={words.noMerchants} text={words.noMerchantsText} />}
      />
    </Page>
  );
}

function useColumns(): Column<Merchant>[] {
  const words = useWords(operatorWords);
  const tiers = useWords(tierWords);
  const all = useWords(shared);
  return [
    {
      label: words.name,
      phone: "title",
      show: (merchant) => (
        <strong className="cut" title={merchant.id}>
          {merchant.display_name}
        </strong>
      ),
    },
    { label: words.owner, phone: "note", show: (merchant) => <span className="cut soft">{merchant.owner_email ?? "–"}</span> },
    {
      label: all.status,
      phone: "state",
      show: (merchant) => (
        <span className="line" title={merchant.rejection_reason ?? undefined}>
          <MerchantState status={merchant.verification_status} />
          {merchant.sending_suspended_at === null ? null : <Badge tone="failed">{words.suspended}</Badge>}
        </span>
      ),
    },
    { label: words.tier, show: (merchant) => <Badge tone="plain">{tiers[merchant.messaging_tier]}</Badge> },
    { label: words.projects, end: true, show: (merchant) => merchant.projects },
    { label: words.members, end: true, show: (merchant) => merchant.members },
    { label: all.created, end: true, show: (merchant) => <When at={merchant.created_at} /> },
    { label: all.actions, end: true, phone: "amount", show: (merchant) => <MerchantActions merchant={merchant} /> },
  ];
}
