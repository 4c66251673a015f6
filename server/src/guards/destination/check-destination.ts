import type { Add, Telephone, Why } from "#messaging/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { Caps } from "../limits/caps.ts";
import { capsOf } from "../limits/find-limits.ts";
import { findLimitsRow, type ProjectLimits } from "../limits/limits.sql.ts";
import { isAllowed, listCountries } from "../limits/list-countries.ts";
import { findPriceRow, type PricedChannel } from "../prices/prices.sql.ts";

/** The limits of the project of a LIVE message or call; null in TEST, where nothing is sent. */
export type Guard = ProjectLimits | null;

export async function findGuard(ctx: Pick<Ctx, "db">, tenant: Tenant): Promise<Guard> {
  if (!tenant.livemode) return null;
  const limits = await findLimitsRow(ctx.db, tenant.project_id);
  if (limits === null) throw platformErrors.resource_missing();
  return limits;
}

interface DestinationCheck {
  channel: PricedChannel;
  to: Telephone;
  add: Add;
}

/** What a message or call to an allowed number counts against. */
export interface Admitted {
  /** The price of a unit; null if there is no price table. */
  price_micros: number | null;
  currency: string | null;
  caps: Caps;
}

const noPrices = { price_micros: null, has_prices: false };

/** Checks if a project may send to or call a number in LIVE; `add` gets the reason if not. */
export async function checkDestination(
  ctx: Pick<Ctx, "db" | "guards">,
  limits: ProjectLimits,
  { channel, to, add }: DestinationCheck,
): Promise<Admitted> {
  const { country, number } = to;
  const refuse = (why: Why) => add("to", "country_not_allowed", { values: { value: country }, ...why });
  const { price_micros, has_prices } =
    limits.currency === null ? noPrices : await findPriceRow(ctx.db, { channel, destinations: destinationsOf(to) });
  const closed = closedBy(limits, to);
  const paused = closed === null ? pausedRange(limits, { channel, number }) : null;
  if (closed === "operator")
    refuse({ reason: "denied_by_operator", message: `The operator doesn't allow messages and calls to ${placeOf(to)}.` });
  else if (closed === "project")
    refuse({
      reason: "country_not_allowed",
      message: `This project isn't allowed to reach ${country}. Add the country to its messaging limits.`,
    });
  else if (has_prices && price_micros === null)
    refuse({ reason: "no_price", values: { value: number }, message: `The operator's price table has no price for ${placeOf(to)}.` });
  else if (paused !== null)
    refuse({
      reason: "prefix_paused",
      values: { value: paused },
      message: `Messages and calls to +${paused} are paused for this project because the traffic looked like abuse. An owner, admin or operator can release the range.`,
    });
  return { price_micros, currency: limits.currency, caps: capsOf(ctx, limits) };
}

function pausedRange({ paused }: ProjectLimits, { channel, number }: { channel: string; number: string }): string | null {
  return paused.find((range) => range.channel === channel && number.startsWith(range.prefix, 1))?.prefix ?? null;
}

/** Who blocks a number; null if it may be reached. */
function closedBy(limits: ProjectLimits, { country, number }: Telephone): "operator" | "project" | null {
  const { policy } = limits;
  if (startsWithOne(number, policy.denied_prefixes)) return "operator";
  // Belongs to no country: only an operator can open it.
  if (country === "ZZ") return startsWithOne(number, policy.opened_prefixes) ? null : "project";
  if (!isAllowed(policy, country)) return "operator";
  return listCountries(limits).includes(country) ? null : "project";
}

function startsWithOne(number: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => number.startsWith(prefix, 1));
}

function placeOf({ country, number }: Telephone): string {
  return country === "ZZ" ? number : country;
}

/** The keys for finding a price: the longest prefix of the number first, then its country, then everywhere. */
function destinationsOf({ country, number }: Telephone): string[] {
  return [...prefixesOf(number), country, "*"];
}

/** All prefixes of a number, in digits, the longest first. */
function prefixesOf(number: string): string[] {
  const digits = number.slice(1);
  return Array.from(digits, (_digit, index) => digits.slice(0, digits.length - index));
}
