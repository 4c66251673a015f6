/** The picture format according to the first bytes; names and Content-Type headers are ignored. */
export function detectFormat(head: Uint8Array): "jpeg" | "png" | "webp" | "heic" | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "png";
  const text = bytes.toString("latin1");
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (/^ftyp(heic|heix|hevc|mif1|msf1|heim|heis)$/.test(text.slice(4, 12))) return "heic";
  return null;
}
