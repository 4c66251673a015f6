const tags: Readonly<Record<string, number>> = {
  receipted_message_id: 0x001e,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
};

type Fields = Readonly<Record<string, string | number | { hex: string }>>;

/** The bytes of a PDU, composed independently of the code under test. */
export function buildPdu(id: number, [status, sequence]: readonly [number, number], body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(16);
  for (const [index, value] of [16 + body.length, id, status, sequence].entries()) head.writeUInt32BE(value, index * 4);
  return Buffer.concat([head, body]);
}

const bytesOf = (value: string | number | { hex: string } | undefined): Buffer =>
  typeof value === "object" ? Buffer.from(value.hex, "hex") : Buffer.from(String(value ?? ""), "latin1");
const cString = (value: string | number | { hex: string } | undefined) => Buffer.concat([bytesOf(value), Buffer.alloc(1)]);

/** A deliver_sm of SMPP 3.4 with the fields of the same names; TLVs come last, in the order given. */
export function buildDeliver(fields: Fields, sequence = 1): Buffer {
  const byte = (name: string) => Buffer.from([Number(fields[name] ?? 0)]);
  const text = bytesOf(fields["short_message"]);
  const tlvs = Object.entries(fields).flatMap(([name, value]) => {
    const tag = tags[name];
    if (tag === undefined) return [];
    const head = Buffer.alloc(4);
    head.writeUInt16BE(tag, 0);
    head.writeUInt16BE(bytesOf(value).length, 2);
    return [head, bytesOf(value)];
  });
  const body = Buffer.concat([
    ...[Buffer.alloc(1), byte("source_addr_ton"), byte("source_addr_npi"), cString(fields["source_addr"])],
    ...[byte("dest_addr_ton"), byte("dest_addr_npi"), cString(fields["destination_addr"])],
    ...[byte("esm_class"), Buffer.alloc(2), Buffer.alloc(2), Buffer.alloc(2), byte("data_coding"), Buffer.alloc(1)],
    ...[Buffer.from([text.length]), text, ...tlvs],
  ]);
  return buildPdu(0x05, [0, sequence], body);
}
