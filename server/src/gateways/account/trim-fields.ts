import type { GatewayAdapter } from "../port.ts";
import type { Fields } from "../rows/secrets.ts";

/** Merges new values into fields, normalized: spaces around pasted text are trimmed, and empty or null values are removed. */
export function trimFields(
  { manifest }: GatewayAdapter,
  before: Fields,
  given: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const next = { ...before };
  for (const [name, value] of Object.entries(given)) {
    const isMultiline = manifest.fields.some((field) => field.name === name && field.multiline);
    const text = isMultiline ? (value ?? "").replaceAll("\r\n", "\n").trim() : (value ?? "").trim();
    if (text === "") delete next[name];
    else next[name] = text;
  }
  return next;
}
