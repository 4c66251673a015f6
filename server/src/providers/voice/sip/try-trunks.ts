import { tmpdir } from "node:os";
import { UserAgent } from "./agent/user-agent.ts";
import { realSurroundings } from "./net/real-surroundings.ts";
import type { Surroundings } from "./net/surroundings.ts";
import type { SipSettings } from "./settings/read-sip-settings.ts";

/**
 * Registers with or queries each trunk, without a call. Returns the fault by the trunk's name, null if there isn't one. Listens on separate
 * ports, so that a running server isn't disturbed.
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
