import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useHere, useZone } from "../../data/here.tsx";
import { useOnce } from "../../data/once.ts";
import { refresh } from "../../data/queries.ts";
import { instantOf, minuteOf } from "../../data/zone.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useChannelChoices, useChannelCurrency } from "../../parts/filters/gateways.ts";
import { moneyText, parseAmount } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { receiptWords } from "./receipts.words.ts";

type Receipt = Objects["Receipt"];

const blank = { channel: "", amount: "", external_id: "", payer_hint: "", remark: "" };

type Given = typeof blank;

/** Money that a person saw in the wallet: matched like a line of a statement. */
export function RecordReceipt({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(receiptWords);
  const all = useWords(shared);
  const [given, setGiven] = useState<Given>(blank);
  const { locale } = useLanguage();
  const { choices, channel, currency } = useChosen(given.channel);
  const zone = useZone();
  const [arrived, setArrived] = useState(() => minuteOf(new Date(), zone));
  const { faults, record } = useRecord();
  const minor = parseAmount(given.amount, currency);
  const field = (name: keyof Given) => ({
    value: given[name],
    error: faults[name],
    onWrite: (value: string) => setGiven({ ...given, [name]: value }),
  });
  const amountFault = given.amount !== "" && minor === null ? all.badAmount : faults["amount_minor"];
  const send = () => record(bodyOf({ ...given, channel }, minor ?? 0, instantOf(arrived, zone))).then(() => setGiven(blank));
  return (
    <Ask
      title={words.recordTitle}
      open={open}
      onClose={onClose}
      does={minor === null ? words.record : words.recordSum(moneyText(locale, minor, currency))}
      onDo={send}
      say={useKnownText()}
      disabled={minor === null || arrived === ""}
    >
      <p className="soft">{words.recordText}</p>
      <Select
        label={all.paymentMethod}
        data={choices}
        value={channel}
        onChange={(chosen) => setGiven({ ...given, channel: chosen ?? channel })}
        allowDeselect={false}
      />
      <Field
        label={all.labeled(all.amount, currency)}
        inputMode="decimal"
        placeholder="99.00"
        data-autofocus
        {...field("amount")}
        error={amountFault}
      />
      <ArrivedField value={arrived} error={faults["occurred_at"]} onWrite={setArrived} />
      <Field label={all.optionally(words.number)} description={words.numberHint} maxLength={64} {...field("external_id")} />
      <Field label={all.optionally(words.payer)} maxLength={200} {...field("payer_hint")} />
      <Field label={all.optionally(words.remark)} maxLength={200} {...field("remark")} />
    </Ask>
  );
}

interface ArrivedProps {
  value: string;
  error: string | undefined;
  onWrite(value: string): void;
}

/** When the money arrived, on the project's clock. */
function ArrivedField({ value, error, onWrite }: ArrivedProps) {
  const words = useWords(receiptWords);
  return (
    <TextInput
      type="datetime-local"
      label={words.arrived}
      max={minuteOf(new Date(), useZone())}
      value={value}
      error={error}
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  );
}

/** The transfer was recorded before, so nothing was added. */
class AlreadyThere extends Error {
  readonly receipt: Receipt;

  constructor(receipt: Receipt) {
    super("already recorded");
    this.receipt = receipt;
  }
}

/** Records the transfer once and says what became of it; keeps what is wrong with which field. Throws AlreadyThere. */
function useRecord() {
  const words = useWords(receiptWords);
  const { language } = useLanguage();
  const here = useHere();
  const queries = useQueryClient();
  const notify = useNotify();
  const once = useOnce();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const record = async (body: Record<string, unknown>) => {
    const response = await once({ path: { projectId: here.project.id }, body }, (input) =>
      here.client.open("POST /api/v1/projects/{projectId}/receipts", input),
    ).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setFaults({});
    void refresh(queries, here);
    const made = (await response.json()) as Receipt;
    if (response.status !== 201) throw new AlreadyThere(made);
    notify.done(made.exception_id === null ? words.became[made.status] : words.becameException);
  };
  return { faults, record };
}

/** What is already there, and how to add another transfer that looks the same. */
function useKnownText() {
  const words = useWords(receiptWords);
  const { locale } = useLanguage();
  const zone = useZone();
  return (error: unknown): string | null => {
    if (!(error instanceof AlreadyThere)) return null;
    const { amount_minor, currency, occurred_at, external_id } = error.receipt;
    const at = minuteOf(new Date(occurred_at), zone).replace("T", " ");
    return words[external_id === null ? "knownAlike" : "knownNumber"](moneyText(locale, amount_minor, currency), at);
  };
}

/** The first channel, until the reader chooses another. */
function useChosen(chosen: string) {
  const choices = useChannelChoices();
  const channel = chosen === "" ? (choices[0]?.value ?? "") : chosen;
  return { choices, channel, currency: useChannelCurrency(channel) };
}

function bodyOf({ channel, external_id, payer_hint, remark }: Given, amount_minor: number, arrived: Date): Record<string, unknown> {
  const texts = Object.entries({ external_id, payer_hint, remark }).map(([name, text]) => [name, text.trim()] as const);
  const occurred_at = arrived.toISOString();
  return { channel, amount_minor, occurred_at, ...Object.fromEntries(texts.filter(([, text]) => text !== "")) };
}
