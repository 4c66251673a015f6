/**
 * A typed recipient as verifications store it: numbers without spaces and with their plus sign, addresses in lower case. Undefined if
 * nothing was typed.
 */
export function recipientOf(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? "";
  if (text === "") return undefined;
  if (text.includes("@")) return text.toLowerCase();
  const digits = text.replace(/[\s().-]/g, "");
  return /^\d+$/.test(digits) ? `+${digits}` : digits;
}
