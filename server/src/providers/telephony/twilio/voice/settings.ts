import { isLoopbackUrl } from "#platform/index.ts";
import { type CarrierAccount, readAccounts } from "../account/read-accounts.ts";

/** An account that places calls. */
export interface VoiceAccount extends CarrierAccount {
  /** The maximum number of concurrent calls. */
  channels: number;
  /** Whether the carrier detects who answers. */
  detectsMachines: boolean;
  /** Whether a recording is deleted at the carrier once it's stored here. */
  deletesRecordings: boolean;
}

const onOff = (usual: 0 | 1) => ({ least: 0, most: 1, usual });
const extras = {
  numbers: { channels: { least: 1, most: 1_000, usual: 30 }, amd: onOff(0), delete_recordings: onOff(1) },
  texts: {},
} as const;

/** Parses `VOICE_HTTP_URL`, or throws all its faults at once. */
export function readVoiceAccounts(text: string): VoiceAccount[] {
  return readAccounts(text, extras).map(({ numbers, texts: _none, ...account }) => ({
    ...account,
    channels: numbers.channels,
    detectsMachines: numbers.amd === 1,
    deletesRecordings: numbers.delete_recordings === 1,
  }));
}

/** Why carriers couldn't carry out calls: they have to reach this server for each call's script. Null if they can. */
export function deafFault(accounts: readonly VoiceAccount[], publicUrl: string): string | null {
  const isDeaf = isLoopbackUrl(publicUrl) && accounts.some(({ base }) => !isLoopbackUrl(base));
  return isDeaf
    ? "PUBLIC_URL must be this server's public address if VOICE_HTTP_URL is set: the carrier asks there what a call does"
    : null;
}
