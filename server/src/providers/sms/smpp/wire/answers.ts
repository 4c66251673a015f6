/** The meaning of a carrier's response to one submit, in the API's terms. */
export type Verdict =
  | { result: "accepted" }
  /** Nothing was accepted. `isPace`: the carrier asks for less traffic. `isUnbound`: it no longer knows this connection. */
  | { result: "deferred"; code: string; message: string; isPace: boolean; isUnbound: boolean }
  | { result: "refused"; code: string; message: string };

const deferred = (code: string, message: string, more: { isPace?: boolean; isUnbound?: boolean } = {}): Verdict => ({
  result: "deferred",
  code,
  message,
  isPace: more.isPace ?? false,
  isUnbound: more.isUnbound ?? false,
});
const refused = (code: string, message: string): Verdict => ({ result: "refused", code, message });

const badSender = refused("carrier_rejected", "The carrier doesn't accept this sender.");
const badRecipient = refused("invalid_number", "The carrier reports that this number can't receive messages.");
const tooMuch = deferred("throttled", "The carrier accepts no more messages right now.", { isPace: true });
const trouble = deferred("provider_error", "The carrier reported a temporary error.");
const unbound = deferred("provider_error", "The carrier no longer knows this connection.", { isUnbound: true });
const ours = refused("provider_error", "The carrier can't read the message as sent.");
const rejected = refused("carrier_rejected", "The carrier rejected the message.");

/** By command_status of SMPP 3.4, section 5.1.3. A status that isn't listed refuses the message permanently. */
const verdicts: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [0x00, { result: "accepted" }],
  ...[0x01, 0x02, 0x03, 0x06, 0x07, 0x43, 0x54, 0x61, 0x62, 0x63, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4].map((status): [number, Verdict] => [
    status,
    ours,
  ]),
  [0x04, unbound],
  [0x08, trouble],
  [0x0a, badSender],
  [0x0b, badRecipient],
  [0x14, tooMuch],
  [0x33, badRecipient],
  [0x48, badSender],
  [0x49, badSender],
  [0x50, badRecipient],
  [0x51, badRecipient],
  [0x58, tooMuch],
  [0x64, trouble],
]);

export function classifyAnswer(status: number): Verdict {
  return verdicts.get(status) ?? rejected;
}

/** Formats a command_status as carriers' lists do. */
export function spellStatus(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(8, "0")}`;
}
