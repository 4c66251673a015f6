import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useZone } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { instantOf, minuteOf } from "../../data/zone.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useCodesFor, useGatewayName } from "../../parts/filters/gateways.ts";
import { amountText, moneyText, parseAmount } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Outcome } from "../review/outcome.tsx";
import { approvalOf, expectedOf } from "../review/queue/expected.ts";
import type { Waiting } from "../review/queue/use-queue.ts";
import { reviewWords } from "../review/review.words.ts";
import { orderWords } from "./orders.words.ts";

/** A payment that the buyer never reported: which wallet received it, its number there, when, and how much. */
export function MarkPaid({ order, onClose }: { order: Waiting; onClose(): void }) {
  const words = useWords(orderWords);
  const zone = useZone();
  const review = useWords(reviewWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const { given, set, faults, minor, mark, expected } = useMark(order);
  const sum = minor === null ? words.markPaid : words.markPaidSum(moneyText(locale, minor, order.currency));
  const field = (name: "number" | "amount", param: string) => ({
    value: given[name],
    error: faults[param],
    onWrite: (value: string) => set({ [name]: value }),
  });
  const amount = field("amount", "received_amount_minor");
  return (
    <Ask
      title={words.markPaid}
      open
      onClose={onClose}
      does={sum}
      onDo={mark}
      disabled={given.gateway === null || minor === null || given.at === ""}
    >
      <p className="soft">{words.markPaidText}</p>
      <ChooseWallet order={order} value={given.gateway} error={faults["gateway"]} onChoose={(gateway) => set({ gateway })} />
      <Field
        label={all.optionally(review.number)}
        description={review.numberHint}
        maxLength={100}
        autoComplete="off"
        {...field("number", "external_transaction_id")}
      />
      <TextInput
        type="datetime-local"
        label={words.paidAt}
        max={minuteOf(new Date(), zone)}
        value={given.at}
        error={faults["paid_at"]}
        onChange={(event) => set({ at: event.currentTarget.value })}
      />
      <Field
        label={all.labeled(review.received, order.currency)}
        inputMode="decimal"
        {...amount}
        error={minor === null ? all.badAmount : amount.error}
      />
      <Outcome expected={expected} currency={order.currency} minor={minor} />
    </Ask>
  );
}

/** The reader's input, and the approval that it results in. */
function useMark(order: Waiting) {
  const words = useWords(orderWords);
  const zone = useZone();
  const notify = useNotify();
  const { language } = useLanguage();
  const expected = expectedOf(order);
  const [given, setGiven] = useState({
    gateway: triedBy(order)[0] ?? (null as string | null),
    number: "",
    at: minuteOf(new Date(), zone),
    amount: amountText(expected.requestedMinor, order.currency),
  });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction("POST /api/v1/projects/{projectId}/orders/{id}/verification", { onRefused: () => true });
  const minor = parseAmount(given.amount, order.currency);
  const mark = async () => {
    const number = given.number.trim();
    const transfer = {
      gateway: given.gateway,
      paid_at: instantOf(given.at, zone).toISOString(),
      ...(number === "" ? {} : { external_transaction_id: number }),
    };
    await action
      .mutateAsync({ path: { id: order.id }, body: { ...approvalOf(expected, minor ?? 0), ...transfer } })
      .catch((error: unknown) => {
        setFaults(fieldErrors(error, language));
        throw error;
      });
    notify.done(words.marked);
  };
  return { given, set: (change: Partial<typeof given>) => setGiven({ ...given, ...change }), faults, minor, mark, expected };
}

function triedBy(order: Waiting): string[] {
  return [...new Set((order.payment_sessions ?? []).map(({ gateway }) => gateway))];
}

/** If a payment was started, the money came through that. */
function ChooseWallet(given: { order: Waiting; value: string | null; error: string | undefined; onChoose(gateway: string | null): void }) {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const nameOf = useGatewayName();
  const codes = useCodesFor(given.order.currency);
  const tried = triedBy(given.order);
  return (
    <Select
      label={all.paymentMethod}
      placeholder={words.chooseChannel}
      data={(tried.length === 0 ? codes.map(({ slug }) => slug) : tried).map((value) => ({ value, label: nameOf(value) }))}
      value={given.value}
      error={given.error}
      onChange={given.onChoose}
      allowDeselect={false}
    />
  );
}
