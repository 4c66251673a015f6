import { reaches } from "#providers/voice/sip/settings/reaches.ts";
import { readTrunks } from "#providers/voice/sip/settings/read-trunks.ts";
import type { Settings } from "../config.ts";

/** Whether LIVE calls to a country have a way out, for whoever accepts them: nothing is connected. */
export function hasCallRoute({ SIP_TRUNKS }: Pick<Settings, "SIP_TRUNKS">): (country: string) => boolean {
  const { trunks } = readTrunks(SIP_TRUNKS ?? "");
  return (country) => trunks.some((trunk) => reaches(trunk, country));
}
