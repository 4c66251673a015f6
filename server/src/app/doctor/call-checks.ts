import { readSipSettings } from "#providers/voice/sip/settings/read-sip-settings.ts";
import { tryTrunks } from "#providers/voice/sip/try-trunks.ts";
import type { Settings } from "../config.ts";
import { trySpeech } from "../voice/index.ts";
import type { Finding } from "./checks.ts";

/** The external checks, replaceable in tests. */
export interface CallProbes {
  trunks: typeof tryTrunks;
  speech: typeof trySpeech;
}

const check = "calls";

/**
 * Checks whether each trunk can be reached or registered with, and whether texts can be spoken. Returns nothing without a transport for
 * calls.
 */
export async function checkCalls(settings: Settings, probes: CallProbes = { trunks: tryTrunks, speech: trySpeech }): Promise<Finding[]> {
  const trunks = settings.SIP_TRUNKS === null ? [] : await checkTrunks(settings, probes);
  const isSpoken = settings.SIP_TRUNKS !== null || settings.VOICE_HTTP_URL !== null;
  return isSpoken ? [...trunks, ...(await checkSpeech(settings, probes))] : [];
}

async function checkTrunks(settings: Settings, probes: CallProbes): Promise<Finding[]> {
  const sip = readSipSettings(settings).settings;
  const found = await probes.trunks(sip).catch((error: unknown) => (error instanceof Error ? error.message : "unknown"));
  if (typeof found === "string") {
    return [
      {
        check,
        state: "fault",
        message: `SIP can't listen: ${found}`,
        fix: "Check the addresses in SIP_LISTEN: each must belong to this machine.",
      },
    ];
  }
  return sip.trunks.map(({ name }): Finding => {
    const fault = found.get(name) ?? null;
    if (fault === null) return { check, state: "fine", message: `the trunk ${name} responds` };
    const fix = "Check its host, port, transport, user and password in SIP_TRUNKS, and that it lets this machine's address in.";
    return { check, state: "fault", message: `the trunk ${name} can't be used: ${fault}`, fix };
  });
}

async function checkSpeech(settings: Settings, { speech }: CallProbes): Promise<Finding[]> {
  const tried = await speech(settings);
  if (tried === "unknown") return [];
  if (tried === "fine") return [{ check, state: "fine", message: "texts can be spoken" }];
  return [{ check, state: "fault", message: `texts can't be spoken: ${tried.reason}`, fix: tried.fix }];
}
