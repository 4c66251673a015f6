/**
 * The bytes, or null for what is not base64. Strict: Node's own decoder skips what it does not know, and half a file would be sent. Then fewer bytes come out than
 * the length promises, which shows without looking at each letter of what may be thirty million. Line breaks are usual and allowed; blanks within a line are not,
 * as many a sentence would be base64 without them.
 */
export function readBase64(text: string): Buffer | null {
  return readDense(text) ?? (/\s/.test(text) ? readDense(withoutBreaks(text)) : null);
}

function withoutBreaks(text: string): string {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join("");
}

function readDense(text: string): Buffer | null {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const length = text.length - padding;
  if (length === 0 || length % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return null;
  // The decoder takes the letters of base64url as well, and of others the half that looks like one.
  if (text.includes("-") || text.includes("_") || Buffer.byteLength(text) !== text.length) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : null;
}
