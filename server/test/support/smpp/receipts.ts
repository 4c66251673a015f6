import type { SmsReceipt } from "#sms/index.ts";

type Fields = Record<string, string | number | { hex: string }>;
type Read = Omit<SmsReceipt, "provider">;

/** A receipt as a carrier sends it: from the number that the message went to. */
export function receiptOf(fields: Fields): Fields {
  return { esm_class: 0x04, source_addr_ton: 1, source_addr_npi: 1, source_addr: "15551230001", destination_addr: "15550100", ...fields };
}

const at = new Date("2026-11-24T10:31:00.000Z");
const usual = (id: string, stat: string, err: string) =>
  `id:${id} sub:001 dlvrd:001 submit date:2611241030 done date:2611241031 stat:${stat} err:${err} text:Hi`;
const read = (
  provider_message_id: string,
  state: Read["state"],
  [code, provider_code]: [string | null, string | null] = [null, null],
): Read => ({
  provider_message_id,
  state,
  code,
  provider_code,
  occurred_at: at,
});
const cString = (text: string) => ({ hex: `${Buffer.from(text).toString("hex")}00` });

/** Receipts of every state and of many carriers' spellings, and how they are read. */
export const receiptSpellings: readonly (readonly [what: string, fields: Fields, read: Read])[] = [
  ["delivered, its id hexadecimal", { short_message: usual("a1b2c3d4", "DELIVRD", "000") }, read("a1b2c3d4", "delivered")],
  ["delivered, its id decimal", { short_message: usual("2712847316", "DELIVRD", "000") }, read("2712847316", "delivered")],
  [
    "delivered, its id padded with zeros",
    { short_message: usual("00000000A1B2C3D4", "DELIVRD", "000") },
    read("00000000A1B2C3D4", "delivered"),
  ],
  ["expired", { short_message: usual("a1", "EXPIRED", "034") }, read("a1", "undelivered", ["expired", "EXPIRED 034"])],
  ["deleted", { short_message: usual("a1", "DELETED", "000") }, read("a1", "undelivered", ["carrier_rejected", "DELETED"])],
  ["undeliverable", { short_message: usual("a1", "UNDELIV", "069") }, read("a1", "undelivered", ["handset_unreachable", "UNDELIV 069"])],
  ["rejected", { short_message: usual("a1", "REJECTD", "011") }, read("a1", "undelivered", ["carrier_rejected", "REJECTD 011"])],
  ["accepted", { short_message: usual("a1", "ACCEPTD", "000") }, read("a1", "accepted")],
  ["on its way", { short_message: usual("a1", "ENROUTE", "000") }, read("a1", "accepted")],
  ["in a state that the carrier doesn't know", { short_message: usual("a1", "UNKNOWN", "000") }, read("a1", "accepted")],
  [
    "told by TLVs, which count before the text",
    { short_message: usual("other", "UNKNOWN", "000"), receipted_message_id: cString("A1-uuid"), message_state: { hex: "02" } },
    read("A1-uuid", "delivered"),
  ],
  [
    "told by TLVs alone, with the network's own cause",
    { short_message: "", receipted_message_id: cString("a1"), message_state: { hex: "05" }, network_error_code: { hex: "030001" } },
    { ...read("a1", "undelivered", ["unknown_subscriber", "UNDELIV 3/1"]), occurred_at: null },
  ],
  [
    "told by a TLV whose text doesn't end",
    { short_message: "", message_state: { hex: "02" }, receipted_message_id: { hex: "6131" } },
    { ...read("a1", "delivered"), occurred_at: null },
  ],
  [
    "told by a TLV whose text doesn't end before the next TLV",
    { short_message: "", message_state: { hex: "02" }, receipted_message_id: { hex: "6131" }, sar_msg_ref_num: { hex: "0001" } },
    { ...read("a1", "delivered"), occurred_at: null },
  ],
  [
    "told by TLVs without a type",
    { esm_class: 0, short_message: "", receipted_message_id: cString("a1"), message_state: { hex: "08" } },
    { ...read("a1", "undelivered", ["carrier_rejected", "REJECTD"]), occurred_at: null },
  ],
  [
    "in another order and case, with seconds and without text",
    { short_message: "stat:Delivered ID: a1 DONE DATE:261124103100 ERR:0" },
    read("a1", "delivered"),
  ],
  [
    "in a payload",
    { short_message: "", message_payload: usual("a1", "FAILED", "7") },
    read("a1", "undelivered", ["handset_unreachable", "FAILED 7"]),
  ],
  ["with a whole year", { short_message: "id:a1 done date:20261124103100 stat:DELIVRD" }, read("a1", "delivered")],
  [
    "with a date that is none",
    { short_message: "id:a1 done date:2613321031 stat:DELIVRD" },
    { ...read("a1", "delivered"), occurred_at: null },
  ],
  ["before its time, which ends nothing", { esm_class: 0x20, short_message: usual("a1", "DELIVRD", "000") }, read("a1", "accepted")],
  [
    "whose text claims another state",
    { short_message: "id:a1 done date:2611241031 stat:EXPIRED err:000 text:stat:DELIVRD id:b2" },
    read("a1", "undelivered", ["expired", "EXPIRED"]),
  ],
];
