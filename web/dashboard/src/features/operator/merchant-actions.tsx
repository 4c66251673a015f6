import { ActionIcon, Button, Menu, Select } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { tierWords } from "../../words/tiers.ts";
import { AskReason } from "./ask-reason.tsx";
import { operatorWords } from "./operator.words.ts";

type Merchant = Objects["MerchantOverview"];

/** An operator's decisions about a merchant as a whole. */
export function MerchantActions({ merchant }: { merchant: Merchant }) {
  const words = useWords(operatorWords);
  const all = useWords(shared);
  const [openDialog, setOpenDialog] = useState<"reject" | "tier" | null>(null);
  const action = useAction("POST /api/admin/merchants/{id}/verify", { success: words.verified });
  const verify = () => action.mutate({ path: { id: merchant.id } });
  const { verification_status: status } = merchant;
  return (
    <span className="line" style={{ flexWrap: "nowrap", justifyContent: "flex-end" }}>
      {status === "pending" ? (
        <Button size="xs" loading={action.isPending} onClick={verify} aria-label={all.about(words.verify, merchant.display_name)}>
          {words.verify}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            className="quiet-icon"
            size={36}
            aria-label={all.about(all.actions, merchant.display_name)}
          >
            <IconDots size={20} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === "rejected" ? <Menu.Item onClick={verify}>{words.verify}</Menu.Item> : null}
          {status === "rejected" ? null : <Menu.Item onClick={() => setOpenDialog("reject")}>{words.reject}</Menu.Item>}
          <Menu.Item onClick={() => setOpenDialog("tier")}>{words.changeTier}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {openDialog === "reject" ? (
        <AskReason
          route="POST /api/admin/merchants/{id}/reject"
          id={merchant.id}
          title={all.about(words.reject, merchant.display_name)}
          text={words.rejectText}
          does={words.reject}
          success={words.rejected}
          onClose={() => setOpenDialog(null)}
        />
      ) : null}
      {openDialog === "tier" ? <Tier merchant={merchant} onClose={() => setOpenDialog(null)} /> : null}
    </span>
  );
}

function Tier({ merchant, onClose }: { merchant: Merchant; onClose(): void }) {
  const words = useWords(operatorWords);
  const tiers = useWords(tierWords);
  const all = useWords(shared);
  const notify = useNotify();
  const [tier, setTier] = useState<string>(merchant.messaging_tier);
  const action = useAction("PATCH /api/admin/merchants/{id}", { onRefused: () => true });
  const change = async () => {
    await action.mutateAsync({ path: { id: merchant.id }, version: merchant.version, body: { messaging_tier: tier } });
    notify.done(all.saved);
  };
  const offered = (Object.keys(tiers) as (keyof typeof tiers)[]).map((value) => ({ value, label: tiers[value] }));
  return (
    <Ask
      title={all.about(words.changeTier, merchant.display_name)}
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
