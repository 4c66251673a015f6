import { ActionIcon, Button, Menu, Select, Textarea } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useAct, useList } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { type Column, Listing } from "../../parts/list-page.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { useSearch } from "../../parts/search.ts";
import { Badge, Status, useStatusText } from "../../parts/status.tsx";
import { When } from "../../parts/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { tierWords } from "../../words/tiers.ts";
import { operatorWords } from "./operator.words.ts";

type Merchant = Objects["MerchantOverview"];

interface Asking {
  merchant: Merchant;
  what: "reject" | "tier";
}

export default function MerchantsPage() {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const text = useStatusText();
  const { values } = useSearch();
  const list = useList<Merchant>("GET /api/admin/merchants", { query: { q: values["q"], status: values["status"] } });
  const [asking, setAsking] = useState<Asking | null>(null);
  const states = ["pending", "verified", "rejected"].map((value) => ({ value, label: text(value) }));
  return (
    <Page title={words.merchants}>
      <p className="soft">{words.merchantsText}</p>
      <Listing
        list={list}
        label={words.merchants}
        search={words.search}
        filters={[{ name: "status", label: all.status, options: states }]}
        idOf={(merchant) => merchant.id}
        columns={useColumns(setAsking)}
        empty={<Empty title={words.noMerchants} text={words.noMerchantsText} />}
      />
      {asking?.what === "reject" ? <Reject merchant={asking.merchant} onClose={() => setAsking(null)} /> : null}
      {asking?.what === "tier" ? <Tier merchant={asking.merchant} onClose={() => setAsking(null)} /> : null}
    </Page>
  );
}

function useColumns(onAsk: (asking: Asking) => void): Column<Merchant>[] {
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
        <span title={merchant.rejection_reason ?? undefined}>
          <Status status={merchant.verification_status} />
        </span>
      ),
    },
    { label: words.tier, show: (merchant) => <Badge tone="plain">{tiers[merchant.messaging_tier]}</Badge> },
    { label: words.projects, end: true, show: (merchant) => merchant.projects },
    { label: words.members, end: true, show: (merchant) => merchant.members },
    { label: all.created, end: true, show: (merchant) => <When at={merchant.created_at} /> },
    { label: all.actions, end: true, phone: "amount", show: (merchant) => <Acts merchant={merchant} onAsk={onAsk} /> },
  ];
}

function Acts({ merchant, onAsk }: { merchant: Merchant; onAsk(asking: Asking): void }) {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const act = useAct("POST /api/admin/merchants/{id}/verify", { says: words.verified });
  const verify = () => act.mutate({ path: { id: merchant.id } });
  const { verification_status: status } = merchant;
  return (
    <span className="line" style={{ flexWrap: "nowrap", justifyContent: "flex-end" }}>
      {status === "pending" ? (
        <Button size="xs" loading={act.isPending} onClick={verify} aria-label={`${words.verify}: ${merchant.display_name}`}>
          {words.verify}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" className="quiet-icon" size={36} aria-label={`${all.actions}: ${merchant.display_name}`}>
            <IconDots size={20} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === "rejected" ? <Menu.Item onClick={verify}>{words.verify}</Menu.Item> : null}
          {status === "rejected" ? null : <Menu.Item onClick={() => onAsk({ merchant, what: "reject" })}>{words.reject}</Menu.Item>}
          <Menu.Item onClick={() => onAsk({ merchant, what: "tier" })}>{words.changeTier}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

function Reject({ merchant, onClose }: { merchant: Merchant; onClose(): void }) {
  const words = useWords(operatorWords);
  const tell = useTell();
  const [reason, setReason] = useState("");
  const act = useAct("POST /api/admin/merchants/{id}/reject", { onRefused: () => true });
  const reject = async () => {
    await act.mutateAsync({ path: { id: merchant.id }, body: { reason: reason.trim() } });
    tell.done(words.rejected);
  };
  return (
    <Ask title={`${words.reject}: ${merchant.display_name}`} open onClose={onClose} does={words.reject} danger onDo={reject} disabled={reason.trim() === ""}>
      <p>{words.rejectText}</p>
      <Textarea
        label={words.reason}
        description={words.reasonHint}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Ask>
  );
}

function Tier({ merchant, onClose }: { merchant: Merchant; onClose(): void }) {
  const words = useWords(operatorWords);
  const tiers = useWords(tierWords);
  const all = useWords(shared);
  const tell = useTell();
  const [tier, setTier] = useState<string>(merchant.messaging_tier);
  const act = useAct("PATCH /api/admin/merchants/{id}", { onRefused: () => true });
  const change = async () => {
    await act.mutateAsync({ path: { id: merchant.id }, version: merchant.version, body: { messaging_tier: tier } });
    tell.done(all.saved);
  };
  const offered = (Object.keys(tiers) as (keyof typeof tiers)[]).map((value) => ({ value, label: tiers[value] }));
  return (
    <Ask
      title={`${words.changeTier}: ${merchant.display_name}`}
      open
      onClose={onClose}
      does={all.save}
      onDo={change}
      disabled={tier === merchant.messaging_tier}
    >
      <Select label={words.tier} data={offered} value={tier} onChange={(value) => setTier(value ?? tier)} allowDeselect={false} />
    </Ask>
  );
}
