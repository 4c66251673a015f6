import type { Objects } from "../../../data/client.ts";
import { countOf, decimalOf, isMoney, microsOf } from "./amounts.ts";

export type Limits = Objects["MessagingLimits"];
export type Cap = keyof Limits["caps"];
export type QuietKind = keyof Limits["quiet_hours"];

export const quietKinds: readonly QuietKind[] = ["marketing", "transactional", "calls"];

/** What is written in the form: caps as texts, where empty is none. */
export interface Given {
  countries: string[];
  caps: Record<Cap, string>;
  quiet_hours: Limits["quiet_hours"];
}

/** Money is capped where there is a price table; elsewhere what is sent is. */
export function capsOf({ currency }: Pick<Limits, "currency">): Cap[] {
  if (currency !== null) return ["daily_spend_micros", "monthly_spend_micros", "calls_at_once"];
  return ["daily_segments", "monthly_segments", "daily_minutes", "monthly_minutes", "calls_at_once"];
}

/** Caps as their fields show them. */
export function capTexts(caps: Limits["caps"]): Given["caps"] {
  const written = Object.entries(caps).map(([name, value]) => [name, value === null ? "" : isMoney(name) ? decimalOf(value) : String(value)]);
  return Object.fromEntries(written) as Given["caps"];
}

/** What the form holds of the limits. */
export function givenOf({ countries, caps, quiet_hours }: Limits): Given {
  return { countries: countries ?? [], caps: capTexts(caps), quiet_hours };
}

/** null: none of the merchant's own. undefined: what was written is no number. */
export function readCap(name: Cap, text: string): number | null | undefined {
  if (text.trim() === "") return null;
  return (isMoney(name) ? microsOf(text) : countOf(text)) ?? undefined;
}
