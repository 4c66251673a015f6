/** A position in the write-ahead log as a number. */
export function parseLsn(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The same as PostgreSQL writes it. */
export function formatLsn(lsn: bigint): string {
  return [lsn >> 32n, lsn & 0xffffffffn].map((part) => part.toString(16).toUpperCase()).join("/");
}

/** The size of a write-ahead log file. */
export const segmentBytes = 16 * 1024 * 1024;

/** PostgreSQL's name of the write-ahead log file that contains this position. */
export function segmentName(timeline: number, lsn: bigint): string {
  const part = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return [BigInt(timeline), lsn >> 32n, (lsn & 0xffffffffn) / BigInt(segmentBytes)].map(part).join("");
}
