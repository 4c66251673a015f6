import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { currencies } from "../../data/currencies.ts";
import { fieldErrors, useTell } from "../../data/errors.tsx";
import { useAct } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { decimalOf, microsOf } from "../limits/amounts.ts";
import { usePlace } from "./price-rows.tsx";
import { type Price, type Table, withPrice } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";

interface EditPriceProps {
  table: Table;
  /** Null: a new one. */
  price: Price | null;
  onClose(): void;
}

/** One price of the table. The table is written as a whole, and not over another operator's change. */
export function EditPrice({ table, price, onClose }: EditPriceProps) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const tell = useTell();
  const [channel, setChannel] = useState<Price["channel"]>(price?.channel ?? "sms");
  const [destination, setDestination] = useState(price?.destination ?? "");
  const [text, setText] = useState(price === null ? "" : decimalOf(price.price_micros));
  const [currency, setCurrency] = useState(table.currency ?? "USD");
  const [faults, setFaults] = useState<Record<string, string>>({});
  const act = useAct("PUT /api/admin/message-prices", { onRefused: () => true });
  const amount = microsOf(text);
  const write = async (after: Price | null) => {
    const body = { currency, prices: withPrice(table.prices, price, after) };
    await act.mutateAsync({ version: table.version, body }).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    tell.done(words.saved);
  };
  const save = () => write({ channel, destination: destination.trim().replace(/^\+/, "").toUpperCase(), price_micros: amount ?? 0 });
  const placeFault = Object.entries(faults).find(([param]) => param.endsWith(".destination"))?.[1];
  return (
    <Ask
      title={price === null ? words.add : words.edit}
      open
      onClose={onClose}
      does={price === null ? words.add : all.save}
      onDo={save}
      disabled={amount === null || destination.trim() === ""}
    >
      <Select
        label={words.channel}
        data={(["sms", "call"] as const).map((value) => ({ value, label: words.channels[value] }))}
        value={channel}
        onChange={(value) => setChannel(value === "call" ? "call" : "sms")}
        allowDeselect={false}
      />
      <TextInput
        label={words.destination}
        description={words.destinationHint}
        data-autofocus={price === null ? true : undefined}
        value={destination}
        error={placeFault}
        onChange={(event) => setDestination(event.currentTarget.value)}
      />
      <TextInput
        label={words.price}
        inputMode="decimal"
        rightSection={currency}
        rightSectionWidth={56}
        value={text}
        error={text.trim() !== "" && amount === null ? words.badPrice : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {table.currency === null || table.prices.length === 0 ? (
        <Select
          label={words.currency}
          data={[...new Set([currency, ...currencies])]}
          value={currency}
          onChange={(value) => setCurrency(value ?? currency)}
          allowDeselect={false}
          searchable
        />
      ) : null}
      {price === null ? null : <Remove price={price} onRemove={() => write(null)} onDone={onClose} />}
    </Ask>
  );
}

/** Takes a price out of the table, once more asked for. */
function Remove({ price, onRemove, onDone }: { price: Price; onRemove(): Promise<void>; onDone(): void }) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const place = usePlace();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await onRemove().then(onDone, () => setBusy(false));
  };
  if (!isAsking)
    return (
      <div>
        <Button variant="subtle" color="failed" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      </div>
    );
  return (
    <div className="note" data-tone="failed" role="status">
      <div>
        <p>
          <strong>{words.removeTitle(place(price.destination))}</strong>
        </p>
        <p>{words.removeText}</p>
        <div className="line">
          <Button color="failed" size="xs" loading={isBusy} onClick={() => void remove()}>
            {words.remove}
          </Button>
          <Button variant="default" size="xs" onClick={() => setAsking(false)}>
            {all.cancel}
          </Button>
        </div>
      </div>
    </div>
  );
}
