/** One PDU as it was sent over the wire; `fromCarrier` specifies the direction. */
export interface WirePdu {
  fromCarrier: boolean;
  hex: string;
}

const enquiries = new Set([0x15, 0x80000015]);

/** Cuts a stream into PDUs by their lengths only, and passes on each as hexadecimal digits. */
export function cutPdus(each: (hex: string) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 16 && held.length >= held.readUInt32BE(0)) {
      const length = held.readUInt32BE(0);
      each(held.subarray(0, length).toString("hex"));
      held = held.subarray(length);
    }
  };
}

/** Whether a PDU is only a keep-alive, whose timing is random. */
export const isEnquiry = (hex: string) => enquiries.has(Number.parseInt(hex.slice(8, 16), 16));

export const sequenceOf = (hex: string) => hex.slice(24, 32);
