import type { Objects } from "../../../data/client.ts";
import { countOf, decimalOf, isMoney, microsOf } from "./amounts.ts";

export type Limits = Objects["MessagingLimits"];
export type Cap = keyof Limits["caps"];
export type QuietKind = keyof Limits["quiet_hours"];

export const quietKinds: readonly QuietKind[] = ["marketing", "transactional", "calls"];

/** The form's texts: caps as texts, where empty means none. */
export interface Given {
  countries: string[];
  caps: Record<Cap, string>;
  quiet_hours: Limits["quiet_hours"];
}

/** The names of caps: money if there is a price table; otherwise what is sent. */
export function capsOf({ currency }: Pick<Limits, "currency">): Cap[] {
  if (currency !== null) return ["daily_spend_micros", "monthly_spend_micros", "calls_at_once"];
  return ["daily_segments", "monthly_segments", "daily_minutes", "monthly_minutes", "calls_at_once"];
}

/** Caps as their fields show them. */
export function capTexts(caps: Limits["caps"]): Given["caps"] {
  const written = Object.entries(caps).map(([name, value]) => [
    name,
    value === null ? "" : isMoney(name) ? decimalOf(value) : String(value),
  ]);
  return Object.fromEntries(written) as Given["caps"];
}

/** The form's content for the limits. */
export function givenOf({ countries, caps, quiet_hours }: Limits): Given {
  return { countries: countries ?? [], caps: capTexts(caps), quiet_hours };
}

/** null: the merchant sets none. undefined: the text isn't a number. */
export function readCap(name: Cap, text: string): number | null | undefined {
  if (text.trim() === "") return null;
  return (isMoney(name) ? microsOf(text) : countOf(text)) ?? undefined;
}
