import { createCarrierLineHandler } from "#calls/index.ts";
import type { CarrierWebhook } from "#messaging/index.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { createSmsWebhook } from "#providers/telephony/twilio/sms/sms-webhook.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { createVoiceWebhook } from "#providers/telephony/twilio/voice/voice-webhook.ts";
import { createSmsIntake } from "#sms/index.ts";
import type { Settings } from "../config.ts";

/** The receivers of carriers' HTTP requests, in a process that serves: they need the settings, but no transport. */
export function listCarrierWebhooks({ SMS_HTTP_URL, VOICE_HTTP_URL }: Pick<Settings, "SMS_HTTP_URL" | "VOICE_HTTP_URL">): CarrierWebhook[] {
  return [
    ...(SMS_HTTP_URL === null ? [] : [createSmsWebhook({ accounts: readSmsAccounts(SMS_HTTP_URL), intake: createSmsIntake })]),
    ...(VOICE_HTTP_URL === null
      ? []
      : [createVoiceWebhook({ accounts: readVoiceAccounts(VOICE_HTTP_URL), handler: createCarrierLineHandler })]),
  ];
}
