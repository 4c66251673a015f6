/** A place in the write-ahead log as a number. */
export function parseLsn(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The write-ahead log is kept in files of this size. */
export const segmentBytes = 16 * 1024 * 1024;

/** What PostgreSQL calls the file of its write-ahead log that holds this place. */
export function segmentName(timeline: number, lsn: bigint): string {
  const part = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return [BigInt(timeline), lsn >> 32n, (lsn & 0xffffffffn) / BigInt(segmentBytes)].map(part).join("");
}
