import type { OutgoingSms } from "#sms/index.ts";

/** Type of number (TON) and numbering plan (NPI) of an address in SMPP. */
export interface Numbering {
  ton: number;
  npi: number;
}

export interface Address extends Numbering {
  addr: string;
}

const international = 1;
const alphanumeric = 5;
const isdn = 1;

/** null if the sender doesn't fit an address field. */
export function sourceAddress({ value, kind }: OutgoingSms["from"], shortCodes: Numbering): Address | null {
  if (kind === "alphanumeric") return /^[\x20-\x7e]{1,20}$/.test(value) ? { ton: alphanumeric, npi: 0, addr: value } : null;
  const digits = digitsOf(value);
  if (digits === null) return null;
  return kind === "short_code" ? { ...shortCodes, addr: digits } : { ton: international, npi: isdn, addr: digits };
}

export function destinationAddress(to: string): Address | null {
  const digits = digitsOf(to);
  return digits === null ? null : { ton: international, npi: isdn, addr: digits };
}

function digitsOf(value: string): string | null {
  return /^\+?\d{1,20}$/.test(value) ? value.replace("+", "") : null;
}

/**
 * Returns an address as the API writes it. Carriers often leave the type of a number unknown: whether it has its country code then depends
 * on where it is from, so it stays as it is.
 */
export function spellAddress({ ton, addr }: Pick<Address, "ton" | "addr">): string {
  if (!/^\d+$/.test(addr) || addr.startsWith("+")) return addr;
  return ton === international ? `+${addr.replace(/^00/, "")}` : addr;
}
