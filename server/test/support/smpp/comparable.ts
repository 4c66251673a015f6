import { buildPdu } from "./build-pdu.ts";

const headerBit = 0x40;

/**
 * A submit_sm without what two senders of the same text are free to choose: sequence number, service type, validity, and the reference that
 * joins the parts of a long message. Kannel requests a receipt only for the first part; whether a later part requests one is left out as
 * well.
 */
export function comparableSubmit(body: Buffer): string {
  let at = 0;
  const cString = (): Buffer => {
    const end = body.indexOf(0, at) + 1;
    const bytes = body.subarray(at, end);
    at = end;
    return bytes;
  };
  const bytes = (count: number): Buffer => {
    at += count;
    return body.subarray(at - count, at);
  };
  cString();
  const addresses = [bytes(2), cString(), bytes(2), cString()];
  const esmClass = bytes(1);
  const [protocol, schedule] = [bytes(2), cString()];
  cString();
  const rest = Buffer.from(body.subarray(at));
  const hasHeader = (esmClass.readUInt8(0) & headerBit) !== 0;
  // registered_delivery, replace_if_present_flag, data_coding, sm_default_msg_id, sm_length; then 05 00 03 and the reference.
  if (hasHeader) rest.writeUInt8(0, 5 + 3);
  if (hasHeader && rest.readUInt8(5 + 5) > 1) rest.writeUInt8(1, 0);
  const none = Buffer.alloc(1);
  return buildPdu(0x04, [0, 0], Buffer.concat([none, ...addresses, esmClass, protocol, schedule, none, rest])).toString("hex");
}
