import { createCarrierLineHandler } from "#calls/index.ts";
import type { CarrierDoor } from "#messaging/index.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { createSmsDoor } from "#providers/telephony/twilio/sms/sms-door.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { createVoiceDoor } from "#providers/telephony/twilio/voice/voice-door.ts";
import { createSmsIntake } from "#sms/index.ts";
import type { Settings } from "../config.ts";

/** The receivers of carriers' HTTP requests, in a process that serves: they need the settings, but no transport. */
export function listCarrierDoors({ SMS_HTTP_URL, VOICE_HTTP_URL }: Pick<Settings, "SMS_HTTP_URL" | "VOICE_HTTP_URL">): CarrierDoor[] {
  return [
    ...(SMS_HTTP_URL === null ? [] : [createSmsDoor({ accounts: readSmsAccounts(SMS_HTTP_URL), intake: createSmsIntake })]),
    ...(VOICE_HTTP_URL === null ? [] : [createVoiceDoor({ accounts: readVoiceAccounts(VOICE_HTTP_URL), handler: createCarrierLineHandler })]),
  ];
}
