import type { GatewayAdapter } from "../port.ts";
import type { Fields } from "../rows/secrets.ts";

/** Fields with those that were given anew in their place, as providers' pages show them: what was pasted loses the blanks around it, and what is empty or null is left out. */
export function trimFields({ manifest }: GatewayAdapter, before: Fields, given: Readonly<Record<string, string | null>>): Record<string, string> {
  const next = { ...before };
  for (const [name, value] of Object.entries(given)) {
    const isMultiline = manifest.fields.some((field) => field.name === name && field.multiline);
    const text = isMultiline ? (value ?? "").replaceAll("\r\n", "\n").trim() : (value ?? "").trim();
    if (text === "") delete next[name];
    else next[name] = text;
  }
  return next;
}
