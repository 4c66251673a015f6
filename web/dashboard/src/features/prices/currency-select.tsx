import { Select } from "@mantine/core";
import { currencies } from "../../data/currencies.ts";
import { useWords } from "../../words/language.tsx";
import { priceWords } from "./prices.words.ts";

interface CurrencySelectProps {
  value: string;
  onChange(currency: string): void;
}

/** The currency of the whole table. */
export function CurrencySelect({ value, onChange }: CurrencySelectProps) {
  const words = useWords(priceWords);
  return (
    <Select
      label={words.currency}
      data={[...new Set([value, ...currencies])]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? value)}
      allowDeselect={false}
      searchable
    />
  );
}
