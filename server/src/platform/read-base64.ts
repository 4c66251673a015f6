/**
 * The bytes, or null if the text isn't base64. Strict: Node's decoder skips unknown characters, so that half a file would be sent. In that
 * case fewer bytes come out than the length implies, which is detected without checking each of up to thirty million characters. Line
 * breaks are common and allowed; spaces within a line aren't, because many sentences would be base64 without them.
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
  // The decoder also accepts the base64url alphabet, and parts of other look-alike characters.
  if (text.includes("-") || text.includes("_") || Buffer.byteLength(text) !== text.length) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : null;
}
