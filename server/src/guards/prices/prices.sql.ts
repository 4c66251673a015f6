import type { Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** What has a price: a segment of an SMS, a started minute of a call. */
export const pricedChannels = ["sms", "call"] as const;
export type PricedChannel = (typeof pricedChannels)[number];

export interface PriceRow {
  channel: PricedChannel;
  /** A country, a prefix of numbers in digits, or `*` for all others. */
  destination: string;
  /** Millionths of the currency's unit. */
  price_micros: number;
}

export interface PriceListRow {
  /** null: there is no price table. */
  currency: string | null;
  version: number;
  updated_at: Date | null;
}

export async function findPriceList(db: Db): Promise<PriceListRow> {
  const [row] = await sql(db)<PriceListRow>`select currency, version, updated_at from message_price_list where singleton`;
  return row as PriceListRow;
}

export async function lockPriceList(tx: Tx): Promise<PriceListRow> {
  const [row] = await sql(tx)<PriceListRow>`select currency, version, updated_at from message_price_list where singleton for update`;
  return row as PriceListRow;
}

export async function listPrices(db: Db): Promise<PriceRow[]> {
  return sql(db)<PriceRow>`select channel, destination, price_micros from message_prices order by channel desc, destination`;
}

/** Replaces the whole table. */
export async function updatePrices(
  tx: Tx,
  { currency, prices }: { currency: string | null; prices: readonly PriceRow[] },
): Promise<PriceListRow> {
  await sql(tx)`delete from message_prices`;
  await sql(tx)`
    insert into message_prices (channel, destination, price_micros)
    select * from unnest(${prices.map((one) => one.channel)}::text[], ${prices.map((one) => one.destination)}::text[],
      ${prices.map((one) => one.price_micros)}::bigint[])`;
  const [row] = await sql(tx)<PriceListRow>`
    update message_price_list set currency = ${currency}, version = version + 1, updated_at = app_now() where singleton
    returning currency, version, updated_at`;
  return row as PriceListRow;
}

/**
 * The price of a unit at the first of some destinations that has one; null if none has. `has_prices` is false if the channel has no price
 * at all.
 */
export async function findPriceRow(
  db: Db,
  { channel, destinations }: { channel: PricedChannel; destinations: readonly string[] },
): Promise<{ price_micros: number | null; has_prices: boolean }> {
  const [row] = await sql(db)<{ price_micros: number | null; has_prices: boolean }>`
    select exists (select from message_prices where channel = ${channel}) as has_prices, (
      select p.price_micros from unnest(${[...destinations]}::text[]) with ordinality as wanted (destination, place)
      join message_prices p on p.channel = ${channel} and p.destination = wanted.destination
      order by wanted.place limit 1) as price_micros`;
  return row as { price_micros: number | null; has_prices: boolean };
}

/** Money that was counted without its currency is in the one that the price table has until now. */
export async function updateUnnamedCurrency(tx: Tx, currency: string): Promise<void> {
  await sql(tx)`
    -- all tenants: one price table for all
    update message_spending s set currency = ${currency} from (
      select project_id, livemode, measure, period from message_spending where measure = 'spend_micros' and currency is null
      order by project_id, livemode, length(period) desc, period for no key update) held
    where s.project_id = held.project_id and s.livemode = held.livemode and s.measure = held.measure and s.period = held.period`;
  await sql(tx)`
    -- all tenants: one price table for all
    update message_charges set currency = ${currency} where measure = 'spend_micros' and currency is null and not settled`;
}
