import type { CarrierDoor } from "#messaging/index.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { createSmsDoor } from "#providers/telephony/twilio/sms/sms-door.ts";
import { createSmsIntake } from "#sms/index.ts";
import type { Settings } from "../config.ts";

/** Who takes what carriers send over HTTP, in a process that serves: it needs the settings, and no transport. */
export function listCarrierDoors({ SMS_HTTP_URL }: Pick<Settings, "SMS_HTTP_URL">): CarrierDoor[] {
  return SMS_HTTP_URL === null ? [] : [createSmsDoor({ accounts: readSmsAccounts(SMS_HTTP_URL), intake: createSmsIntake })];
}
