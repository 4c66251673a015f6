import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useClosing } from "../../data/forms/use-closing.ts";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { decimalOf, microsOf, priceText } from "../limits/values/amounts.ts";
import { CurrencySelect } from "./currency-select.tsx";
import { usePlace } from "./price-rows.tsx";
import { isSame, type Price, priceMax, type Table, withPrice } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";
import { RemovePrice } from "./remove-price.tsx";

interface EditPriceProps {
  table: Table;
  /** null: a new one. */
  price: Price | null;
  /** What a new one is for, if that is known. */
  start?: PriceStart | undefined;
  onClose(): void;
}

export type PriceStart = Pick<Price, "channel" | "destination">;

/** One price of the table. The table is saved as a whole, without overwriting another operator's change. */
export function EditPrice({ table: current, price, start, onClose }: EditPriceProps) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const notify = useNotify();
  const [table] = useState(current);
  const [given, setGiven] = useState(() => givenOf(table, price ?? start ?? null));
  const closing = useClosing();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useAction("PUT /api/admin/message-prices", { onRefused: () => true });
  const read = readGiven(given);
  const write = async (after: Price | null) => {
    const body = { currency: given.currency, prices: withPrice(table.prices, price, after) };
    await action.mutateAsync({ version: table.version, body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    notify.done(words.saved);
  };
  const change = (fields: Partial<Given>) => {
    setGiven({ ...given, ...fields });
    setFaults({});
  };
  return (
    <Ask
      title={price === null ? words.add : words.edit}
      open
      onClose={onClose}
      does={price === null ? words.add : all.save}
      onDo={() => write(read).catch(closing)}
      disabled={read === null}
    >
      <Fields table={table} price={price} isStarted={start !== undefined} given={given} faults={faults} onChange={change} />
      {price === null ? null : <RemovePrice table={table} price={price} onRemove={() => write(null).catch(closing)} onDone={onClose} />}
    </Ask>
  );
}

/** As the fields show it. */
interface Given {
  channel: Price["channel"];
  destination: string;
  text: string;
  currency: string;
}

function givenOf({ currency }: Table, start: Price | PriceStart | null): Given {
  const { channel, destination } = start ?? { channel: "sms", destination: "" };
  const text = start !== null && "price_micros" in start ? decimalOf(start.price_micros) : "";
  return { channel, destination, text, currency: currency ?? "USD" };
}

/** null until it is a valid price. */
function readGiven({ channel, destination, text }: Given): Price | null {
  const [price_micros, place] = [amountOf(text), destination.trim().replace(/^\+/, "").toUpperCase()];
  return price_micros === null || place === "" ? null : { channel, destination: place, price_micros };
}

function amountOf(text: string): number | null {
  const amount = microsOf(text);
  return amount === null || amount > priceMax ? null : amount;
}

interface FieldsProps {
  table: Table;
  price: Price | null;
  /** True if only the price of a new one is missing. */
  isStarted: boolean;
  given: Given;
  faults: Record<string, string>;
  onChange(change: Partial<Given>): void;
}

function Fields({ table, price, isStarted, given, faults, onChange }: FieldsProps) {
  const words = useWords(priceWords);
  const { locale } = useLanguage();
  const place = usePlace();
  const read = readGiven(given);
  const replaced = read === null || (price !== null && isSame(price, read)) ? undefined : table.prices.find((one) => isSame(one, read));
  return (
    <>
      <Select
        label={words.channel}
        data={(["sms", "call"] as const).map((value) => ({ value, label: words.channels[value] }))}
        value={given.channel}
        onChange={(value) => onChange({ channel: value === "call" ? "call" : "sms" })}
        allowDeselect={false}
      />
      <TextInput
        label={words.destination}
        description={words.destinationHint}
        data-autofocus={price === null && !isStarted ? true : undefined}
        value={given.destination}
        error={Object.entries(faults).find(([param]) => param.endsWith(".destination"))?.[1]}
        onChange={(event) => onChange({ destination: event.currentTarget.value })}
      />
      <TextInput
        label={words.price}
        inputMode="decimal"
        rightSection={given.currency}
        rightSectionWidth={56}
        data-autofocus={isStarted ? true : undefined}
        value={given.text}
        error={given.text.trim() !== "" && amountOf(given.text) === null ? words.badPrice : undefined}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      {table.currency === null ? <CurrencySelect value={given.currency} onChange={(currency) => onChange({ currency })} /> : null}
      {replaced === undefined ? null : (
        <p className="note">{words.replaces(place(replaced.destination), priceText(locale, replaced.price_micros, given.currency))}</p>
      )}
    </>
  );
}
