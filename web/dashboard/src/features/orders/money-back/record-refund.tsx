import { Radio, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError, type Objects } from "../../../data/client.ts";
import { fieldErrors, useNotify } from "../../../data/errors.tsx";
import { useZone } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { instantOf, minuteOf } from "../../../data/zone.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { Field } from "../../../parts/fields/field.tsx";
import { useChannelChoices, useProviderName, useSessionName } from "../../../parts/filters/gateways.ts";
import { amountText, moneyText, parseAmount } from "../../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { moneyBackWords } from "./money-back.words.ts";
import { useDisputes } from "./order-disputes.tsx";

type Order = Objects["Order"];
type Method = "gateway" | "manual";

/** What an order received that hasn't been refunded or disputed, and isn't being refunded. */
export function refundableOf(
  order: Pick<Order, "status" | "amount_received_minor" | "amount_refunded_minor" | "amount_disputed_minor" | "refunds">,
): number {
  if (order.status !== "paid") return 0;
  const pending = (order.refunds ?? []).filter(
    ({ status, exception_id }) => exception_id === null && status !== "succeeded" && status !== "failed",
  );
  return pending.reduce(
    (left, { amount_minor }) => left - amount_minor,
    order.amount_received_minor - order.amount_refunded_minor - order.amount_disputed_minor,
  );
}

/** The payment provider of an order's payment; null if it was paid to a receiving code. */
export function providerOf(order: Pick<Order, "payment_sessions">): string | null {
  return paidAt(order)?.gateway ?? null;
}

function paidAt({ payment_sessions }: Pick<Order, "payment_sessions">) {
  return (payment_sessions ?? []).find(({ status, method_data }) => status === "succeeded" && method_data.type === "gateway");
}

/** The provider refunds nothing while it decides about the same money; during an inquiry, it does. */
function useIsDisputed(order: Order): boolean {
  const paid = paidAt(order)?.id;
  return useDisputes(order).some(({ status, payment_session_id }) => status === "opened" && payment_session_id === paid);
}

