import type { SmsReceipt } from "#sms/index.ts";
import type { Pdu } from "./pdu.ts";

const typeBits = 0x3c;
const receiptType = 0x04;
const intermediateType = 0x20;
/** Far longer than the text of any receipt. */
const longestText = 1_024;
/** SMPP 3.4 has ids of up to 64 characters, plus the NUL. */
const longestId = 65;

export type ReadReceipt = Pick<SmsReceipt, "provider_message_id" | "state" | "code" | "provider_code" | "occurred_at">;

/** Whether a deliver_sm is a receipt for one of our messages. Some carriers leave the type unset and put the message id into TLVs. */
export function isReceipt(pdu: Pdu): boolean {
  const type = (pdu.number("esm_class") ?? 0) & typeBits;
  if (type === receiptType || type === intermediateType) return true;
  return type === 0 && pdu.text("receipted_message_id") !== undefined && pdu.number("message_state") !== undefined;
}

type ReceiptResult = Pick<SmsReceipt, "state" | "code">;
const onTheWay: ReceiptResult = { state: "accepted", code: null };
const words: readonly (readonly [begins: string, result: ReceiptResult])[] = [
  ["DELIV", { state: "delivered", code: null }],
  ["UNDEL", { state: "undelivered", code: "handset_unreachable" }],
  ["EXPIR", { state: "undelivered", code: "expired" }],
  ["DELET", { state: "undelivered", code: "carrier_rejected" }],
  ["REJEC", { state: "undelivered", code: "carrier_rejected" }],
  ["FAIL", { state: "undelivered", code: "handset_unreachable" }],
  ["SKIP", { state: "undelivered", code: "carrier_rejected" }],
];
/** The words of message_state, by number. States that aren't mapped are in transit or unknown. */
const stateWords = [
  "SCHEDULED",
  "ENROUTE",
  "DELIVRD",
  "EXPIRED",
  "DELETED",
  "UNDELIV",
  "ACCEPTD",
  "UNKNOWN",
  "REJECTD",
  "SKIPPED",
] as const;
/** Causes of GSM 09.02 that mean that the subscriber doesn't exist. */
const unknownSubscriber = new Set([1, 5]);
const gsmNetwork = 3;

/** null if the receipt has no message id. `zoneMinutes`: how far the carrier's local clock is ahead of UTC. */
export function readReceipt(pdu: Pdu, zoneMinutes: number): ReadReceipt | null {
  const [bytes = Buffer.alloc(0)] = ["message_payload", "short_message"]
    .flatMap((field) => pdu.bytes(field) ?? [])
    .filter(({ length }) => length > 0);
  const text = bytes.subarray(0, longestText).toString("latin1");
  // Carriers omit the NUL of a TLV, and the package then reads into the next one, which starts with a control character.
  const id = printable(pdu.text("receipted_message_id")) ?? printable(fieldOf(text, "id"));
  if (id === null || id.length > longestId) return null;
  const word = stateWords[pdu.number("message_state") ?? -1] ?? fieldOf(text, "stat")?.toUpperCase() ?? "UNKNOWN";
  const result = words.find(([begins]) => word.startsWith(begins))?.[1] ?? onTheWay;
  const isIntermediate = ((pdu.number("esm_class") ?? 0) & typeBits) === intermediateType;
  const { network, cause } = readNetworkError(pdu);
  const isUnknown = result.code === "handset_unreachable" && network === gsmNetwork && unknownSubscriber.has(cause);
  return {
    provider_message_id: id,
    ...(isIntermediate ? onTheWay : { state: result.state, code: isUnknown ? "unknown_subscriber" : result.code }),
    provider_code: result.state === "undelivered" ? spellError(word, text, { network, cause }) : null,
    occurred_at: readTime(fieldOf(text, "done date"), zoneMinutes),
  };
}

/** The leading characters that an id may have; null if there are none. */
function printable(text: string | undefined): string | null {
  return /^[\x21-\x7e]+/.exec(text ?? "")?.[0] ?? null;
}

/** A value from the text. Carriers change order and case, omit parts and put spaces after the colon; the first occurrence counts. */
function fieldOf(text: string, name: string): string | undefined {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(`${name}:`); at >= 0; at = lower.indexOf(`${name}:`, at + 1)) {
    if (at > 0 && /[a-z0-9]/.test(lower[at - 1] ?? "")) continue;
    const [value] = text
      .slice(at + name.length + 1, at + name.length + 100)
      .trimStart()
      .split(/\s/);
    return value === "" ? undefined : value;
  }
  return undefined;
}

function readNetworkError(pdu: Pdu): { network: number; cause: number } {
  const bytes = pdu.bytes("network_error_code");
  return bytes?.length === 3 ? { network: bytes.readUInt8(0), cause: bytes.readUInt16BE(1) } : { network: 0, cause: 0 };
}

function spellError(word: string, text: string, { network, cause }: { network: number; cause: number }): string {
  const state = word.replace(/[^A-Z]/g, "").slice(0, 10);
  if (network !== 0) return `${state} ${network}/${cause}`;
  const error = fieldOf(text, "err")?.replace(/[^\w.-]/g, "");
  return error === undefined || /^0*$/.test(error) ? state : `${state} ${error.slice(0, 20)}`;
}

/** `YYMMDDhhmm`; some carriers add seconds, others use four-digit years. */
function readTime(value: string | undefined, zoneMinutes: number): Date | null {
  if (value === undefined || !/^(\d{10}|\d{12}|\d{14})$/.test(value)) return null;
  const isWholeYear = value.length === 14 || (value.length === 12 && /^20[2-9]\d(0[1-9]|1[0-2])/.test(value));
  const digits = isWholeYear ? value.slice(2) : value;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (digits.match(/\d\d/g) ?? []).map(Number);
  const at = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  const isReal = new Date(at).getUTCMonth() === month - 1 && new Date(at).getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? new Date(at - zoneMinutes * 60_000) : null;
}
