import { Button } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/language.tsx";
import { usePlace } from "./price-rows.tsx";
import type { Price, Table } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";

interface RemoveProps {
  table: Table;
  price: Price;
  onRemove(): Promise<void>;
  onDone(): void;
}

/** Removes a price from the table after a confirmation. */
export function RemovePrice({ table, price, onRemove, onDone }: RemoveProps) {
  const words = useWords(priceWords);
  const place = usePlace();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isLast = table.prices.filter(({ channel }) => channel === price.channel).length === 1;
  const remove = async () => {
    setBusy(true);
    await onRemove().then(onDone, () => setBusy(false));
  };
  if (!isOpen)
    return (
      <div>
        <Button variant="subtle" color="failed" onClick={() => setOpen(true)}>
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
        <p>{isLast ? words.removeLast[price.channel] : words.removeText}</p>
        <div className="line">
          <Button color="failed" size="xs" loading={isBusy} onClick={() => void remove()}>
            {words.remove}
          </Button>
          <Button variant="default" size="xs" onClick={() => setOpen(false)}>
            {words.keep}
          </Button>
        </div>
      </div>
    </div>
  );
}
