import { isCountry } from "#messaging/index.ts";
import { type ErrorDetail, platformErrors } from "#platform/index.ts";
import { type PricedChannel, type PriceRow, pricedChannels } from "./prices.sql.ts";

/** A price table as it is sent: rows, or the text of a CSV file. */
export interface PricesInput {
  prices?: readonly PriceRow[];
  csv?: string;
}

export const pricesMax = 10_000;
const priceMax = 1_000_000;
const head = ["channel", "destination", "price"];

interface Read {
  rows: PriceRow[];
  faults: ErrorDetail[];
}

/** Reads a price table. Throws parameter_invalid, parameter_missing or parameter_conflict with all faults at once. */
export function readPrices({ prices, csv }: PricesInput): PriceRow[] {
  if (prices !== undefined && csv !== undefined)
    throw platformErrors.parameter_conflict({ param: "csv", reason: "only_one", message: "Send prices or csv, not both." });
  if (prices === undefined && csv === undefined)
    throw platformErrors.parameter_missing({ param: "prices", reason: "required", message: "Send prices or csv." });
  const { rows, faults } = csv === undefined ? readRows(prices ?? []) : readCsv(csv);
  const [first] = faults;
  if (first !== undefined)
    throw platformErrors.parameter_invalid({ param: first.param, message: first.message, details: faults.slice(0, 100) });
  if (rows.length > pricesMax)
    throw platformErrors.parameter_invalid({
      ...{ param: csv === undefined ? "prices" : "csv", reason: "too_many_prices", values: { max: pricesMax } },
      message: `A price table can have up to ${pricesMax} rows.`,
    });
  return rows;
}

function readRows(prices: readonly PriceRow[]): Read {
  const seen = new Set<string>();
  const faults = prices.flatMap((row, index) => {
    const fault = destinationFault(row.destination) ?? repeatFault(row, seen);
    return fault === null ? [] : [{ param: `prices[${index}].destination`, code: "parameter_invalid", ...fault }];
  });
  return { rows: [...prices], faults };
}

/** Cells contain no separators, so a line is split at each of them: `,`, `;` and tabs alike. */
function readCsv(text: string): Read {
  const read: Read = { rows: [], faults: [] };
  const seen = new Set<string>();
  for (const [index, written] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    const cells = written.split(/[,;\t]/).map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .trim(),
    );
    if (cells.every((cell) => cell === "") || (read.rows.length === 0 && cells.join() === head.join())) continue;
    const found = readLine(cells);
    const fault = "fault" in found ? found.fault : repeatFault(found, seen);
    if (fault === null && !("fault" in found)) read.rows.push(found);
    else if (fault !== null)
      read.faults.push({
        ...{ param: "csv", code: "parameter_invalid", reason: fault.reason },
        values: { ...fault.values, line: index + 1 },
        message: `Line ${index + 1}: ${fault.message}`,
      });
  }
  return read;
}

type Fault = Pick<ErrorDetail, "reason" | "message"> & { values?: Record<string, string | number> };

function readLine([channel = "", destination = "", price = "", ...more]: string[]): PriceRow | { fault: Fault } {
  if (more.length > 0 || price === "")
    return { fault: { reason: "not_a_price_row", message: "Each line needs a channel, a destination and a price." } };
  if (!isChannel(channel))
    return { fault: { reason: "not_a_channel", values: { value: channel }, message: "The channel must be sms or call." } };
  const place = destination.replace(/^\+/, "");
  const fault = destinationFault(place);
  if (fault !== null) return { fault };
  const price_micros = microsOf(price);
  if (price_micros === null)
    return {
      fault: {
        reason: "not_a_price",
        values: { value: price },
        message: `A price is a decimal such as 0.0075, with up to six places, below ${priceMax}.`,
      },
    };
  return { channel, destination: place, price_micros };
}

function isChannel(text: string): text is PricedChannel {
  return (pricedChannels as readonly string[]).includes(text);
}

function destinationFault(text: string): Fault | null {
  if (text === "*" || /^\d{1,15}$/.test(text) || isCountry(text)) return null;
  const message = "A destination is a country such as US, leading digits such as 1876, or * for everywhere else.";
  return { reason: "not_a_destination", values: { value: text }, message };
}

function repeatFault({ channel, destination }: PriceRow, seen: Set<string>): Fault | null {
  const name = `${channel} ${destination}`;
  if (seen.has(name))
    return { reason: "repeated", values: { value: destination }, message: `${destination} already has a price for ${channel}.` };
  seen.add(name);
  return null;
}

/** Millionths of a decimal text, exactly; null if it isn't one. */
export function microsOf(text: string): number | null {
  const [, whole, part = ""] = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const micros = Number(whole) * 1_000_000 + Number(part.padEnd(6, "0"));
  return micros < priceMax * 1_000_000 ? micros : null;
}