/** A refund, through the payment's provider or made manually: how much, how, when, and why. */
export function RecordRefund({ order, onClose }: { order: Order; onClose(): void }) {
  const words = useWords(moneyBackWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const nameOf = useSessionName();
  const provider = paidAt(order);
  const name = provider === undefined ? "" : nameOf(provider);
  const { given, set, faults, minor, send } = useRefund(order);
  const { method } = given;
  const money = (sum: number) => moneyText(locale, sum, order.currency);
  const [plain, withSum] = method === "gateway" ? [words.give, words.giveSum] : [words.refund, words.refundSum];
  return (
    <Ask
      title={provider === undefined ? words.refund : words.give}
      open
      onClose={onClose}
      does={minor === null ? plain : withSum(money(minor))}
      onDo={send}
      say={(error) => refusalOf(error, (code) => words.refusedBy(name, code))}
      disabled={minor === null || (method === "manual" && given.at === "")}
    >
      {provider === undefined ? (
        <p className="soft">{words.refundText}</p>
      ) : (
        <ChooseMethod order={order} isDemo={provider.demo} name={name} value={method} onChoose={(value) => set({ method: value })} />
      )}
      <Field
        label={all.labeled(words.amount, order.currency)}
        description={words.left(money(refundableOf(order)))}
        inputMode="decimal"
        value={given.amount}
        error={minor === null ? all.badAmount : faults["amount_minor"]}
        onWrite={(amount) => set({ amount })}
      />
      {method === "manual" ? <HandFields given={given} faults={faults} set={set} /> : null}
      <ChooseReason value={given.reason} onChoose={(reason) => set({ reason })} />
      <Field
        label={all.optionally(words.note)}
        description={words.noteHint}
        maxLength={500}
        value={given.note}
        error={faults["note"]}
        onWrite={(note) => set({ note })}
      />
    </Ask>
  );
}

/** The provider's message, if the provider refused. */
function refusalOf(error: unknown, say: (code: string) => string): string | null {
  if (!(error instanceof ApiError) || error.code !== "gateway_error") return null;
  const code = error.fields["gateway_code"];
  return typeof code === "string" ? say(code) : null;
}

interface MethodProps {
  order: Order;
  isDemo: boolean;
  name: string;
  value: Method;
  onChoose(value: Method): void;
}

function ChooseMethod({ order, isDemo, name, value, onChoose }: MethodProps) {
  const words = useWords(moneyBackWords);
  const provider = useProviderName();
  const disputed = useIsDisputed(order);
  const text = disputed ? words.whileDisputed(provider(providerOf(order) ?? "")) : isDemo ? words.byDemoText : words.byProviderText;
  return (
    <Radio.Group value={value} onChange={(one) => onChoose(one === "gateway" ? "gateway" : "manual")} aria-label={words.how}>
      <div className="form">
        <Radio value="gateway" label={words.byProvider(name)} description={text} disabled={disputed} />
        <Radio value="manual" label={words.byHand} description={words.byHandText} />
      </div>
    </Radio.Group>
  );
}

interface Given {
  method: Method;
  amount: string;
  channel: string | null;
  at: string;
  number: string;
  reason: string | null;
  note: string;
}

interface Fields {
  given: Given;
  faults: Record<string, string>;
  set(change: Partial<Given>): void;
}

/** Fields that only the person who made the refund can fill in. */
function HandFields({ given, faults, set }: Fields) {
  const words = useWords(moneyBackWords);
  const all = useWords(shared);
  const zone = useZone();
  return (
    <>
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
        label={all.optionally(words.number)}
        description={words.numberHint}
        maxLength={100}
        autoComplete="off"
        value={given.number}
        error={faults["external_transaction_id"]}
        onWrite={(number) => set({ number })}
      />
    </>
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
      label={all.optionally(words.reason)}
      data={Object.entries(words.reasons).map(([one, label]) => ({ value: one, label }))}
      value={value}
      onChange={onChoose}
      clearable
    />
  );
}

/** The reader's input, and the refund that it results in. */
function useRefund(order: Order) {
  const words = useWords(moneyBackWords);
  const zone = useZone();
  const notify = useNotify();
  const { language } = useLanguage();
  const paidBy = (order.payment_sessions ?? []).find(({ status }) => status === "succeeded");
  const isDisputed = useIsDisputed(order);
  const [given, setGiven] = useState<Given>({
    method: providerOf(order) === null || isDisputed ? "manual" : "gateway",
    amount: amountText(refundableOf(order), order.currency),
    channel: (paidBy?.channel ?? null) as string | null,
    at: minuteOf(new Date(), zone),
    number: "",
    reason: null,
    note: "",
  });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction<Objects["Refund"]>("POST /api/v1/projects/{projectId}/orders/{id}/refunds", {
    once: true,
    onRefused: () => true,
  });
  const minor = parseAmount(given.amount, order.currency);
  const send = async () => {
    const refund = await action.mutateAsync({ path: { id: order.id }, body: bodyOf(given, { minor, zone }) }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(refund.method === "manual" ? words.recorded : (words.sent[refund.status] ?? words.recorded));
  };
  return { given, set: (change: Partial<Given>) => setGiven({ ...given, ...change }), faults, minor, send };
}

function bodyOf(
  { method, channel, at, ...given }: Given,
  { minor, zone }: { minor: number | null; zone: string | undefined },
): Record<string, unknown> {
  const [number, note] = [given.number.trim(), given.note.trim()];
  const byHand = {
    paid_back_at: instantOf(at, zone).toISOString(),
    ...(channel === null ? {} : { channel }),
    ...(number === "" ? {} : { external_transaction_id: number }),
  };
  return {
    method,
    amount_minor: minor,
    ...(method === "manual" ? byHand : {}),
    ...(given.reason === null ? {} : { reason: given.reason }),
    ...(note === "" ? {} : { note }),
  };
}
