import type { Objects } from "../../data/client.ts";
import { csvHead } from "../../parts/files/csv.ts";
import { decimalOf } from "../limits/values/amounts.ts";

export type Table = Objects["MessagePrices"];
export type Price = Table["prices"][number];

/** The server's maximum price, in millionths. */
export const priceMax = 1_000_000_000_000;

/** True if two prices are for the same destination and channel. */
export function isSame(one: Pick<Price, "channel" | "destination">, other: Pick<Price, "channel" | "destination">): boolean {
  return one.channel === other.channel && one.destination === other.destination;
}

/** The table with one price replaced or added; null removes it. */
export function withPrice(prices: readonly Price[], before: Price | null, after: Price | null): Price[] {
  const others = prices.filter((one) => !(before !== null && isSame(one, before)) && !(after !== null && isSame(one, after)));
  return after === null ? others : [...others, after];
}

/** In a format that can be imported again. */
export function csvOf(prices: readonly Price[]): string {
  const lines = prices.map(({ channel, destination, price_micros }) => `${channel},${destination},${decimalOf(price_micros)}\r\n`);
  return `${csvHead(["channel", "destination", "price"])}${lines.join("")}`;
}

/** Channels whose prices leave out some countries, where messages are then refused. */
export function channelsWithGaps(prices: readonly Price[]): Price["channel"][] {
  return (["sms", "call"] as const).filter((channel) => {
    const places = prices.filter((one) => one.channel === channel).map(({ destination }) => destination);
    return places.length > 0 && !places.includes("*");
  });
}
