import { tmpdir } from "node:os";
import { UserAgent } from "./agent/user-agent.ts";
import { realSurroundings } from "./net/real-surroundings.ts";
import type { Surroundings } from "./net/surroundings.ts";
import type { SipSettings } from "./settings/read-sip-settings.ts";

/**
 * Registers with or asks each trunk, without a call. Answers what is wrong by the trunk's name, null where nothing is. Listens on ports of its own, so that
 * a running server is not disturbed.
 */
export async function tryTrunks(settings: SipSettings, around: Surroundings = realSurroundings()): Promise<Map<string, string | null>> {
  const listen = settings.listen.map((at) => ({ ...at, port: 0 }));
  const agent = new UserAgent(around, { ...settings, listen, recordings: tmpdir() }, () => undefined);
  try {
    await agent.open({ isTrial: true });
    return await agent.tryTrunks();
  } finally {
    await agent.close();
  }
}
