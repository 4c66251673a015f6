import { Radio } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { ChooseOrder } from "../exceptions/choose-order.tsx";
import type { Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

interface AssignProps {
  receipt: Receipt;
  onAssign(receiptId: string, orderId: string): Promise<unknown>;
  onClose(): void;
}

/** The order that a transfer is for: one of the matches, or any other by what a person knows about it. */
export function AssignReceipt({ receipt, onAssign, onClose }: AssignProps) {
  const words = useWords(receiptWords);
  const fitting = receipt.suggestions.filter((one) => one.order_id !== null);
  const [order, setOrder] = useState<string | null>(null);
  const [searching, setSearching] = useState(fitting.length === 0);
  return (
    <Ask
      title={words.assignTitle}
      open
      onClose={onClose}
      does={words.link}
      disabled={order === null}
      onDo={() => onAssign(receipt.id, order ?? "")}
    >
      <p className="line">
        <Money minor={receipt.amount_minor} currency={receipt.currency} size={28} />
      </p>
      <p className="soft">
        <When at={receipt.occurred_at} /> {[receipt.payer_hint, receipt.remark].filter((part) => part !== null).join(" · ")}
      </p>
      {receipt.state === "final" ? null : <p className="ask-error">{words.notFinal[receipt.state]}</p>}
      {searching ? (
        <ChooseOrder exception={receipt} value={order} onChoose={setOrder} />
      ) : (
        <>
          <Radio.Group value={order} onChange={setOrder} label={words.fitting}>
            <div className="form" style={{ gap: 8, paddingTop: 6 }}>
              {fitting.map((one) => (
                <Radio
                  key={one.order_id}
                  value={one.order_id ?? ""}
                  label={one.order_reference ?? `…${one.order_id?.slice(-6)}`}
                  description={words.fits[one.fits]}
                />
              ))}
            </div>
          </Radio.Group>
          <button type="button" className="link-button" onClick={() => setSearching(true)}>
            {words.anotherOrder}
          </button>
        </>
      )}
    </Ask>
  );
}
