import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useCountryName } from "../../parts/shown/country.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { priceText } from "../limits/values/amounts.ts";
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
            {prices.slice(0, maxShown).map((price) => (
              <Row key={`${price.channel} ${price.destination}`} price={price} currency={currency} onEdit={() => onEdit(price)} />
            ))}
          </tbody>
        </table>
      </div>
      {prices.length > maxShown ? <p className="soft">{words.rest(prices.length - maxShown)}</p> : null}
    </>
  );
}

function Row({ price, currency, onEdit }: { price: Price; currency: string; onEdit(): void }) {
  const words = useWords(priceWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const place = usePlace();
  return (
    <tr>
      <td data-phone="title">{place(price.destination)}</td>
      <td data-phone="note">{words.channels[price.channel]}</td>
      <td data-end data-phone="amount">
        {priceText(locale, price.price_micros, currency)}
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

/** A destination in the reader's words. */
export function usePlace(): (destination: string) => string {
  const words = useWords(priceWords);
  const name = useCountryName();
  return (destination) => {
    if (destination === "*") return words.everywhere;
    return /^\d/.test(destination) ? `+${destination}` : name(destination);
  };
}
