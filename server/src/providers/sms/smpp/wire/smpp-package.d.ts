/** The part of the package that we use (its PDUs and tables), because it has no types. */
declare module "smpp" {
  class PDU {
    constructor(command: string | Buffer, fields?: Readonly<Record<string, unknown>>);
    readonly command: string;
    readonly command_id: number;
    readonly command_status: number;
    readonly sequence_number: number;
    toBuffer(): Buffer;
    _filter(direction: "encode" | "decode"): void;
  }
  const smpp: {
    PDU: typeof PDU & { maxLength: number };
    commandsById: Readonly<Record<number, { command: string }>>;
    gsmCoder: { GSM: { chars: string; extChars: string; escChars: string } };
  };
  export default smpp;
}
