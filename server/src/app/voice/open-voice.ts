import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "prom-client";
import type { Speech } from "#calls/index.ts";
import type { TransportBoard } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { SipTransport } from "#providers/voice/sip/create-sip-transport.ts";
import { readSipSettings } from "#providers/voice/sip/settings/read-sip-settings.ts";
import type { Settings } from "../config.ts";
import { measureTrunks } from "./measure-trunks.ts";
import { openSpeech, trySpeech } from "./open-speech.ts";
import { watchTrunks } from "./watch-trunks.ts";

/** Longer than any call may last. */
const oldestMs = 6 * 3_600_000;

/** How LIVE calls leave one process, and what speaks in them. */
export interface Voice {
  transport: SipTransport;
  speech: Speech;
  /** Hangs up. After the workers, which may still be calling. */
  close(): Promise<void>;
}

/** What calls need of the process that makes them. */
export interface VoiceParts {
  ctx: Pick<Ctx, "log" | "now">;
  settings: Settings;
  /** Where the process shows its measurements, if it does. */
  registry?: Registry | undefined;
  /** Where operators see how the trunks are. */
  board?: TransportBoard | undefined;
  /** How it is found out whether texts can be spoken. */
  speaks?: typeof trySpeech;
}

/**
 * Registers with the trunks; null where none is set. A trunk that cannot be used is told and stops nothing else, and so is a missing voice. What speaks SIP is
 * loaded only where it is used.
 */
export async function openVoice({ ctx, settings, registry, board, speaks = trySpeech }: VoiceParts): Promise<Voice | null> {
  if (settings.SIP_TRUNKS === null) return null;
  const recordings = join(settings.TILLPOST_DATA_DIR, "calls");
  await mkdir(recordings, { recursive: true, mode: 0o700 });
  await removeOrphans(recordings, ctx.now());
  const { createSipTransport } = await import("#providers/voice/sip/create-sip-transport.ts");
  const sip = readSipSettings(settings).settings;
  const transport = createSipTransport({
    ...sip,
    recordings,
    now: ctx.now,
    onTrunk: (trunk, reason) => {
      if (reason === null) ctx.log.info({ trunk }, "the trunk can be used again");
      else ctx.log.warn({ trunk, reason }, "the trunk cannot be used: calls go over the others until it can");
    },
    onFault: (reason) => ctx.log.error({ reason }, "calls cannot leave: check SIP_LISTEN and RTP_PORTS, and that no other process has them"),
  });
  if (registry !== undefined) measureTrunks(registry, transport);
  if (board !== undefined) watchTrunks(board, transport, sip.trunks);
  const spoken = await speaks(settings);
  if (typeof spoken !== "string") ctx.log.error(spoken, "calls cannot speak texts");
  return { transport, speech: openSpeech(settings, fetch), close: () => transport.close() };
}

/** Recordings of a process that died, which nobody will take. */
async function removeOrphans(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < now.getTime() - oldestMs) await unlink(path).catch(() => undefined);
  }
}
