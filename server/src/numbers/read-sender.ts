import { readTelephone } from "#messaging/index.ts";

/** A message's sender, as handsets show it. */
export interface Sender {
  value: string;
  kind: "number" | "alphanumeric" | "short_code";
}

const shortCode = /^[1-9]\d{2,7}$/;
/** Up to eleven characters, at least one of them a letter, so that it can't be mistaken for a number. */
const name = /^(?=[A-Za-z0-9 ]*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 ]{0,9}[A-Za-z0-9])?$/;

/** Parses a sender: a number in international form, a short code, or a name. null if it is invalid. */
export function readSender(text: string): Sender | null {
  if (text.startsWith("+")) {
    const found = readTelephone(text, { strict: false });
    return typeof found === "string" ? null : { value: found.number, kind: "number" };
  }
  if (readTelephone(text, { strict: false }) === "emergency_number") return null;
  if (shortCode.test(text)) return { value: text, kind: "short_code" };
  return name.test(text) ? { value: text, kind: "alphanumeric" } : null;
}
