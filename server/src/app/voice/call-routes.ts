import { type Destination, reachesNumber } from "#messaging/index.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { readTrunks } from "#providers/voice/sip/settings/read-trunks.ts";
import { reaches } from "#providers/voice/sip/trunk/reaches.ts";
import type { Settings } from "../config.ts";

type CallSettings = Pick<Settings, "SIP_TRUNKS" | "VOICE_HTTP_URL">;

/** Whether LIVE calls to a number have a transport, for processes that accept them: nothing is connected. */
export function hasCallRoute({ SIP_TRUNKS, VOICE_HTTP_URL }: CallSettings): (number: Destination) => boolean {
  const { trunks } = readTrunks(SIP_TRUNKS ?? "");
  const accounts = VOICE_HTTP_URL === null ? [] : readVoiceAccounts(VOICE_HTTP_URL);
  return (number) => trunks.some((trunk) => reaches(trunk, number)) || accounts.some(({ reach }) => reachesNumber(reach, number));
}
