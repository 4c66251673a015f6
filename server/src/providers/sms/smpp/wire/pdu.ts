import smpp from "smpp";

export const headBytes = 16;
/** The longest PDU that the package decodes. */
export const longestPdu = smpp.PDU.maxLength;

export interface Head {
  length: number;
  id: number;
  status: number;
  sequence: number;
}

/** A PDU as received. Absent fields are undefined; texts and payloads are bytes. */
export interface Pdu {
  command: string;
  status: number;
  sequence: number;
  number(field: string): number | undefined;
  text(field: string): string | undefined;
  bytes(field: string): Buffer | undefined;
}

/**
 * The package converts texts by its own reading of an alphabet, which loses bytes: it takes IA5 for GSM-7 and drops every septet that it
 * doesn't know. Without its filters a PDU has the bytes of the wire.
 */
class PlainPdu extends smpp.PDU {
  override _filter(): void {
    // Bytes stay as they are, in both directions.
  }
}

export function readHead(bytes: Buffer): Head {
  return { length: bytes.readUInt32BE(0), id: bytes.readUInt32BE(4), status: bytes.readUInt32BE(8), sequence: bytes.readUInt32BE(12) };
}

export const isResponse = ({ id }: Pick<Head, "id">) => id >= 0x80000000;

/** The name of a command; null for one that SMPP 3.4 doesn't have. */
export const commandOf = ({ id }: Pick<Head, "id">) => smpp.commandsById[id]?.command ?? null;

export interface Outgoing {
  command: string;
  sequence: number;
  status?: number;
  fields?: Readonly<Record<string, string | number | Buffer>>;
}

/** Encodes a PDU. Texts in `fields` must be ASCII. */
export function encodePdu({ command, sequence, status = 0, fields = {} }: Outgoing): Buffer {
  return new PlainPdu(command, { ...fields, sequence_number: sequence, command_status: status }).toBuffer();
}

/** null if the bytes aren't a whole PDU of the command in their header. */
export function decodePdu(bytes: Buffer): Pdu | null {
  try {
    const pdu = new PlainPdu(bytes);
    const fields = pdu as unknown as Readonly<Record<string, unknown>>;
    const of = <T>(field: string, fits: (value: unknown) => value is T) => (fits(fields[field]) ? (fields[field] as T) : undefined);
    return {
      command: pdu.command,
      status: pdu.command_status,
      sequence: pdu.sequence_number,
      number: (field) => of(field, (value) => typeof value === "number"),
      text: (field) => of(field, (value) => typeof value === "string"),
      bytes: (field) => of(field, (value) => Buffer.isBuffer(value)),
    };
  } catch {
    return null;
  }
}
