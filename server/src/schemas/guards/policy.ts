import Type from "typebox";
import { type PolicyRow, type PriceTable, pricedChannels, pricesMax } from "#guards/index.ts";
import { instantOrNull, integer, oneOf, shape, strict, textOrNull } from "../fields/fields.ts";

const countryText = { type: "string", pattern: "^[A-Z]{2}$", "x-reason": "not_a_country" } as const;
const prefixText = { type: "string", pattern: "^[1-9][0-9]{0,14}$", "x-reason": "not_a_prefix" } as const;

/** Countries, in requests and responses. */
export const countryList = (description: string) =>
  Type.Unsafe<string[]>({ type: "array", items: countryText, maxItems: 250, description, examples: [["CN", "SG"]] });
export const countryListOrNull = (description: string) =>
  Type.Unsafe<string[] | null>({ type: ["array", "null"], items: countryText, maxItems: 250, description, examples: [["CN", "SG"]] });
const prefixList = (description: string) =>
  Type.Unsafe<string[]>({ type: "array", items: prefixText, maxItems: 1_000, description, examples: [["8816"]] });

const terms = {
  allowed_countries: countryListOrNull(
    "The only countries that LIVE SMS and calls can reach (ISO 3166-1 alpha-2); null for all that aren't denied.",
  ),
  denied_countries: countryList("Countries that no project can reach, even if it allows them."),
  denied_prefixes: prefixList("Leading digits of numbers that no project can reach, without the plus sign."),
  opened_prefixes: prefixList(
    "Leading digits of premium-rate, shared-cost and satellite numbers that can be reached anyway. Ranges outside any country, such as 8816, are then open to every project.",
  ),
};

export type PolicyShape = ReturnType<typeof showPolicy>;

export const policySchema = shape("MessagingPolicy", "Where all projects' LIVE SMS and calls can go.", {
  object: oneOf(["messaging_policy"], "Always `messaging_policy`."),
  ...terms,
  version: integer("Increases by one with every change."),
  updated_at: instantOrNull("When it was last updated."),
});

export const policyIn = strict(terms);

export function showPolicy({ allowed_countries, denied_countries, denied_prefixes, opened_prefixes, version, updated_at }: PolicyRow) {
  return {
    object: "messaging_policy" as const,
    allowed_countries,
    denied_countries,
    denied_prefixes,
    opened_prefixes,
    version,
    updated_at,
  };
}

const price = strict(
  {
    channel: oneOf(pricedChannels, "`sms`: priced per part. `call`: priced per minute or part of a minute."),
    destination: Type.String({
      pattern: "^([A-Z]{2}|[0-9]{1,15}|\\*)$",
      "x-reason": "not_a_destination",
      description: "A country, leading digits, or `*` for everywhere else. The longest match of leading digits wins, then the country.",
      examples: ["US"],
    }),
    price_micros: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      description: "The price in millionths of the currency unit: 0.0075 is 7500.",
      examples: [7500],
    }),
  },
  { description: "A price." },
);

export type PricesShape = ReturnType<typeof showPrices>;

export const pricesSchema = shape("MessagePrices", "What LIVE SMS and calls cost the operator. Spending caps count these prices.", {
  object: oneOf(["message_prices"], "Always `message_prices`."),
  currency: textOrNull("The currency of all prices; null without a price table, when parts and minutes are counted instead.", {
    examples: ["USD"],
  }),
  prices: Type.Array(price, { description: "All prices." }),
  version: integer("Increases by one with every change."),
  updated_at: instantOrNull("When it was last updated."),
});

export const pricesIn = strict({
  currency: Type.String({ minLength: 3, maxLength: 3, description: "The currency of all prices, ISO 4217.", examples: ["USD"] }),
  prices: Type.Optional(Type.Array(price, { maxItems: pricesMax, description: "All prices. An empty list removes the price table." })),
  csv: Type.Optional(
    Type.String({
      maxLength: 500_000,
      description: "The prices as CSV, with the columns `channel`, `destination` and `price` (a decimal).",
      examples: ["channel,destination,price\nsms,US,0.0075\ncall,*,0.04\n"],
    }),
  ),
});

export function showPrices({ currency, prices, version, updated_at }: PriceTable) {
  const rows = prices.map(({ channel, destination, price_micros }) => ({ channel, destination, price_micros }));
  return { object: "message_prices" as const, currency, prices: rows, version, updated_at };
}
