import type { SmsIntake } from "#sms/index.ts";
import { providerOf } from "./settings/accounts.ts";
import type { SmppBind } from "./settings/read-binds.ts";
import { readInbound } from "./wire/inbound.ts";
import type { Pdu } from "./wire/pdu.ts";
import { isReceipt, readReceipt } from "./wire/receipt.ts";

const acknowledgements = new Set([0x08, 0x10, 0x18]);
const typeBits = 0x3c;

/** Passes on what a carrier delivered; rejects if it can't be stored, so that the carrier sends it again. */
export async function takeIn(pdu: Pdu, { bind, intake, now }: { bind: SmppBind; intake: SmsIntake; now: () => Date }): Promise<void> {
  const provider = providerOf(bind);
  if (isReceipt(pdu)) {
    const receipt = readReceipt(pdu, bind.zoneMinutes);
    // A receipt without a message id can never be matched, however often it arrives.
    if (receipt !== null) await intake.receipt({ provider, ...receipt });
    return;
  }
  // Automatic acknowledgements of handsets aren't messages from a person.
  if (acknowledgements.has((pdu.number("esm_class") ?? 0) & typeBits)) return;
  await intake.inbound({
    provider,
    provider_message_id: null,
    ...readInbound(pdu, bind.alphabet),
    received_at: now(),
    reach: bind.countries,
  });
}
