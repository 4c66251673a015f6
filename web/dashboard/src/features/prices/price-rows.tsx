import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useCountryName } from "../../parts/shown/country.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { decimalsOf, priceParts } from "../limits/values/amounts.ts";
import type { Price } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";

/** Others are found by searching: ten thousand rows would block the page. */
const maxShown = 300;

interface PriceRowsProps {
  prices: readonly Price[];
  currency: string;
  onEdit(price: Price): void;
}

export function PriceRows({ prices, currency, onEdit }: PriceRowsProps) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const shown = prices.slice(0, maxShown);
  const decimals = Math.max(...shown.map(({ price_micros }) => decimalsOf(price_micros)));
  if (prices.length === 0) return <p className="soft">{all.nothingFits}</p>;
  return (
    <>
      <div className="rows-frame">
        <table className="rows" aria-label={words.title}>
          <thead>
            <tr>
              <th scope="col">{words.destination}</th>
              <th scope="col">{words.channel}</th>
              <th scope="col" data-end>
                {words.price}
              </th>
              <th scope="col" data-end>
                {all.actions}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((price) => (
              <Row key={`${price.channel} ${price.destination}`} {...{ price, currency, decimals }} onEdit={() => onEdit(price)} />
            ))}
          </tbody>
        </table>
      </div>
      {prices.length > maxShown ? <p className="soft">{words.rest(prices.length - maxShown)}</p> : null}
    </>
  );
}

interface RowProps {
  price: Price;
  currency: string;
  /** The most decimals of any shown price: the points are aligned with each other. */
  decimals: number;
  onEdit(): void;
}

function Row({ price, currency, decimals, onEdit }: RowProps) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const place = usePlace();
  return (
    <tr>
      <td data-phone="title">{place(price.destination)}</td>
      <td data-phone="note">{words.channels[price.channel]}</td>
      <td data-end data-phone="amount">
        <Amount micros={price.price_micros} currency={currency} decimals={decimals} />
      </td>
      <td data-end data-phone="state">
        <ActionIcon
          variant="subtle"
          color="gray"
          className="quiet-icon"
          size={36}
          aria-label={all.about(words.edit, `${place(price.destination)}${all.comma}${words.channels[price.channel]}`)}
          onClick={onEdit}
        >
          <IconPencil size={18} stroke={1.5} />
        </ActionIcon>
      </td>
    </tr>
  );
}

/** A price, followed by as much empty space as its missing decimals would take. */
function Amount({ micros, currency, decimals }: { micros: number; currency: string; decimals: number }) {
  const { locale } = useLanguage();
  const [before, after] = priceParts(locale, micros, currency);
  return (
    <>
      {before}
      <span className="price-pad" aria-hidden="true">
        {"0".repeat(decimals - decimalsOf(micros))}
      </span>
      {after}
    </>
  );
}

/** A destination in the reader's words. */
export function usePlace(): (destination: string) => string {
  const words = useWords(priceWords);
  const name = useCountryName();
  return (destination) => {
    if (destination === "*") return words.everywhere;
    return /^\d/.test(destination) ? `+${destination}` : name(destination);
  };
}
