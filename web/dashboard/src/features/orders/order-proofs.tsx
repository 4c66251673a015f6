import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ownAddress } from "../../parts/own-address.ts";
import { Section } from "../../parts/pages/page.tsx";
import { Badge, Status } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { reviewWords } from "../review/review.words.ts";
import "../review/review.css";
import { ZoomPicture } from "../review/zoom-picture.tsx";
import { orderWords } from "./orders.words.ts";

type Voucher = Objects["Voucher"];

/** The buyer's proofs, even long after the decision. */
export function OrderProofs({ vouchers }: { vouchers: Voucher[] }) {
  const words = useWords(orderWords);
  const [opened, setOpened] = useState<string | null>(null);
  if (vouchers.length === 0) return null;
  return (
    <Section title={words.proofs}>
      <ul className="order-proofs">
        {vouchers.map((voucher) => (
          <li key={voucher.id}>
            {voucher.asset_url === null ? null : (
              <UnstyledButton aria-label={words.seeProof} onClick={() => setOpened(voucher.asset_url)}>
                <img src={ownAddress(voucher.asset_url)} alt="" loading="lazy" />
              </UnstyledButton>
            )}
            <ProofText voucher={voucher} />
          </li>
        ))}
      </ul>
      <Dialog opened={opened !== null} onClose={() => setOpened(null)} title={words.proofs} size="lg">
        {opened === null ? null : <ZoomPicture src={ownAddress(opened)} />}
      </Dialog>
    </Section>
  );
}

function ProofText({ voucher }: { voucher: Voucher }) {
  const review = useWords(reviewWords);
  const flags = review.flag as Record<string, string>;
  const reason = voucher.rejection_reason;
  const parts = [voucher.transaction_reference, voucher.payer_name, voucher.note].filter((part) => part !== null && part !== "");
  return (
    <div>
      <span className="line">
        <Status status={voucher.status} />
        <When at={voucher.reviewed_at ?? voucher.created_at} long />
      </span>
      {parts.length === 0 ? null : <span>{parts.join(" · ")}</span>}
      {reason === null ? null : <span className="soft">{(review.reason as Record<string, string>)[reason] ?? reason}</span>}
      {voucher.risk_flags.map((flag) => (
        <Badge key={flag} tone="failed">
          {flags[flag] ?? flag}
        </Badge>
      ))}
    </div>
  );
}
