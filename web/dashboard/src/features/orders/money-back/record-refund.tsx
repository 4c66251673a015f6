import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../../data/client.ts";
import { fieldErrors, useTell } from "../../../data/errors.tsx";
import { useZone } from "../../../data/here.tsx";
import { useAct } from "../../../data/queries.ts";
import { instantOf, minuteOf } from "../../../data/zone.ts";
import { Ask } from "../../../parts/ask.tsx";
import { Field } from "../../../parts/field.tsx";
import { useChannelChoices } from "../../../parts/gateways.ts";
import { amountText, moneyText, parseAmount } from "../../../parts/money.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { moneyBackWords } from "./money-back.words.ts";

type Order = Objects["Order"];

/** What an order received that has not gone back. */
export function refundableOf(order: Pick<Order, "status" | "amount_received_minor" | "amount_refunded_minor">): number {
  return order.status === "paid" ? order.amount_received_minor - order.amount_refunded_minor : 0;
}

/** Money that was paid back: how much, how, when, and why. */
export function RecordRefund({ order, onClose }: { order: Order; onClose(): void }) {
  const words = useWords(moneyBackWords);
  const all = useWords(shared);
  const zone = useZone();
  const { locale } = useLanguage();
  const { given, set, faults, minor, send } = useRefund(order);
  const field = (name: "amount" | "number" | "note", param: string) => ({
    value: given[name],
    error: faults[param],
    onWrite: (value: string) => set({ [name]: value }),
  });
  const amount = field("amount", "amount_minor");
  const money = (sum: number) => moneyText(locale, sum, order.currency);
  const does = minor === null ? words.refund : words.refundSum(money(minor));
  return (
    <Ask title={words.refund} open onClose={onClose} does={does} onDo={send} disabled={minor === null || given.at === ""}>
      <p className="soft">{words.refundText}</p>
      <Field
        label={`${words.amount} (${order.currency})`}
        description={words.left(money(refundableOf(order)))}
        inputMode="decimal"
        {...amount}
        error={minor === null ? all.badAmount : amount.error}
      />
      <ChooseChannel value={given.channel} error={faults["channel"]} onChoose={(channel) => set({ channel })} />
      <TextInput
        type="datetime-local"
        label={words.at}
        max={minuteOf(new Date(), zone)}
        value={given.at}
        error={faults["paid_back_at"]}
        onChange={(event) => set({ at: event.currentTarget.value })}
      />
      <Field
        label={`${words.number} (${all.optional})`}
        description={words.numberHint}
        maxLength={100}
        autoComplete="off"
        {...field("number", "external_transaction_id")}
      />
      <ChooseReason value={given.reason} onChoose={(reason) => set({ reason })} />
      <Field label={`${words.note} (${all.optional})`} description={words.noteHint} maxLength={500} {...field("note", "note")} />
    </Ask>
  );
}

interface Choosing {
  value: string | null;
  error?: string | undefined;
  onChoose(value: string | null): void;
}

function ChooseChannel({ value, error, onChoose }: Choosing) {
  const words = useWords(moneyBackWords);
  const channels = [...useChannelChoices(), ...Object.entries(words.channels).map(([one, label]) => ({ value: one, label }))];
  return <Select label={words.channel} data={channels} value={value} error={error} onChange={onChoose} allowDeselect={false} />;
}

function ChooseReason({ value, onChoose }: Choosing) {
  const words = useWords(moneyBackWords);
  const all = useWords(shared);
  return (
    <Select
      label={`${words.reason} (${all.optional})`}
      data={Object.entries(words.reasons).map(([one, label]) => ({ value: one, label }))}
      value={value}
      onChange={onChoose}
      clearable
    />
  );
}

/** What the reader gives, and the refund that it makes. */
function useRefund(order: Order) {
  const words = useWords(moneyBackWords);
  const zone = useZone();
  const tell = useTell();
  const { language } = useLanguage();
  const paidBy = (order.payment_sessions ?? []).find(({ status }) => status === "succeeded");
  const [given, setGiven] = useState({
    amount: amountText(refundableOf(order), order.currency),
    channel: (paidBy?.channel ?? null) as string | null,
    at: minuteOf(new Date(), zone),
    number: "",
    reason: null as string | null,
    note: "",
  });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const act = useAct("POST /api/v1/projects/{projectId}/orders/{id}/refunds", { onRefused: () => true });
  const minor = parseAmount(given.amount, order.currency);
  const send = async () => {
    const [number, note] = [given.number.trim(), given.note.trim()];
    const body = {
      method: "manual",
      amount_minor: minor,
      paid_back_at: instantOf(given.at, zone).toISOString(),
      ...(given.channel === null ? {} : { channel: given.channel }),
      ...(number === "" ? {} : { external_transaction_id: number }),
      ...(given.reason === null ? {} : { reason: given.reason }),
      ...(note === "" ? {} : { note }),
    };
    await act.mutateAsync({ path: { id: order.id }, body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    tell.done(words.recorded);
  };
  return { given, set: (change: Partial<typeof given>) => setGiven({ ...given, ...change }), faults, minor, send };
}
