import { Radio } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { Field } from "../../parts/fields/field.tsx";
import { moneyText } from "../../parts/shown/money.tsx";
import { useStatusText } from "../../parts/shown/status.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { exceptionWords } from "./exceptions.words.ts";

const typingMs = 200;
const offered = 6;
const waits = ["unpaid" as const, "pending_verify" as const, "expired" as const, "failed" as const];

interface Choice {
  /** What the order is searched by. */
  exception: Pick<Objects["PaymentException"], "currency" | "amount_minor">;
  value: string | null;
  onChoose(id: string): void;
}

/** Finds the order that money is for, by what a person knows about it. Orders with this amount come first, then the nearest amounts. */
export function ChooseOrder({ exception, value, onChoose }: Choice) {
  const words = useWords(exceptionWords);
  const { locale } = useLanguage();
  const text = useStatusText();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), typingMs);
  const currency = [exception.currency];
  const found = useApi("GET /api/v1/projects/{projectId}/orders", {
    query: q === "" ? { status: waits, currency, limit: 100 } : { q, currency, limit: 100 },
  });
  // Exact matches come before prefix matches.
  const rankOf = (order: { reference: string; amount_minor: number }) =>
    Number(order.reference === q) * 2 + Number(order.amount_minor === exception.amount_minor);
  const apart = (order: { amount_minor: number }) => Math.abs(order.amount_minor - exception.amount_minor);
  const orders = [...(found.data?.data ?? [])]
    .sort((left, right) => rankOf(right) - rankOf(left) || apart(left) - apart(right))
    .slice(0, offered);
  return (
    <>
      <Field label={words.forOrder} description={words.forOrderHint} type="search" value={typed} onWrite={setTyped} />
      <Radio.Group value={value} onChange={onChoose} label={words.forOrder} labelProps={{ className: "unseen" }}>
        <div className="form" style={{ gap: 8 }}>
          {orders.map((order) => (
            <Radio
              key={order.id}
              value={order.id}
              label={order.reference}
              description={[
                moneyText(locale, order.amount_minor, order.currency),
                text(order.status),
                order.customer.name ?? order.customer.email,
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            />
          ))}
          {orders.length === 0 && found.isSuccess ? <p className="soft">{words.noOrder}</p> : null}
        </div>
      </Radio.Group>
    </>
  );
}
